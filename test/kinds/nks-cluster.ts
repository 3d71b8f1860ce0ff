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
  limits: [
    [
      { kubernetesVersion: "v1.33.8" },
      "kubernetesVersion: cannot be changed in place: v1.34.4 → v1.33.8 would destroy the cluster with everything in it, and make a new " +
        "one. Set v1.34.4 again to keep it. If it may be destroyed, set replaceOnVersionChange: true",
      {},
    ],
    [{ kubernetesVersion: "v1.33.8", replaceOnVersionChange: true }, undefined, {}],
    [{ kubernetesVersion: "v1.33.8", vpcId: "another" }, undefined, {}],
  ],
};
