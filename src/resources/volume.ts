import { words } from "../definition/enumeration";
import type { QuotaUse } from "../definition/quotas";
import { define } from "../definition/definition";
import { IF_LEFT_EMPTY, integer, oneOf, openOneOf, text } from "../definition/field";
import { resource } from "../dynamic/dynamic-resource";
import { inRegion, named, ofProject, status, tagged, times } from "../definition/standard-fields";
import type { AdoptArgs, ArgsOf, NamedType, ResourceClass, ResourceOf } from "../program/resource-types";

/** VolumeType of the public clients. */
export const VOLUME_TYPE = words("VolumeType", "A kind of storage.", {
  nvme: "Local NVMe storage.",
  abs: "ABS storage.",
});

/** The quota for each kind of storage. */
const quotas = { nvme: "storage.local_nvme", abs: "storage.abs" } as const;

/** The storage quotas that volumes need. */
export function storageUse(
  volumes: readonly { readonly type?: string | undefined; readonly size?: number | undefined }[],
): QuotaUse {
  const sizeOf = (type: string): number =>
    volumes.reduce((sum, volume) => sum + (volume.type === type ? (volume.size ?? 0) : 0), 0);
  return Object.fromEntries(Object.entries(quotas).map(([type, quota]) => [quota, sizeOf(type)]));
}

/** Public clients, "compute / volumes". */
export const volume = define({
  type: "Volume",
  noun: "volume",
  path: "/v1/compute/volumes",
  hasAvailability: true,
  replacementLoss: "the data of the old volume is deleted",
  inputs: {
    ...ofProject,
    ...inRegion,
    /** Its size in GB. At least one. It can grow in place, and cannot become smaller. The price depends on it. */
    size: integer({ min: 1, growsOnly: true, priced: true, example: 100 }),
    /** The kind of storage. The price depends on it. Changing it replaces the volume. */
    type: oneOf(VOLUME_TYPE, { change: "replace", priced: true, example: "abs" }),
    /**
     * The id of the VM to attach it to, in the same project and region. A change detaches and attaches it in place.
     * Without it, the volume is attached to no VM.
     */
    vmId: text({
      optional: true,
      ifEmpty: IF_LEFT_EMPTY,
      actions: (before: unknown, after: unknown) => [
        ...(before === undefined ? [] : [{ verb: "detach" }]),
        ...(after === undefined ? [] : [{ verb: "attach", body: { vm_id: after } }]),
      ],
    }),
    ...tagged,
    ...named({ example: "data" }),
  },
  quotas: (volume) => storageUse([volume]),
  outputs: {
    /** `data`, or `boot` for an adopted boot volume of a VM. */
    kind: openOneOf(["boot", "data"]),
    /** The name of the VM that it is attached to. */
    vmName: text({ optional: true, changesWith: ["vmId"] }),
    ...status,
    ...times,
  },
});

/** Names the type of the definition. */
export interface VolumeDefinition extends NamedType<typeof volume> {}

/** Arguments of a Volume. */
export interface VolumeArgs extends ArgsOf<typeof volume>, AdoptArgs {}

/**
 * Storage that can be attached to a VM.
 *
 * @remarks A smaller `size` fails the preview and names the present size. It is accepted if another argument replaces
 * the volume.
 * @remarks The boot volume of a VM (`kind: "boot"`) can be adopted.
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const data = new cloudinfra.Volume("data", {
 *   size: 100,
 *   type: "abs",
 *   tags: ["database"],
 * });
 *
 * export const perMonth = data.cost.apply((cost) => cost?.monthlyTotal ?? "unknown");
 * ```
 */
export const Volume: ResourceClass<Volume, VolumeArgs> = resource(volume);

export interface Volume extends ResourceOf<typeof volume> {}
