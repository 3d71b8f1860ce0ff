import { randomUUID } from "node:crypto";
import { z } from "zod";
import { conflict, invalid } from "../model/api-error";
import type { Usage } from "../model/prices";
import type { QuotaUse } from "../model/quotas";
import type { World } from "../model/world";
import { byName, byRegion, byStatus, byTags, equals } from "../schemas/filters";
import { booleanOf } from "../schemas/list";
import { dateTime, resourceStatus, tags, tagsInput } from "../schemas/primitives";
import type { CallContext } from "../services/call";
import { without } from "../services/changed-members";
import { defineNoun } from "./noun";

/** VolumeType and VolumeKind; their values are those of the public clients. */
export const volumeType = z.enum(["nvme", "abs"]);
export const volumeKind = z.enum(["boot", "data"]);

/** Whole GB of a request; the specification shows no limits but those of quotas. */
export const sizeInput = z.int().min(1, "must be at least 1").max(1_000_000, "must be at most 1000000");

const create = z.strictObject({
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  size: sizeInput.describe("GB"),
  type: volumeType,
  tags: tagsInput.optional(),
  vm_id: z.string().optional().describe("The VM that it is attached to from the start"),
});

const update = z.strictObject({
  name: z.string().optional(),
  size: sizeInput.optional().describe("GB; a volume can only grow"),
  tags: tagsInput.optional(),
});

const kept = z.object({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  size: z.int(),
  type: volumeType,
  kind: volumeKind,
  vm_id: z.string().nullable(),
  status: resourceStatus,
  tags,
  created_at: dateTime,
  updated_at: dateTime,
  is_of_vm: z.boolean().optional().describe("Made with its VM, and deleted with it"),
});

/** A stored volume. The name of its VM follows from the VM. */
export type Volume = z.infer<typeof kept>;

const features = { abs: "storage.abs", nvme: "storage.local_nvme" } as const;

/** The dimension that bills storage of a type. */
export function storageUsage(type: Volume["type"], size: number): Usage {
  return { dimension: `storage_${type}_gb`, quantity: size };
}

/** The quota amounts of a volume. The names are also those of the region's features. */
export function volumeQuota({ type, size }: Pick<Volume, "type" | "size">): readonly QuotaUse[] {
  return [{ quota: features[type], amount: size }];
}

/** A volume that another object brings with it. */
export function newVolume({
  tags = [],
  ...members
}: Omit<Volume, "id" | "tags"> & { readonly tags?: string[] | undefined }): Volume {
  return { id: randomUUID(), ...members, tags };
}

const vmOf = (world: World, id: string) =>
  world.find("vms", id) as { id: string; name: string; status: string; project_id: string; region: string } | undefined;

/** The VM that a volume is to be attached to: of its project and region. */
function vmProblem(
  { world, caller }: CallContext,
  { project_id, region }: { readonly project_id?: string | undefined; readonly region?: string | undefined },
  vmId: string,
): string | undefined {
  const vm = vmOf(world, vmId);
  if (!vm || !caller.reaches(vm.project_id)) return "no such VM";
  if (project_id !== undefined && vm.project_id !== project_id) return "the VM is in another project";
  return region !== undefined && vm.region !== region ? `the VM is in another region, ${vm.region}` : undefined;
}

function requireUsable({ world }: CallContext, vmId: string): void {
  const status = vmOf(world, vmId)?.status;
  if (status === "deleting" || status === "error") throw conflict(`the VM is in the state ${status}`);
}

/** The volumes (paths and shapes are those of the public clients): they grow, and are attached to VMs and detached. */
export const volumeNoun = defineNoun<Volume, typeof create, typeof update>({
  key: "volumes",
  noun: "volume",
  typeName: "Volume",
  targetType: "volume",
  resourceType: "volume",
  path: "/v1/compute/volumes",
  idParameter: "volume_id",
  kept,
  shown: kept.omit({ is_of_vm: true }).extend({ vm_name: z.string().nullable() }),
  create,
  update,
  isDeletable: true,
  isQuoted: true,
  hasAvailability: true,
  projectCounter: "cloud.volumes",
  filters: {
    ...byName,
    ...byRegion,
    ...byStatus,
    ...byTags,
    attached: equals(booleanOf, ({ vm_id }) => vm_id !== null),
    vm_id: equals(z.string(), ({ vm_id }) => vm_id),
    kind: equals(volumeKind, ({ kind }) => kind),
    type: equals(volumeType, ({ type }) => type),
  },
  sorts: ["updated_at", "name", "status", "size"],
  prices: {
    storage_abs_gb: { displayName: "ABS storage (GB)", unitPrice: "0.10" },
    storage_nvme_gb: { displayName: "Local NVMe storage (GB)", unitPrice: "0.25" },
  },
  usage: ({ type, size }) => [storageUsage(type, size)],
  quota: volumeQuota,
  regionFeatures: ({ type }) => (type === undefined ? [] : [features[type]]),
  createRules(call, { vm_id, project_id, region }, report) {
    const problem = vm_id === undefined ? undefined : vmProblem(call, { project_id, region }, vm_id);
    if (problem !== undefined) report("vm_id", problem);
  },
  updateRules(_call, volume, { size }, report) {
    if (size !== undefined && size < volume.size) report("size", `a volume can only grow: it has ${volume.size} GB`);
  },
  beforeCreate(call, { vm_id }) {
    if (vm_id !== undefined) requireUsable(call, vm_id);
  },
  make: (_call, { tags = [], vm_id = null, ...body }, { id, ...base }) => ({
    id,
    ...body,
    kind: "data",
    vm_id,
    tags,
    ...base,
  }),
  beforeDelete({ world }, { kind, vm_id }) {
    if (kind === "boot" && vm_id !== null && vmOf(world, vm_id)) {
      throw conflict("the volume is the boot volume of a VM, and goes with it");
    }
  },
  show: (volume, world) => ({
    ...without(volume, "is_of_vm"),
    vm_name: volume.vm_id === null ? null : (vmOf(world, volume.vm_id)?.name ?? null),
  }),
  // A list of changes has no null.
  flat: (members) => (members.vm_id === null ? { ...members, vm_id: "" } : members),
  actions: {
    attach: {
      type: "update",
      summary: "Attaches a data volume to a VM of its project and region.",
      body: z.strictObject({ vm_id: z.string() }),
      change(call, volume, body) {
        const vmId = String(body["vm_id"]);
        const problem = vmProblem(call, volume, vmId);
        if (problem !== undefined) throw invalid({ vm_id: problem });
        if (volume.vm_id === vmId) throw conflict("the volume is attached to this VM already");
        if (volume.vm_id !== null) throw conflict(`the volume is attached to another VM, ${volume.vm_id}`);
        requireUsable(call, vmId);
        return { vm_id: vmId };
      },
    },
    detach: {
      type: "update",
      summary: "Detaches a data volume from its VM.",
      change(_call, { vm_id, kind }) {
        if (vm_id === null) throw conflict("the volume is not attached");
        if (kind === "boot") throw conflict("a boot volume cannot be detached");
        return { vm_id: null };
      },
    },
  },
});

/** The volumes that are attached to a VM, its boot volume first. */
export function volumesOf(world: World, vm: Pick<Volume, "id" | "project_id">): readonly Volume[] {
  const volumes: Volume[] = [];
  for (const { value } of world.table(volumeNoun).partition(vm.project_id).after(0)) {
    if (value.vm_id === vm.id) volumes.push(value);
  }
  return volumes;
}

/** The quota amounts of several volumes together. */
export function volumesQuota(volumes: readonly Pick<Volume, "type" | "size">[]): readonly QuotaUse[] {
  const amounts = new Map<QuotaUse["quota"], number>();
  for (const volume of volumes) {
    for (const { quota, amount } of volumeQuota(volume)) amounts.set(quota, (amounts.get(quota) ?? 0) + amount);
  }
  return Array.from(amounts, ([quota, amount]) => ({ quota, amount }));
}
