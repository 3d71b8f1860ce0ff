import { z } from "zod";
import { privateAddressIn, publicAddressOf } from "../model/addresses";
import { computePrices, computeUsage, findInstanceType, osImages, reportInstanceType, summed } from "../model/catalogs";
import type { Usage } from "../model/prices";
import { quotaDifference } from "../model/quota-ledger";
import { containing } from "../schemas/lists";
import { dateTime, location, nameAndTags, namedInput, resourceMembers, tagsInput } from "../schemas/primitives";
import type { Call } from "../services/call";
import type { Endpoint } from "../services/endpoint";
import { fixedItems, listEndpoint } from "../services/list-endpoint";
import { find, shown } from "../services/noun-requests";
import { defineNoun, type Noun } from "./noun";
import { vmMetricsEndpoints } from "./vm-metrics";
import {
  newVolume,
  sizeInput,
  storageUsage,
  type Volume,
  volumeNoun,
  volumeQuota,
  volumesOf,
  volumeType,
} from "./volume";
import { vpcNoun, vpcOfSubnet } from "./vpc";

const volumeInput = z.strictObject({ size: sizeInput, type: volumeType, tags: tagsInput.optional() });

const create = z.strictObject({
  ...namedInput,
  ...location,
  instance_type: z.string(),
  os_image_name: z.string(),
  subnet_id: z.string(),
  public_ip_enabled: z.boolean(),
  ssh_key: z.strictObject({
    public_key: z
      .string()
      .regex(/^(ssh-(rsa|ed25519)|ecdsa-sha2-\S+|sk-\S+) [A-Za-z0-9+/=]+( .*)?$/, "must be an OpenSSH public key"),
  }),
  boot_volume: volumeInput,
  data_volumes: z.array(volumeInput.extend({ name: z.string() })).optional(),
});

/** A stored VM. The image and the SSH key are not stored, because no answer shows them. */
const stored = z.object({
  ...resourceMembers,
  ...nameAndTags,
  ...location,
  instance_type: z.string(),
  boot_volume_id: z.string(),
  subnet_id: z.string(),
  vpc_id: z.string(),
  private_ip: z.string().nullable(),
  public_ip: z.string().nullable(),
  public_ip_enabled: z.boolean(),
});

function ownUsage({
  region,
  instance_type,
  public_ip_enabled,
}: Pick<z.infer<typeof stored>, "region" | "instance_type" | "public_ip_enabled">): readonly Usage[] {
  const address = { dimension: "networking_public_ip", quantity: public_ip_enabled ? 1 : 0 };
  return [...computeUsage(region, instance_type), address];
}

/** Paths and shapes are those of the public clients. */
export const vmNoun = defineNoun({
  key: "vms",
  kind: "vm",
  path: "/v1/compute/vms",
  stored,
  computed: {
    instance_type: z.string().nullable(),
    cpu_config: z.object({ vcpu: z.int().min(1).max(192) }),
    memory_config: z.object({ size: z.int().min(1).max(768) }),
    data_volume_ids: z.array(z.string()),
    vpc_name: z.string(),
  },
  create,
  update: create.pick({ name: true, instance_type: true, public_ip_enabled: true, tags: true }).partial(),
  isDeletable: true,
  isQuoted: true,
  hasAvailability: true,
  projectCounter: "cloud.vms",
  filteredBy: ["name", "region", "status", "tags", "public_ip_enabled", "subnet_id", "vpc_id"],
  sorts: ["updated_at", "name", "status", "vcpu", "memory"],
  sortValues: {
    vcpu: ({ region, instance_type }) => findInstanceType(region, instance_type)?.vcpu ?? 0,
    memory: ({ region, instance_type }) => findInstanceType(region, instance_type)?.memory_gb ?? 0,
  },
  prices: computePrices,
  usage: ownUsage,
  /** Includes the volumes that are created and deleted with the VM. Each volume has its own bill. */
  quotedUsage(of, world) {
    const own: readonly Pick<Volume, "type" | "size">[] =
      "boot_volume" in of
        ? [of.boot_volume, ...(of.data_volumes ?? [])]
        : volumesOf(world, of).filter(({ made_with }) => made_with === of.id);
    return summed([...ownUsage(of), ...own.map(({ type, size }) => storageUsage(type, size))]);
  },
  quota: ({ region, instance_type, public_ip_enabled }) => {
    const type = findInstanceType(region, instance_type);
    return [
      { quota: "compute.vcpu", amount: type?.vcpu ?? 0 },
      { quota: "compute.memory_gb", amount: type?.memory_gb ?? 0 },
      { quota: "networking.public_ips", amount: public_ip_enabled ? 1 : 0 },
    ];
  },
  regionFeatures: ({ boot_volume, data_volumes = [] }) => [
    "compute.vms",
    ...[...(boot_volume ? [boot_volume] : []), ...data_volumes].flatMap(volumeQuota).map(({ quota }) => quota),
  ],
  createRules(_call, { region, instance_type, os_image_name }, report) {
    reportInstanceType(region, instance_type, report);
    if (os_image_name !== undefined && !osImages.some(({ name }) => name === os_image_name)) {
      report("os_image_name", `no such image, must be one of ${osImages.map(({ name }) => name).join(", ")}`);
    }
  },
  referenceRules({ world }, { project_id, region, subnet_id }, report) {
    if (project_id !== undefined && region !== undefined && subnet_id !== undefined) {
      const vpc = vpcOfSubnet(world, project_id, region, subnet_id);
      if (!vpc) report("subnet_id", "no such subnet in a VPC of the project and the region");
    }
  },
  updateRules(_call, { region }, { instance_type }, report) {
    reportInstanceType(region, instance_type, report);
  },
  beforeCreate({ world }, { region, boot_volume, data_volumes = [] }) {
    world.quotas.requireRoom(region, quotaDifference([boot_volume, ...data_volumes].flatMap(volumeQuota), []));
  },
  make({ world }, body, { id, status, created_at, updated_at }) {
    const { name, project_id, region, subnet_id } = body;
    const common = { project_id, region, vm_id: id, made_with: id, status, created_at, updated_at };
    const boot = newVolume({ ...common, ...body.boot_volume, name: `${name}-boot`, kind: "boot" });
    const volumes = [boot, ...(body.data_volumes ?? []).map((data) => newVolume({ ...common, ...data, kind: "data" }))];
    for (const volume of volumes) world.lifecycle(volumeNoun).put(volume);
    return { boot_volume_id: boot.id, vpc_id: vpcOfSubnet(world, project_id, region, subnet_id)?.id ?? "" };
  },
  readyMembers({ id, vpc_id, public_ip_enabled }, world) {
    const cidr = world.table(vpcNoun).get(vpc_id)?.subnet.cidr;
    return {
      private_ip: cidr === undefined ? null : privateAddressIn(cidr, world.next(`addresses of ${vpc_id}`)),
      public_ip: public_ip_enabled ? publicAddressOf(id) : null,
    };
  },
  afterCreate(vm, world) {
    for (const { id, made_with } of volumesOf(world, vm)) {
      if (made_with === vm.id) world.lifecycle(volumeNoun).change(id, { status: "ready" });
    }
  },
  change: ({ id }, members) => ({
    ...members,
    ...(members.public_ip_enabled !== undefined && {
      public_ip: members.public_ip_enabled ? publicAddressOf(id) : null,
    }),
  }),
  changeList: (members) => ({ ...members, public_ip: undefined }),
  /** Deletes the volumes that were created with the VM, and detaches volumes that were attached later. */
  afterDelete(vm, world) {
    const lifecycle = world.lifecycle(volumeNoun);
    for (const { id, made_with } of volumesOf(world, vm)) {
      if (made_with === vm.id) lifecycle.remove(id);
      else lifecycle.change(id, { vm_id: null });
    }
  },
  show(vm, world) {
    const type = findInstanceType(vm.region, vm.instance_type);
    return {
      cpu_config: { vcpu: type?.vcpu ?? 1 },
      memory_config: { size: type?.memory_gb ?? 1 },
      data_volume_ids: volumesOf(world, vm).flatMap(({ id, kind }) => (kind === "data" ? [id] : [])),
      vpc_name: world.table(vpcNoun).get(vm.vpc_id)?.name ?? "",
    };
  },
  actions: { restart: { type: "restart", summary: "Restarts a VM.", change: () => ({}) } },
  endpoints: (noun) => [
    listEndpoint<(typeof osImages)[number]>({
      path: "/v1/compute/vms/os_images",
      operationId: "listOsImages",
      summary: "Lists the images that VMs can be created from.",
      needs: { resourceType: "vm", level: "read" },
      items: fixedItems(osImages),
      shown: z.object({ name: z.string(), display_name: z.string(), created_at: dateTime }),
      filters: { ...containing("name"), ...containing("display_name") },
      sorts: ["name", "display_name", "position"],
      sortValues: { position: (image) => osImages.indexOf(image) },
    }),
    vmVolumesEndpoint((call) => find(call, noun)),
    ...vmMetricsEndpoints((call) => find(call, noun)),
  ],
});

/** The volumes of a VM, boot and data volumes. */
function vmVolumesEndpoint(findVm: (call: Call) => Pick<Volume, "id" | "project_id">): Endpoint {
  const { name, kind, status, tags, type } = volumeNoun.filters;
  return listEndpoint<Volume>({
    path: "/v1/compute/vms/{vm_id}/volumes",
    operationId: "listVmVolumes",
    summary: "Lists the volumes of a VM, oldest first.",
    needs: { resourceType: "vm", level: "read" },
    filters: { name, kind, status, tags, type } as NonNullable<typeof volumeNoun.filters>,
    sorts: volumeNoun.sorts ?? [],
    shown: volumeNoun.shown,
    items: (call) => call.world.table(volumeNoun).partition(findVm(call).project_id).values(),
    scope(call) {
      const { id } = findVm(call);
      return { mark: id, sees: ({ vm_id }) => vm_id === id };
    },
    show: (volume, { world }) => shown(volumeNoun as unknown as Noun, volume, world),
  });
}
