import { z } from "zod";
import { without } from "../services/changed-members";
import { nksClusterNoun } from "./nks-cluster";
import { partMembers, partVolumeMembers } from "./nks-parts";
import { defineNoun } from "./noun";

const shown = z.object({ ...partMembers, instance_type: z.string(), private_ip: z.string().nullable() });
const kept = shown.extend({ cluster_id: z.string() });

/** The controllers of an NKS cluster: they come and go with it. */
export const nksControllerNoun = defineNoun<z.infer<typeof kept>>({
  key: "nksControllers",
  noun: "NKS controller",
  typeName: "NksController",
  targetType: "nks_controller",
  resourceType: "nks_cluster",
  path: "/v1/nks/clusters/{cluster_id}/controllers",
  idParameter: "controller_id",
  parent: nksClusterNoun,
  kept,
  shown,
  afterDelete({ id }, world) {
    world.clear("nksControllerVolumes", id);
  },
  show: (controller) => without(controller, "cluster_id"),
});

const volumeShown = z.object(partVolumeMembers);
const volumeKept = volumeShown.extend({ controller_id: z.string() });

/** Their volumes. */
export const nksControllerVolumeNoun = defineNoun<z.infer<typeof volumeKept>>({
  key: "nksControllerVolumes",
  noun: "NKS controller volume",
  typeName: "NksControllerVolume",
  targetType: "nks_controller_volume",
  resourceType: "nks_cluster",
  path: "/v1/nks/clusters/{cluster_id}/controllers/{controller_id}/volumes",
  idParameter: "volume_id",
  parent: nksControllerNoun,
  kept: volumeKept,
  shown: volumeShown,
  show: (volume) => without(volume, "controller_id"),
});
