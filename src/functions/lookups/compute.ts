import { instant, integer, list, number as anyNumber, object, text } from "../../definition/field";
import { times } from "../../definition/standard-fields";
import { vm, type VmDefinition } from "../../resources/vm";
import { volume, type VolumeDefinition } from "../../resources/volume";
import {
  all,
  byIdOrName,
  objectsOf,
  one,
  outputForm,
  shape,
  shapeAs,
  shapeOf,
  type ArgsOf,
  type ResultOf,
} from "../lookup";
import { either, int, number, word } from "./filters";

/** Lists of VMs do not show these fields. */
const vmShape = shapeOf(vm as VmDefinition, ["osImageName", "sshKey", "bootVolume", "dataVolumes", "restartTrigger"]);
/** A VM, without the fields that lists of VMs do not show. */
export interface VmResult extends ResultOf<typeof vmShape> {}
const vms = objectsOf<VmResult>(vm, vmShape);

const volumeShape = shapeOf(volume as VolumeDefinition, []);
/** A volume: of a VM, or for itself. */
export interface VolumeResult extends ResultOf<typeof volumeShape> {}
const volumes = objectsOf<VolumeResult>(volume, volumeShape);

const instanceTypeShape = shape({
  /** Its name: what `instanceType` of a Vm takes. */
  name: text(),
  /** Its family. */
  family: text(),
  /** Its series. */
  series: text(),
  /** Its chipset. */
  chipset: text(),
  /** The name of its region. */
  region: text(),
  /** The number of virtual processors. */
  vcpu: integer(),
  /** The memory, in GB. */
  memoryGb: integer(),
  /** The bandwidth of its network, in Gbps. */
  networkBandwidthGbps: anyNumber(),
  ...times,
});
/** An instance type of a region: processors, memory and network. */
export interface InstanceTypeResult extends ResultOf<typeof instanceTypeShape> {}

/** The VMs of a project. */
export const getVms = all("getVms", {
  ...vms,
  args: {
    /** True: only those with an address on the internet. False: only the others. */
    publicIpEnabled: either,
    /** Only those in the subnet with this id. */
    subnetId: word,
    /** Only those in the VPC with this id. */
    vpcId: word,
  },
  sharedArgs: ["projectId", "name", "region", "status", "tags", "sort"],
});
export interface GetVmsArgs extends ArgsOf<typeof getVms> {}
/** The output form of `getVms`: it accepts Inputs and returns an Output. */
export const getVmsOutput = outputForm(getVms);
export interface GetVmsOutputArgs extends ArgsOf<typeof getVmsOutput> {}
/** One VM, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getVm = byIdOrName("getVm", { ...vms, sharedArgs: ["projectId"] });
export interface GetVmArgs extends ArgsOf<typeof getVm> {}
/** The output form of `getVm`: it accepts Inputs and returns an Output. */
export const getVmOutput = outputForm(getVm);
export interface GetVmOutputArgs extends ArgsOf<typeof getVmOutput> {}
/** The volumes of a project, including boot volumes. */
export const getVolumes = all("getVolumes", {
  ...volumes,
  args: {
    /** True: only those that are attached to a VM. False: only the others. */
    attached: either,
    /** Only those that are attached to the VM with this id. */
    vmId: word,
    /** Only those of this kind: `boot` or `data`. */
    kind: word,

    /** Only those of this kind of storage: `nvme` or `abs`. */
    type: word,
  },
  sharedArgs: ["projectId", "name", "region", "status", "tags", "sort"],
});
export interface GetVolumesArgs extends ArgsOf<typeof getVolumes> {}
/** The output form of `getVolumes`: it accepts Inputs and returns an Output. */
export const getVolumesOutput = outputForm(getVolumes);
export interface GetVolumesOutputArgs extends ArgsOf<typeof getVolumesOutput> {}
/** One volume, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getVolume = byIdOrName("getVolume", { ...volumes, sharedArgs: ["projectId"] });
export interface GetVolumeArgs extends ArgsOf<typeof getVolume> {}
/** The output form of `getVolume`: it accepts Inputs and returns an Output. */
export const getVolumeOutput = outputForm(getVolume);
export interface GetVolumeOutputArgs extends ArgsOf<typeof getVolumeOutput> {}

const osImageShape = shape({
  /** Its name: what `osImageName` of a Vm takes. */
  name: text(),
  /** Its name for people. */
  displayName: text(),
  /** When it was made: ISO 8601, UTC. */
  createdAt: instant(),
});
export interface OsImageResult extends ResultOf<typeof osImageShape> {}
/** The images that a VM can be made of: `name` is what `osImageName` of a Vm takes. */
export const getOsImages = all("getOsImages", {
  path: "/v1/compute/vms/os_images",
  args: {
    /** Only those with this display name. */
    displayName: word,
  },
  sharedArgs: ["name", "sort"],
  result: shapeAs<OsImageResult>(osImageShape),
});
export interface GetOsImagesArgs extends ArgsOf<typeof getOsImages> {}
/** The output form of `getOsImages`: it accepts Inputs and returns an Output. */
export const getOsImagesOutput = outputForm(getOsImages);
export interface GetOsImagesOutputArgs extends ArgsOf<typeof getOsImagesOutput> {}
/** The instance types of the platform. */
export const getInstanceTypes = all("getInstanceTypes", {
  path: "/v1/instance_types",
  args: {
    /** Only those of this family. */
    family: word,
    /** Only those of this series. */
    series: word,
    /** Only those with this chipset. */
    chipset: word,
    /** Only those with at least this many virtual processors. */
    vcpuMin: int,
    /** Only those with at most this many virtual processors. */
    vcpuMax: int,
    /** Only those with at least this much memory, in GB. */
    memoryGbMin: int,
    /** Only those with at most this much memory, in GB. */
    memoryGbMax: int,
    /** Only those with at least this bandwidth, in Gbps. */
    networkBandwidthGbpsMin: number,
    /** Only those with at most this bandwidth, in Gbps. */
    networkBandwidthGbpsMax: number,
    /**
     * The order: `name:asc` or `name:desc`, or several of these with commas between them. The fields have the API's own
     * names: `memory_gb`.
     */
    sort: word,
  },
  sharedArgs: ["name", "region"],
  result: shapeAs<InstanceTypeResult>(instanceTypeShape),
});
export interface GetInstanceTypesArgs extends ArgsOf<typeof getInstanceTypes> {}
/** The output form of `getInstanceTypes`: it accepts Inputs and returns an Output. */
export const getInstanceTypesOutput = outputForm(getInstanceTypes);
export interface GetInstanceTypesOutputArgs extends ArgsOf<typeof getInstanceTypesOutput> {}
/** One instance type of a region. */
export const getInstanceType = one("getInstanceType", {
  path: "/v1/instance_types/{region}/{name}",
  args: {
    /** Its name, such as `n1-standard-2`. */
    name: text({ example: "n1-standard-2" }),
    /** The name of its region. Default: `cloudinfra:region`. */
    region: text({ configured: "region" }),
  },
  result: shapeAs<InstanceTypeResult>(instanceTypeShape),
  listedAt: "/v1/instance_types",
});
export interface GetInstanceTypeArgs extends ArgsOf<typeof getInstanceType> {}
/** The output form of `getInstanceType`: it accepts Inputs and returns an Output. */
export const getInstanceTypeOutput = outputForm(getInstanceType);
export interface GetInstanceTypeOutputArgs extends ArgsOf<typeof getInstanceTypeOutput> {}

const vmMetricsShape = shape({
  /** The id of the VM. */
  vmId: text(),
  /** The beginning, inclusive: ISO 8601, UTC. */
  startTime: instant(),
  /** The end, exclusive: ISO 8601, UTC. */
  endTime: instant(),
  /** The length of a period, such as `5m`. */
  period: text(),
  /** How the values of a period became one: `mean`, `max` or `min`. */
  aggregation: text(),
  /** Each metric. */
  metrics: list(
    object({
      /** Its name. */
      metric: text(),
      /** The unit of its values: `ratio`, `bytes`, `cores`, `bytes_per_second` or `operations_per_second`. */
      unit: text(),
      /** One value for each period, the oldest first. */
      points: list(
        object({
          /** The end of the period: ISO 8601, UTC. */
          timestamp: instant(),
          /** The value, in `unit`. Undefined if the VM reported nothing. */
          value: anyNumber({ optional: true }),
        }),
      ),
    }),
  ),
});
export interface VmMetricsResult extends ResultOf<typeof vmMetricsShape> {}
/** The load of a VM: all metrics of the last hour, unless the arguments say otherwise. */
export const getVmMetrics = one("getVmMetrics", {
  path: "/v1/compute/vms/{vmId}/metrics",
  args: {
    /** The id of the VM. */
    vmId: text(),
    /**
     * The beginning: ISO 8601, such as `2027-02-20T00:00:00Z`. Default: one hour before `endTime`. The API keeps 30
     * days.
     */
    startTime: word,
    /** The end: ISO 8601. Default: now. */
    endTime: word,
    /** How the values of a period become one: `mean`, `max` or `min`. */
    aggregation: word,
    /** The length of a period: `5m`, `15m`, `1h`, `6h` or `24h`. */
    period: word,
    /** The names of the metrics, such as `compute.nirvanalabs.io/vm/cpu/utilization`. Default: all. */
    metric: list(text(), { optional: true }),
  },
  result: shapeAs<VmMetricsResult>(vmMetricsShape),
});
export interface GetVmMetricsArgs extends ArgsOf<typeof getVmMetrics> {}
/** The output form of `getVmMetrics`: it accepts Inputs and returns an Output. */
export const getVmMetricsOutput = outputForm(getVmMetrics);
export interface GetVmMetricsOutputArgs extends ArgsOf<typeof getVmMetricsOutput> {}
