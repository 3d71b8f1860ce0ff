import { type KindDescriptor, nth } from "./descriptor";

export const vpc: KindDescriptor = {
  name: "net",
  args: () => ({}),
  others: { subnetName: "front" },
  edited: ({ fields, replace }, { region }) => ({
    ...(fields > 0 && { subnetName: `front-${fields}` }),
    region: nth([region, "us-wdc-1"], replace),
  }),
  changes: { subnetName: { to: "back" } },
  drifts: { subnet: "follows from the objects around it" },
};
