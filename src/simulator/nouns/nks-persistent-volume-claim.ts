import { z } from "zod";
import { nksClusterNoun } from "./nks-cluster";
import { partMembers } from "./nks-parts";
import { defineNoun } from "./noun";
import { volumeType } from "./volume";

/** The claims of volumes that Kubernetes creates in a cluster. Here the control port adds them. */
export const nksPersistentVolumeClaimNoun = defineNoun({
  key: "nksPersistentVolumeClaims",
  kind: "nks_persistent_volume_claim",
  path: "/v1/nks/clusters/{cluster_id}/persistent_volume_claims",
  parent: nksClusterNoun,
  stored: z.object({ ...partMembers, cluster_id: z.string(), size: z.int(), type: volumeType }),
});
