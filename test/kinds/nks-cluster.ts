import { type KindDescriptor, nth } from "./descriptor";

export const nksCluster: KindDescriptor = {
  name: "cluster",
  args: ({ vpcId }) => ({ vpcId, kubernetesVersion: "v1.34.4" }),
  others: { replaceOnVersionChange: true, autoscaling: true },
  lists: { replaceOnVersionChange: true },
  edited: ({ fields, replace }) => ({
    autoscaling: fields % 2 === 1,
    kubernetesVersion: nth(["v1.34.4", "v1.33.8"], replace),
    replaceOnVersionChange: true,
  }),
  values: { kubernetesVersion: "v1.33.8" },
};
