import { z } from "zod";
import { nksClusterNoun } from "./nks-cluster";
import { partMembers } from "./nks-parts";
import { defineNoun } from "./noun";
import { volumeType } from "./volume";

const kept = z.object({ ...partMembers, cluster_id: z.string(), size: z.int(), type: volumeType });

/** The claims of volumes that Kubernetes makes in a cluster. Here the control port adds them. */
export const nksPersistentVolumeClaimNoun = defineNoun<z.infer<typeof kept>>({
  key: "nksPersistentVolumeClaims",
  noun: "NKS persistent volume claim",
  typeName: "NksPersistentVolumeClaim",
  targetType: "nks_persistent_volume_claim",
  resourceType: "nks_cluster",
  path: "/v1/nks/clusters/{cluster_id}/persistent_volume_claims",
  idParameter: "persistent_volume_claim_id",
  parent: nksClusterNoun,
  kept,
  shown: kept,
});
