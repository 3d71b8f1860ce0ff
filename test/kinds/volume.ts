import { VOLUME_TYPE } from "../../src/resources/volume";
import { type KindDescriptor, nth } from "./descriptor";

/** Two types of storage, as the API calls them. */
export const [otherStorage = "", storage = ""]: readonly string[] = VOLUME_TYPE.values;

export const volume: KindDescriptor = {
  name: "data",
  args: () => ({ size: 100, type: storage }),
  edited: ({ fields, replace }, { vmIds }) => ({
    size: 100 + 10 * fields,
    type: nth([storage, otherStorage], replace),
    vmId: nth([undefined, ...vmIds], fields),
  }),
  comesAlong: ({ kind }) => kind === "boot",
};
