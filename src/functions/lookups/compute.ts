import { instant, integer, list, number as anyNumber, object, text } from "../../definition/field";
import { times } from "../../definition/standard-fields";
import { vm, type VmDefinition } from "../../resources/vm";
import { volume, type VolumeDefinition } from "../../resources/volume";
import { all, objectsOf, one, shape, byIdOrName, outputForm } from "../lookup";
import { byName, byRegion, byStatus, byTags, either, int, number, ofProject, sorted, word } from "./filters";

/** Lists of VMs do not show these fields. */
const vms = objectsOf(vm as VmDefinition, ofProject, [
  "osImageName",
  "sshKey",
  "bootVolume",
  "dataVolumes",
  "restartTrigger",
]);
const volumes = objectsOf(volume as VolumeDefinition, ofProject, []);

function instanceType() {
  return shape({
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
}

/** The VMs of a project. */
export const getVms = all(
  "getVms",
  vms({
    ...byName,
    /** True: only those with an address on the internet. False: only the others. */
    publicIpEnabled: either,
    ...byRegion,
    /** Only those in the subnet with this id. */
    subnetId: word,
    /** Only those in the VPC with this id. */
    vpcId: word,
    ...{ ...byStatus, ...byTags, ...sorted },
  }),
);
/** The output form of `getVms`: it accepts Inputs and returns an Output. */
export const getVmsOutput = outputForm(getVms);
/** One VM, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getVm = byIdOrName("getVm", vms({}));
/** The output form of `getVm`: it accepts Inputs and returns an Output. */
export const getVmOutput = outputForm(getVm);
/** The volumes of a project, including boot volumes. */
export const getVolumes = all(
  "getVolumes",
  volumes({
    ...byName,
    /** True: only those that are attached to a VM. False: only the others. */
    attached: either,
    ...byRegion,
    /** Only those that are attached to the VM with this id. */
    vmId: word,
    /** Only those of this kind: `boot` or `data`. */
    kind: word,
    ...{ ...byStatus, ...byTags },
    /** Only those of this kind of storage: `nvme` or `abs`. */
    type: word,
    ...sorted,
  }),
);
/** The output form of `getVolumes`: it accepts Inputs and returns an Output. */
export const getVolumesOutput = outputForm(getVolumes);
/** One volume, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getVolume = byIdOrName("getVolume", volumes({}));
/** The output form of `getVolume`: it accepts Inputs and returns an Output. */
export const getVolumeOutput = outputForm(getVolume);
/** The images that a VM can be made of: `name` is what `osImageName` of a Vm takes. */
export const getOsImages = all("getOsImages", {
  path: "/v1/compute/vms/os_images",
  args: {
    ...byName,
    /** Only those with this display name. */
    displayName: word,
    ...sorted,
  },
  result: shape({
    /** Its name: what `osImageName` of a Vm takes. */
    name: text(),
    /** Its name for people. */
    displayName: text(),
    /** When it was made: ISO 8601, UTC. */
    createdAt: instant(),
  }),
});
/** The output form of `getOsImages`: it accepts Inputs and returns an Output. */
export const getOsImagesOutput = outputForm(getOsImages);
/** The instance types of the platform. */
export const getInstanceTypes = all("getInstanceTypes", {
  path: "/v1/instance_types",
  args: {
    ...{ ...byName, ...byRegion },
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
  result: instanceType(),
});
/** The output form of `getInstanceTypes`: it accepts Inputs and returns an Output. */
export const getInstanceTypesOutput = outputForm(getInstanceTypes);
/** One instance type of a region. */
export const getInstanceType = one("getInstanceType", {
  path: "/v1/instance_types/{region}/{name}",
  args: {
    /** Its name, such as `n1-standard-2`. */
    name: text({ example: "n1-standard-2" }),
    /** The name of its region. Default: `cloudinfra:region`. */
    region: text({ configured: "region" }),
  },
  result: instanceType(),
  listedAt: "/v1/instance_types",
});
/** The output form of `getInstanceType`: it accepts Inputs and returns an Output. */
export const getInstanceTypeOutput = outputForm(getInstanceType);
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
  result: shape({
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
  }),
});
/** The output form of `getVmMetrics`: it accepts Inputs and returns an Output. */
export const getVmMetricsOutput = outputForm(getVmMetrics);
