import type { CallContext } from "../services/call";
import type { AnyEndpoint } from "../services/endpoint";
import { listEndpoint } from "../services/list-endpoint";
import { shown } from "../services/noun-requests";
import type { Noun } from "./noun";
import { type Volume, volumeNoun } from "./volume";

/** The volumes of a VM, boot and data. */
export function vmVolumesEndpoint(findVm: (call: CallContext) => Pick<Volume, "id" | "project_id">): AnyEndpoint {
  const { name, kind, status, tags, type } = volumeNoun.filters;
  return listEndpoint<Volume>({
    path: "/v1/compute/vms/{vm_id}/volumes",
    operationId: "listVmVolumes",
    summary: "Lists the volumes of a VM, oldest first.",
    needs: { resourceType: "vm", level: "read" },
    filters: { name, kind, status, tags, type } as NonNullable<typeof volumeNoun.filters>,
    sorts: volumeNoun.sorts ?? [],
    shown: volumeNoun.shown,
    items: (call) => call.world.table(volumeNoun).partition(findVm(call).project_id),
    scope(call) {
      const { id } = findVm(call);
      return { mark: id, sees: ({ vm_id }) => vm_id === id };
    },
    show: (volume, { world }) => shown(volumeNoun as unknown as Noun, volume, world),
  });
}
