import { sampleVpc } from "../api/support/samples";
import { nth, tagLimits, times, type KindDescriptor } from "./descriptor";

export const vpc: KindDescriptor = {
  name: "net",
  args: () => ({}),
  others: { subnetName: "front" },
  edited: ({ fields, replace }, { region }) => ({
    ...(fields > 0 && { subnetName: `front-${fields}` }),
    region: nth([region, "us-wdc-1"], replace),
  }),
  changes: { subnetName: { to: "back" } },
  collection: "vpcs",
  wire: sampleVpc(),
  creation: ({ projectId, region }) => ({
    name: "sample",
    project_id: projectId,
    region,
    subnet_name: "sample",
    tags: [],
  }),
  inputDrifts: {
    projectId: { wire: { project_id: "another-project" }, shown: "another-project" },
    region: { wire: { region: "us-wdc-1" }, shown: "us-wdc-1" },
    subnetName: "follows from the objects around it",
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
  outputDrifts: {
    subnet: "follows from the objects around it",
    firewallRuleIds: "follows from the objects around it",
    status: { wire: { status: "error" }, shown: "error" },
    ...times,
  },
  limits: [
    [{}, undefined],
    [{ subnetName: 7 }, 'subnetName: must be a string (is the number 7): write "7"'],
    [{ name: 7, subnetName: "front" }, 'name: must be a string (is the number 7): write "7"'],
    ...tagLimits,
  ],
};
