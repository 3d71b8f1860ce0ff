import type { z } from "zod";
import { matchesOf } from "../schemas/filters";
import { listOf, pageQuery, sortBy } from "../schemas/list";
import type { CallContext } from "../services/call";
import { type AnyEndpoint, defineEndpoint } from "../services/endpoint";
import { shown } from "../services/noun-endpoints";
import { answerPage } from "../services/pages";
import type { Noun } from "./noun";
import { type Volume, volumeNoun } from "./volume";

/** The volumes of a VM, boot and data. */
export function vmVolumesEndpoint(findVm: (call: CallContext) => Pick<Volume, "id" | "project_id">): AnyEndpoint {
  const { name, kind, status, tags: tagsOf, type } = volumeNoun.filters ?? {};
  const filters = { name, kind, status, tags: tagsOf, type } as NonNullable<typeof volumeNoun.filters>;
  const query = pageQuery.extend({
    sort: sortBy("created_at", ...(volumeNoun.sorts ?? [])),
    ...Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema])),
  });
  return defineEndpoint({
    method: "GET",
    path: "/v1/compute/vms/{vm_id}/volumes",
    operationId: "listVmVolumes",
    summary: "Lists the volumes of a VM, oldest first.",
    needs: { resourceType: "vm", level: "read" },
    query,
    status: 200,
    response: listOf(volumeNoun.shown),
    handle(call) {
      const vm = findVm(call);
      const { cursor, limit, sort, ...wanted } = call.query() as z.infer<typeof pageQuery> & { readonly sort?: string };
      const isMatch = matchesOf(filters, wanted);
      return answerPage(
        {
          list: call.world.table(volumeNoun).partition(vm.project_id),
          sort,
          filters: { ...wanted, vm: vm.id },
          matches: (volume) => volume.vm_id === vm.id && (isMatch?.(volume) ?? true),
          wire: (volume) => shown(volumeNoun as unknown as Noun, volume, call.world),
        },
        { cursor, limit },
      );
    },
  });
}
