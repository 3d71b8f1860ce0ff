import { randomUUID } from "node:crypto";
import { z } from "zod";
import { conflict, invalid } from "../model/rejection";
import type { Usage } from "../model/prices";
import type { QuotaAmount } from "../model/quota-ledger";
import type { World } from "../model/world";
import { booleanOf, equals } from "../schemas/lists";
import { location, nameAndTags, namedInput, resourceMembers } from "../schemas/primitives";
import type { Call } from "../services/call";
import { defineNoun } from "./noun";

/** VolumeType and VolumeKind; their values are those of the public clients. */
export const volumeType = z.enum(["nvme", "abs"]);
export const volumeKind = z.enum(["boot", "data"]);

/** A size in whole GB in a request. The specification shows no limits except quotas. */
export const sizeInput = z.int().min(1).max(1_000_000).describe("GB; a volume can only grow");

const create = z.strictObject({
  ...namedInput,
  ...location,
  size: sizeInput,
  type: volumeType,
  vm_id: z.string().optional().describe("The VM to attach it to at creation"),
});

const stored = z.object({
  ...resourceMembers,
  ...nameAndTags,
  ...location,
  size: z.int(),
  type: volumeType,
  kind: volumeKind,
  vm_id: z.string().nullable(),
  made_with: z.string().optional().describe("The VM that it was created with, and is deleted with"),
});

/** A stored volume. An answer takes the name of its VM from the VM. */
export type Volume = z.infer<typeof stored>;

const features = { abs: "storage.abs", nvme: "storage.local_nvme" } as const;

/** The dimension that bills storage of a type. */
export function storageUsage(type: Volume["type"], size: number): Usage {
  return { dimension: `storage_${type}_gb`, quantity: size };
}

/** The quota amounts of a volume. The names are also those of the region's features. */
export function volumeQuota({ type, size }: Pick<Volume, "type" | "size">): readonly QuotaAmount[] {
  return [{ quota: features[type], amount: size }];
}

/** Creates a volume that comes with another object. */
export function newVolume({
  tags = [],
  ...members
}: Omit<Volume, "id" | "tags"> & { readonly tags?: string[] | undefined }): Volume {
  return { id: randomUUID(), ...members, tags };
}

const vmOf = (world: World, id: string) =>
  world.find("vms", id) as { id: string; name: string; status: string; project_id: string; region: string } | undefined;

/** Tells why a volume cannot be attached to a VM, which must be in the same project and region. */
function vmProblem(
  { world, caller }: Call,
  { project_id, region }: { readonly project_id?: string | undefined; readonly region?: string | undefined },
  vmId: string,
): string | undefined {
  const vm = vmOf(world, vmId);
  if (!vm || !caller.reaches(vm.project_id)) return "no such VM";
  if (project_id !== undefined && vm.project_id !== project_id) return "the VM is in another project";
  return region !== undefined && vm.region !== region ? `the VM is in another region, ${vm.region}` : undefined;
}

function requireUsable({ world }: Call, vmId: string): void {
  const status = vmOf(world, vmId)?.status;
  if (status === "deleting" || status === "error") throw conflict(`the VM is in the state ${status}`);
}

/**
 * Volumes grow, and can be attached to VMs and detached. Paths and shapes are those of the public clients.
 */
export const volumeNoun = defineNoun({
  key: "volumes",
  kind: "volume",
  path: "/v1/compute/volumes",
  stored,
  hidden: ["made_with"],
  computed: { vm_name: z.string().nullable() },
  create,
  update: create.pick({ name: true, size: true, tags: true }).partial(),
  isDeletable: true,
  isQuoted: true,
  hasAvailability: true,
  projectCounter: "cloud.volumes",
  growsOnly: ["size"],
  filteredBy: ["name", "region", "status", "tags", "vm_id", "kind", "type"],
  filters: { attached: equals<Volume>(booleanOf, ({ vm_id }) => vm_id !== null) },
  sorts: ["updated_at", "name", "status", "size"],
  prices: {
    storage_abs_gb: { displayName: "ABS storage (GB)", unitPrice: "0.10" },
    storage_nvme_gb: { displayName: "Local NVMe storage (GB)", unitPrice: "0.25" },
  },
  usage: ({ type, size }) => [storageUsage(type, size)],
  quota: volumeQuota,
  regionFeatures: ({ type }) => (type === undefined ? [] : [features[type]]),
  createRules(call, { vm_id, ...body }, report) {
    const problem = vm_id === undefined ? undefined : vmProblem(call, body, vm_id);
    if (problem !== undefined) report("vm_id", problem);
  },
  beforeCreate(call, { vm_id }) {
    if (vm_id !== undefined) requireUsable(call, vm_id);
  },
  make: () => ({ kind: "data" as const }),
  beforeDelete({ world }, { kind, vm_id }) {
    if (kind === "boot" && vm_id !== null && vmOf(world, vm_id)) {
      throw conflict("the volume is the boot volume of a VM: delete the VM");
    }
  },
  show: ({ vm_id }, world) => ({ vm_name: vm_id === null ? null : (vmOf(world, vm_id)?.name ?? null) }),
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

/** The volumes that are attached to a VM, oldest first. */
export function volumesOf(world: World, vm: Pick<Volume, "id" | "project_id">): readonly Volume[] {
  return Array.from(world.inProject(volumeNoun, vm.project_id)).filter(({ vm_id }) => vm_id === vm.id);
}
