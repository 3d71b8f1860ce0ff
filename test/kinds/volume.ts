import { ids } from "../api/support/samples";
import { nth, tagLimits, times, type KindDescriptor } from "./descriptor";

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
  changes: { size: { to: 150 } },
  collection: "volumes",
  comesAlong: ({ kind }) => kind === "boot",
  wire: {
    id: "123e4567-e89b-12d3-a456-426614174007",
    name: "my-data-volume",
    project_id: ids.project,
    region: "us-sva-2",
    size: 100,
    type: storage,
    kind: "data",
    vm_id: null,
    vm_name: null,
    status: "ready",
    tags: [],
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  },
  creation: ({ projectId, region }) => ({
    name: "sample",
    project_id: projectId,
    region,
    size: 100,
    type: storage,
    tags: [],
  }),
  inputDrifts: {
    projectId: { wire: { project_id: "another-project" }, shown: "another-project" },
    region: { wire: { region: "us-wdc-1" }, shown: "us-wdc-1" },
    size: { wire: { size: 50 }, shown: 50 },
    type: { wire: { type: "nvme" }, shown: "nvme" },
    vmId: "follows from the objects around it",
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
  outputDrifts: {
    kind: { wire: { kind: "boot" }, shown: "boot" },
    vmName: "follows from the objects around it",
    status: { wire: { status: "error" }, shown: "error" },
    ...times,
  },
  limits: [
    [{}, undefined],
    [{ size: 1 }, undefined],
    [{ size: 0 }, "size: must be at least 1 (is 0)"],
    [{ size: 10 ** 20 }, "size: must be a whole number up to 9007199254740991 (is 100000000000000000000)"],
    [{ size: 1.5 }, "size: must be a whole number (is 1.5)"],
    [{ size: "100" }, 'size: must be a number (is the string "100"): write 100, or read the setting as a number'],
    [{ size: undefined }, "size: is required"],
    [{ type: "nvme" }, undefined],
    [{ type: "ssd" }, `type: must be one of nvme, ${storage} (is "ssd")`],
    [{ type: undefined }, "type: is required"],
    [{ vmId: 7 }, 'vmId: must be a string (is the number 7): write "7"'],
    [{ name: 7 }, 'name: must be a string (is the number 7): write "7"'],
    ...tagLimits,
  ],
};
