import { sampleProject } from "../api/support/samples";
import { tagLimits, times, type KindDescriptor } from "./descriptor";

export const project: KindDescriptor = {
  name: "shop",
  args: () => ({}),
  edited: () => ({}),
  collection: "projects",
  wire: sampleProject(),
  creation: () => ({ name: "sample", tags: [] }),
  inputDrifts: {
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
  outputDrifts: { resources: "follows from the objects around it", ...times },
  limits: [[{}, undefined], [{ name: 7 }, 'name: must be a string (is the number 7): write "7"'], ...tagLimits],
};
