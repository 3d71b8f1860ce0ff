import { type KindDescriptor, nth } from "./descriptor";

export const connectConnection: KindDescriptor = {
  name: "link",
  args: () => ({
    bandwidthMbps: 200,
    cidrs: ["10.0.0.0/25"],
    providerCidrs: ["172.16.0.0/16"],
    externalProvider: { accountId: "123456789012", region: "us-west-2" },
  }),
  lists: { cidrs: ["10.2.0.0/16", "10.1.0.0/16"], providerCidrs: ["172.18.0.0/16", "172.17.0.0/16"] },
  edited: ({ replace }) => ({ bandwidthMbps: nth([50, 200, 500], replace) }),
  changes: { externalProvider: { to: { accountId: "123456789012", region: "us-west-1" } } },
  drifts: {
    externalProvider: { wire: { external_provider: { region: "eu-west-1" } }, shown: { region: "eu-west-1" } },
  },
};
