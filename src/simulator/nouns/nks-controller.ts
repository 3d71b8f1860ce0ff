import { z } from "zod";
import { nksClusterNoun } from "./nks-cluster";
import { partMembers, partVolumeMembers } from "./nks-parts";
import { defineNoun } from "./noun";

/** The controllers of an NKS cluster. They are created and deleted with it. */
export const nksControllerNoun = defineNoun({
  key: "nksControllers",
  kind: "nks_controller",
  path: "/v1/nks/clusters/{cluster_id}/controllers",
  parent: nksClusterNoun,
  stored: z.object({
    ...partMembers,
    cluster_id: z.string(),
    instance_type: z.string(),
    private_ip: z.string().nullable(),
  }),
  hidden: ["cluster_id"],
  afterDelete({ id }, world) {
    world.clear("nksControllerVolumes", id);
  },
});

/** Their volumes. */
export const nksControllerVolumeNoun = defineNoun({
  key: "nksControllerVolumes",
  kind: "nks_controller_volume",
  path: "/v1/nks/clusters/{cluster_id}/controllers/{controller_id}/volumes",
  parent: nksControllerNoun,
  stored: z.object({ ...partVolumeMembers, controller_id: z.string() }),
  hidden: ["controller_id"],
});
