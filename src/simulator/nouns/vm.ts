import { z } from "zod";
import { findInstanceType, osImages } from "../model/catalogues";
import { privateAddressIn, publicAddressOf } from "../model/addresses";
import { computePrices, computeUsage, reportInstanceType, summed } from "../model/compute";
import type { Usage } from "../model/prices";
import { byName, byRegion, byStatus, byTags, equals } from "../schemas/filters";
import { booleanOf } from "../schemas/list";
import { dateTime, resourceStatus, tags, tagsInput } from "../schemas/primitives";
import { without } from "../services/changed-members";
import { find } from "../services/noun-endpoints";
import { fixedItems, listEndpoint } from "../services/list-endpoint";
import { defineNoun } from "./noun";
import { vmMetricsEndpoints } from "./vm-metrics";
import { vmVolumesEndpoint } from "./vm-volumes";
import {
  newVolume,
  sizeInput,
  storageUsage,
  type Volume,
  volumeNoun,
  volumeQuota,
  volumesOf,
  volumesQuota,
  volumeType,
} from "./volume";
import { vpcNoun, vpcOfSubnet } from "./vpc";

const volumeInput = z.strictObject({ size: sizeInput.describe("GB"), type: volumeType, tags: tagsInput.optional() });

const create = z.strictObject({
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
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
  tags: tagsInput.optional(),
});

const update = create.pick({ name: true, instance_type: true, public_ip_enabled: true, tags: true }).partial();

const kept = z.object({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  status: resourceStatus,
  instance_type: z.string(),
  boot_volume_id: z.string(),
  subnet_id: z.string(),
  vpc_id: z.string(),
  private_ip: z.string().nullable(),
  public_ip: z.string().nullable(),
  public_ip_enabled: z.boolean(),
  tags,
  created_at: dateTime,
  updated_at: dateTime,
});

/** A stored VM. Image and SSH key are not stored, because no answer shows them. */
export type Vm = z.infer<typeof kept>;

const vmShown = kept.extend({
  instance_type: z.string().nullable(),
  cpu_config: z.object({ vcpu: z.int().min(1).max(192) }),
  memory_config: z.object({ size: z.int().min(1).max(768) }),
  data_volume_ids: z.array(z.string()),
  vpc_name: z.string(),
});

function ownUsage({ region, instance_type, public_ip_enabled }: Vm | z.infer<typeof create>): readonly Usage[] {
  return [
    ...computeUsage(region, instance_type),
    { dimension: "networking_public_ip", quantity: public_ip_enabled ? 1 : 0 },
  ];
}

/** The VMs (paths and shapes are those of the public clients). */
export const vmNoun = defineNoun<Vm, typeof create, typeof update>({
  key: "vms",
  noun: "VM",
  typeName: "Vm",
  targetType: "vm",
  resourceType: "vm",
  path: "/v1/compute/vms",
  idParameter: "vm_id",
  kept,
  shown: vmShown,
  create,
  update,
  isDeletable: true,
  isQuoted: true,
  hasAvailability: true,
  projectCounter: "cloud.vms",
  filters: {
    ...byName,
    ...byRegion,
    ...byStatus,
    ...byTags,
    public_ip_enabled: equals(booleanOf, (vm) => vm.public_ip_enabled),
    subnet_id: equals(z.string(), (vm) => vm.subnet_id),
    vpc_id: equals(z.string(), (vm) => vm.vpc_id),
  },
  sorts: ["updated_at", "name", "status", "vcpu", "memory"],
  sortValues: {
    vcpu: ({ region, instance_type }) => findInstanceType(region, instance_type)?.vcpu ?? 0,
    memory: ({ region, instance_type }) => findInstanceType(region, instance_type)?.memory_gb ?? 0,
  },
  prices: computePrices,
  usage: ownUsage,
  /** With the volumes that come and go with it; those are billed by themselves. */
  quoted(of, world) {
    const own: readonly Pick<Volume, "type" | "size">[] =
      "boot_volume" in of
        ? [of.boot_volume, ...(of.data_volumes ?? [])]
        : volumesOf(world, of).filter(({ is_of_vm }) => is_of_vm === true);
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
    ...[boot_volume, ...data_volumes].flatMap((volume) =>
      volume ? volumeQuota(volume).map(({ quota }) => quota) : [],
    ),
  ],
  createRules(_call, { region, instance_type, os_image_name }, report) {
    reportInstanceType(region, instance_type, report);
    if (os_image_name !== undefined && !osImages.some(({ name }) => name === os_image_name)) {
      report("os_image_name", `no such image, must be one of ${osImages.map(({ name }) => name).join(", ")}`);
    }
  },
  placeRules({ world }, { project_id, region, subnet_id }, report) {
    if (project_id !== undefined && region !== undefined && subnet_id !== undefined) {
      const vpc = vpcOfSubnet(world, project_id, region, subnet_id);
      if (!vpc) report("subnet_id", "no such subnet in a VPC of the project and the region");
    }
  },
  updateRules(_call, { region }, { instance_type }, report) {
    reportInstanceType(region, instance_type, report);
  },
  beforeCreate({ world }, { region, boot_volume, data_volumes = [] }) {
    world.quotas.requireRoom(region, volumesQuota([boot_volume, ...data_volumes]));
  },
  make({ world }, body, { id, status, ...times }) {
    const { name, project_id, region, instance_type, subnet_id, public_ip_enabled, tags = [] } = body;
    const common = { project_id, region, vm_id: id, is_of_vm: true, status, ...times };
    const boot = newVolume({ ...common, ...body.boot_volume, name: `${name}-boot`, kind: "boot" });
    const volumes = [boot, ...(body.data_volumes ?? []).map((data) => newVolume({ ...common, ...data, kind: "data" }))];
    for (const volume of volumes) world.lifecycle(volumeNoun).put(volume);
    const vpc_id = vpcOfSubnet(world, project_id, region, subnet_id)?.id ?? "";
    const placed = { subnet_id, vpc_id, private_ip: null, public_ip: null, public_ip_enabled };
    return { id, name, project_id, region, status, instance_type, boot_volume_id: boot.id, ...placed, tags, ...times };
  },
  readyMembers({ id, vpc_id, public_ip_enabled }, world) {
    const cidr = world.table(vpcNoun).get(vpc_id)?.subnet.cidr;
    return {
      private_ip: cidr === undefined ? null : privateAddressIn(cidr, world.next(`addresses of ${vpc_id}`)),
      public_ip: public_ip_enabled ? publicAddressOf(id) : null,
    };
  },
  afterCreate(vm, world) {
    for (const { id, is_of_vm } of volumesOf(world, vm)) {
      if (is_of_vm) world.lifecycle(volumeNoun).change(id, { status: "ready" });
    }
  },
  change: ({ id }, { public_ip_enabled, ...members }) => ({
    ...members,
    ...(public_ip_enabled !== undefined && {
      public_ip_enabled,
      public_ip: public_ip_enabled ? publicAddressOf(id) : null,
    }),
  }),
  flat: (members) => without(members, "public_ip"),
  /** Volumes that were made with it are deleted with it. Volumes that were attached later are detached. */
  afterDelete(vm, world) {
    const lifecycle = world.lifecycle(volumeNoun);
    for (const { id, is_of_vm } of volumesOf(world, vm)) {
      if (is_of_vm) lifecycle.remove(id);
      else lifecycle.change(id, { vm_id: null });
    }
  },
  show(vm, world) {
    const type = findInstanceType(vm.region, vm.instance_type);
    return {
      ...vm,
      cpu_config: { vcpu: type?.vcpu ?? 1 },
      memory_config: { size: type?.memory_gb ?? 1 },
      data_volume_ids: volumesOf(world, vm).flatMap(({ id, kind }) => (kind === "data" ? [id] : [])),
      vpc_name: world.table(vpcNoun).get(vm.vpc_id)?.name ?? "",
    };
  },
  actions: { restart: { type: "restart", summary: "Restarts a VM.", change: () => ({}) } },
  more: [
    listEndpoint<(typeof osImages)[number]>({
      path: "/v1/compute/vms/os_images",
      operationId: "listOsImages",
      summary: "Lists what VMs can be made of.",
      needs: { resourceType: "vm", level: "read" },
      items: fixedItems(osImages),
      shown: z.object({ name: z.string(), display_name: z.string(), created_at: dateTime }),
      filters: {
        ...byName,
        display_name: {
          schema: z.string().optional(),
          matches: ({ display_name }, wanted) => display_name.toLowerCase().includes(String(wanted).toLowerCase()),
        },
      },
      sorts: ["name", "display_name", "position"],
      sortValues: { position: (image) => osImages.indexOf(image) },
    }),
    vmVolumesEndpoint((call): Vm => find<Vm>(call, vmNoun)),
    ...vmMetricsEndpoints((call): Vm => find<Vm>(call, vmNoun)),
  ],
});
