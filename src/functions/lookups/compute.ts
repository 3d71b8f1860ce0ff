import { instant, integer, list, number as anyNumber, object, text } from "../../definition/field";
import { vm } from "../../resources/vm";
import { volume } from "../../resources/volume";
import { all, objectsOf, one, shape, byIdOrName, outputForm } from "../lookup";
import { either, name, int, number, projectId, sort, status, tags, word } from "./filters";

/** Lists of VMs do not show these fields. */
const vms = objectsOf(vm, { projectId }, ["osImageName", "sshKey", "bootVolume", "dataVolumes", "restartTrigger"]);
const volumes = objectsOf(volume, { projectId }, []);

function instanceType() {
  return shape({
    ...{ name: text(), family: text(), series: text(), chipset: text(), region: text() },
    ...{ vcpu: integer(), memoryGb: integer(), networkBandwidthGbps: anyNumber() },
    ...{ createdAt: instant(), updatedAt: instant() },
  });
}

/** The VMs of a project. */
export const getVms = all(
  "getVms",
  vms({
    ...{ name, publicIpEnabled: either, region: word, subnetId: word, vpcId: word, status, tags, sort },
  }),
);
/** The output form of `getVms`: it accepts Inputs and returns an Output. */
export const getVmsOutput = outputForm(getVms);
/** One VM, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getVm = byIdOrName("getVm", vms({}));
/** The output form of `getVm`: it accepts Inputs and returns an Output. */
export const getVmOutput = outputForm(getVm);
/** The volumes of a project, including boot volumes. */
export const getVolumes = all(
  "getVolumes",
  volumes({
    ...{ name, attached: either, region: word, vmId: word, kind: word, status, tags, type: word, sort },
  }),
);
/** The output form of `getVolumes`: it accepts Inputs and returns an Output. */
export const getVolumesOutput = outputForm(getVolumes);
/** One volume, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getVolume = byIdOrName("getVolume", volumes({}));
/** The output form of `getVolume`: it accepts Inputs and returns an Output. */
export const getVolumeOutput = outputForm(getVolume);
/** The images that a VM can be made of: `name` is what `osImageName` of a Vm takes. */
export const getOsImages = all("getOsImages", {
  path: "/v1/compute/vms/os_images",
  args: { name, displayName: word, sort },
  result: shape({ name: text(), displayName: text(), createdAt: instant() }),
});
/** The output form of `getOsImages`: it accepts Inputs and returns an Output. */
export const getOsImagesOutput = outputForm(getOsImages);
/** The instance types of the platform. */
export const getInstanceTypes = all("getInstanceTypes", {
  path: "/v1/instance_types",
  args: {
    ...{ name, region: word, family: word, series: word, chipset: word, vcpuMin: int, vcpuMax: int },
    ...{ memoryGbMin: int, memoryGbMax: int, networkBandwidthGbpsMin: number, networkBandwidthGbpsMax: number },
    sort,
  },
  result: instanceType(),
});
/** The output form of `getInstanceTypes`: it accepts Inputs and returns an Output. */
export const getInstanceTypesOutput = outputForm(getInstanceTypes);
/** One instance type of a region. */
export const getInstanceType = one("getInstanceType", {
  path: "/v1/instance_types/{region}/{name}",
  args: { name: text({ example: "n1-standard-2" }), region: text({ configured: "region" }) },
  result: instanceType(),
  listedAt: "/v1/instance_types",
});
/** The output form of `getInstanceType`: it accepts Inputs and returns an Output. */
export const getInstanceTypeOutput = outputForm(getInstanceType);
/** The load of a VM: all metrics of the last hour, unless the arguments say otherwise. */
export const getVmMetrics = one("getVmMetrics", {
  path: "/v1/compute/vms/{vmId}/metrics",
  args: {
    vmId: text(),
    ...{ startTime: word, endTime: word, aggregation: word, period: word, metric: list(text(), { optional: true }) },
  },
  result: shape({
    ...{ vmId: text(), startTime: instant(), endTime: instant(), period: text(), aggregation: text() },
    metrics: list(
      object({
        ...{ metric: text(), unit: text() },
        points: list(object({ timestamp: instant(), value: anyNumber({ optional: true }) })),
      }),
    ),
  }),
});
/** The output form of `getVmMetrics`: it accepts Inputs and returns an Output. */
export const getVmMetricsOutput = outputForm(getVmMetrics);
