import { type KindDescriptor, nth } from "./descriptor";

export const rpcNodeFlex: KindDescriptor = {
  name: "rpc",
  args: () => ({ blockchain: "ethereum", network: "mainnet" }),
  edited: ({ replace }) => ({ network: nth(["mainnet", "sepolia"], replace) }),
  values: { blockchain: "base", network: "sepolia" },
};
