import { define } from "../definition/definition";
import { IF_LEFT_EMPTY, flag, integer, list, object, oneOf, text } from "../definition/field";
import { isRecord, type Same, sameValue } from "../definition/compare-values";
import { failure, type Finding, type Props } from "../definition/rule-context";
import { shownInput } from "../text/redaction";
import { resource } from "../dynamic/dynamic-resource";
import { inRegion, named, ofProject, status, tagged, times } from "../definition/standard-fields";
import type { AdoptArgs, ArgsOf, MembersOf, NamedType, ResourceClass, ResourceOf } from "../program/resource-types";
import { volume, storageUse, VOLUME_TYPE } from "./volume";

/** The type and the material of a key, without its comment and surrounding spaces. */
function keyMaterial(key: unknown): unknown {
  const publicKey = isRecord(key) ? key["publicKey"] : undefined;
  return typeof publicKey === "string" ? publicKey.trim().split(/\s+/).slice(0, 2).join(" ") : publicKey;
}

/** The second word is Base64. It begins with the length of the type, whose first three bytes are zero. */
const PUBLIC_KEY = /^\s*[a-z][\w.@-]*\s+AAAA[A-Za-z0-9+/]*=*(\s|$)/;

/** A finding for the name of a file or a private key. It is not sent, because the API's error would not explain it. */
function keyFindings(publicKey: string | undefined): Finding[] {
  if (publicKey === undefined || PUBLIC_KEY.test(publicKey)) return [];
  const reason =
    `must be a public key such as "ssh-ed25519 AAAA… you@example.com" (is ${shownInput(publicKey)}): ` +
    "give the content of the .pub file";
  return [failure("sshKey.publicKey", reason)];
}

const sameKey: Same = (before, after) => sameValue(keyMaterial(before), keyMaterial(after));

/** The API makes these volumes with the VM. One that something else makes and attaches later is no part of it. */
const madeWithVm = { of: volume, attachedAt: "vm_id", madeWithinMs: 10 * 60_000 };

/** Public clients, "compute / vms". The API returns neither the image nor the key. */
export const vm = define({
  type: "Vm",
  noun: "VM",
  path: "/v1/compute/vms",
  hasAvailability: true,
  replacementLoss: "the data of the old VM is deleted, also that of its dataVolumes",
  inputs: {
    ...ofProject,
    ...inRegion,
    /** The id of its subnet: the output `subnet.id` of a Vpc. Changing it replaces the VM. */
    subnetId: text({ names: "subnet", change: "replace" }),
    /**
     * The name of its instance type, such as `n1-standard-2`: `getInstanceTypes` lists them. The price depends on it.
     * Changed in place.
     */
    instanceType: text({ names: "instanceType", priced: true, shown: "maybe", example: "n1-standard-2" }),
    /** The name of the image that it is made from: `getOsImages` lists them. Changing it replaces the VM. */
    osImageName: text({
      names: "osImage",
      change: "replace",
      shown: "never",
      example: "ubuntu-noble-2025-10-01",
      ifEmpty: "write the name of the image that the VM is made of. getOsImages lists them. The API does not show it",
    }),
    /** The SSH key of the first user. Another key replaces the VM. Another comment on the same key is no change. */
    sshKey: object(
      {
        /** The public key in OpenSSH's form: type, key and an optional comment. */
        publicKey: text({
          ifEmpty: "write the SSH key that the VM is made with, as OpenSSH writes it. The API does not show it",
        }),
      },
      { change: "replace", shown: "never", same: sameKey, example: { publicKey: "ssh-ed25519 AAAA" } },
    ),
    /** The boot volume. It grows in place; another `type` replaces the VM. The price depends on it. */
    bootVolume: object(
      {
        /** Its size in GB. At least one. It can grow in place, and cannot become smaller. */
        size: integer({ min: 1, growsOnly: true }),
        /** The kind of storage. Another kind replaces the VM. */
        type: oneOf(VOLUME_TYPE, { change: "replace" }),
        ...tagged,
      },
      {
        priced: true,
        shown: "maybe",
        part: { ...madeWithVm, idAt: "boot_volume_id" },
        example: { size: 64, type: "abs" },
      },
    ),
    /**
     * Volumes that are made with the VM. Each can grow in place. For all other volumes, use a Volume with `vmId`. The
     * price depends on it.
     */
    dataVolumes: list(
      object({
        /**
         * Its name at the API, unique in the list. The provider recognizes the volume by it, so it cannot be changed.
         */
        name: text({ change: "replace", ifEmpty: IF_LEFT_EMPTY }),
        /** Its size in GB. At least one. It can grow in place, and cannot become smaller. */
        size: integer({ min: 1, growsOnly: true }),
        /** The kind of storage. It cannot be changed. */
        type: oneOf(VOLUME_TYPE, { change: "replace" }),
        ...tagged,
      }),
      {
        optional: true,
        priced: true,
        shown: "maybe",
        part: { ...madeWithVm, idAt: "data_volume_ids" },
      },
    ),
    /** True if it has an address on the internet. Default: `false`. The price depends on it. Changed in place. */
    publicIpEnabled: flag({ default: false, priced: true }),
    /** Any text. A changed text restarts the VM, after all other changes. */
    restartTrigger: text({
      optional: true,
      local: true,
      actions: (_before: unknown, after: unknown) => (after === undefined ? [] : [{ verb: "restart" }]),
    }),
    ...tagged,
    ...named({ example: "web" }),
  },
  outputs: {
    /** The id of its boot volume. */
    bootVolumeId: text(),
    /** The ids of all other attached volumes, as of the last read. */
    dataVolumeIds: list(text()),
    /** The processors of its instance type. */
    cpuConfig: object(
      {
        /** The number of virtual processors. */
        vcpu: integer(),
      },
      { changesWith: ["instanceType"] },
    ),
    /** The memory of its instance type. */
    memoryConfig: object(
      {
        /** Memory in GB. */
        size: integer(),
      },
      { changesWith: ["instanceType"] },
    ),
    /** Its private IP address. Undefined if the API shows none. */
    privateIp: text({ optional: true }),
    /** Its address on the internet, if it has one. */
    publicIp: text({ optional: true, changesWith: ["publicIpEnabled"] }),
    /** The id of the VPC of its subnet. */
    vpcId: text(),
    /** The name of that VPC, as of the last read. */
    vpcName: text(),
    ...status,
    ...times,
  },
  quotas: ({ instanceType, bootVolume, dataVolumes = [], publicIpEnabled }, machineOf) => {
    const machine = machineOf(instanceType);
    return {
      "compute.vcpu": machine?.vcpu ?? 0,
      "compute.memory_gb": machine?.memoryGb ?? 0,
      "networking.public_ips": publicIpEnabled === true ? 1 : 0,
      ...storageUse([...(bootVolume ? [bootVolume] : []), ...dataVolumes]),
    };
  },
  rules: ({ sshKey }) => keyFindings(sshKey?.publicKey),
  changeRules: ({ dataVolumes: after = [] }, { dataVolumes: before = [] }) => unchangeable(before, after),
});

type DataVolume = Props & { readonly name?: string | undefined; readonly type?: string | undefined };

const MADE_WITH_VM = "the API makes these with the VM only";
const FOR_OTHERS = "Use a Volume with vmId for any other";
const IF_DELETED = "If the volume no longer exists, run `pulumi refresh` first";
const TO_ADD =
  "(1) If the VM already has this volume, run `pulumi refresh`. (After an import: run `pulumi state delete` for the VM, and declare it with adopt.) " +
  "(2) If it is a separate volume, take it out of dataVolumes and declare a Volume with vmId. If it exists already, for example because somebody " +
  'detached and attached it again, add adopt: "<its id>". (3) Or replace the VM, which deletes its data: run ' +
  '`pulumi destroy --target "<its URN>" --target-dependents`, which also deletes what depends on the VM, then `pulumi up`';

/** Findings for changes of `dataVolumes`: the API makes them with the VM, and afterwards they can only grow. */
function unchangeable(before: readonly DataVolume[], after: readonly DataVolume[]): Finding[] {
  // A wrong name or type is reported already.
  if (after.some(({ name, type }) => name === undefined || type === undefined)) return [];
  const isIn = (list: readonly DataVolume[], { name }: DataVolume): DataVolume | undefined =>
    list.find((other) => other.name === name);
  const faults = [
    ...after
      .filter((one) => !isIn(before, one))
      .map(({ name }) => `"${name}" cannot be added: ${MADE_WITH_VM}. ${TO_ADD}`),
    ...before
      .filter((one) => !isIn(after, one))
      .map(({ name }) => `"${name}" cannot be taken away: ${MADE_WITH_VM}. ${FOR_OTHERS}. ${IF_DELETED}`),
    ...after
      .filter((one) => (isIn(before, one)?.type ?? one.type) !== one.type)
      .map(
        ({ name }) =>
          `the type of "${name}" cannot be changed: ${MADE_WITH_VM}. Give it the type that it has. ${FOR_OTHERS}`,
      ),
  ];
  return faults.map((reason) => failure("dataVolumes", reason));
}

/** Names the type of the definition. */
export interface VmDefinition extends NamedType<typeof vm> {}

/** Arguments of a Vm. */
export interface VmArgs extends ArgsOf<typeof vm>, AdoptArgs {}

/** The boot volume among the arguments of a Vm. */
export interface VmBootVolumeArgs extends MembersOf<typeof vm, "bootVolume"> {}

/** A data volume among the arguments of a Vm. */
export interface VmDataVolumeArgs extends MembersOf<typeof vm, "dataVolumes"> {}

/** The SSH key among the arguments of a Vm. */
export interface VmSshKeyArgs extends MembersOf<typeof vm, "sshKey"> {}

/**
 * A virtual machine.
 *
 * @remarks The boot volume grows in place. It cannot become smaller, and another `type` replaces the VM.
 * @remarks The API makes `dataVolumes` with the VM. They can only grow. For a volume to add or remove later, use a
 * Volume with `vmId`.
 * @remarks The API deletes the volumes that were made with the VM together with the VM. If somebody has detached one,
 * it stays, and the VM's row names it. While another resource of the program uses one that is attached, a deletion of
 * the VM fails: detach it first.
 * @remarks The API's specification does not say whether a VM keeps running while its `instanceType` changes: plan for a
 * restart.
 * @remarks The API does not show why a VM was restarted. If the response to a restart is lost, the next run restarts
 * the VM again.
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const network = new cloudinfra.Vpc("network", {});
 *
 * const web = new cloudinfra.Vm("web", {
 *   subnetId: network.subnet.id,
 *   instanceType: "n1-standard-2",
 *   osImageName: "ubuntu-noble-2025-10-01",
 *   sshKey: { publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtleQ== you@example.com" },
 *   bootVolume: { size: 64, type: "abs" },
 *   publicIpEnabled: true,
 * });
 *
 * export const address = web.publicIp;
 * ```
 */
export const Vm: ResourceClass<Vm, VmArgs> = resource(vm);

export interface Vm extends ResourceOf<typeof vm> {}
