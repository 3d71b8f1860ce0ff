import { type KindDescriptor, nth } from "./descriptor";

/** A type of storage, as the API calls it. Every test takes it from here. */
export const storage = "abs";

export const volume: KindDescriptor = {
  name: "data",
  args: () => ({ size: 100, type: storage }),
  edited: ({ fields, replace }, { vmIds }) => ({
    size: 100 + 10 * fields,
    type: nth([storage, "nvme"], replace),
    vmId: nth([undefined, ...vmIds], fields),
  }),
  comesAlong: ({ kind }) => kind === "boot",
  drifts: { vmName: "follows from the objects around it" },
};
