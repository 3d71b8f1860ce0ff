import { instant, integer, list, number as anyNumber, object, text } from "../../definition/field";
import { vm } from "../../resources/vm";
import { volume } from "../../resources/volume";
import { all, lookup, one, shape, shapeOf, sought, twin } from "../lookup";
import { either, name, number, projectId, sort, status, tags, word } from "./filters";

/** A list of VMs shows neither their volumes nor what they were made of. */
const vmShape = shapeOf(vm, ["osImageName", "sshKey", "bootVolume", "dataVolumes", "restartTrigger"]);
const volumeShape = shapeOf(volume, []);

/** The lookups of VMs, volumes, and the images and types that VMs are made of. */
export const compute = {
  getVms: lookup({
    about: "The VMs of a project.",
    path: "/v1/compute/vms",
    args: {
      ...{ projectId, name, publicIpEnabled: either, region: word, subnetId: word, vpcId: word, status, tags, sort },
    },
    result: vmShape,
    finds: "all",
  }),
  getVm: lookup({
    about: "One VM.",
    path: "/v1/compute/vms",
    args: { projectId },
    result: vmShape,
    finds: "sought",
    noun: "VM",
    nouns: "VMs",
  }),
  getVolumes: lookup({
    about: "The volumes of a project.",
    path: "/v1/compute/volumes",
    args: {
      ...{ projectId, name, attached: either, region: word, vmId: word, kind: word, status, tags, type: word, sort },
    },
    result: volumeShape,
    finds: "all",
  }),
  getVolume: lookup({
    about: "One volume.",
    path: "/v1/compute/volumes",
    args: { projectId },
    result: volumeShape,
    finds: "sought",
    noun: "volume",
    nouns: "volumes",
  }),
  getOsImages: lookup({
    about: "The images that a VM can be made of.",
    path: "/v1/compute/vms/os_images",
    args: { name, displayName: word, sort },
    result: shape({ name: text(), displayName: text(), createdAt: instant() }),
    finds: "all",
  }),
  getInstanceTypes: lookup({
    about: "The instance types of the platform.",
    path: "/v1/instance_types",
    args: {
      ...{ name, region: word, family: word, series: word, chipset: word, vcpuMin: number, vcpuMax: number },
      ...{ memoryGbMin: number, memoryGbMax: number, networkBandwidthGbpsMin: number, networkBandwidthGbpsMax: number },
      sort,
    },
    result: instanceType(),
    finds: "all",
  }),
  getInstanceType: lookup({
    about: "One instance type of a region.",
    path: "/v1/instance_types/{region}/{name}",
    args: { name: text({ example: "n1-standard-2" }), region: text({ configured: "region" }) },
    result: instanceType(),
    finds: "one",
    noun: "instance type",
    listedAt: "/v1/instance_types",
  }),
  getVmMetrics: lookup({
    about: "The load of a VM.",
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
    finds: "one",
  }),
};

function instanceType() {
  return shape({
    ...{ name: text(), family: text(), series: text(), chipset: text(), region: text() },
    ...{ vcpu: integer(), memoryGb: integer(), networkBandwidthGbps: anyNumber() },
    ...{ createdAt: instant(), updatedAt: instant() },
  });
}

/** The VMs of a project. */
export const getVms = all("getVms", compute.getVms);
/** The VMs of a project, as an output. */
export const getVmsOutput = twin(getVms);
/** One VM, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getVm = sought("getVm", compute.getVm);
/** One VM, as an output. */
export const getVmOutput = twin(getVm);
/** The volumes of a project, those that VMs start from among them. */
export const getVolumes = all("getVolumes", compute.getVolumes);
/** The volumes of a project, as an output. */
export const getVolumesOutput = twin(getVolumes);
/** One volume, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getVolume = sought("getVolume", compute.getVolume);
/** One volume, as an output. */
export const getVolumeOutput = twin(getVolume);
/** The images that a VM can be made of: `name` is what `osImageName` of a Vm takes. */
export const getOsImages = all("getOsImages", compute.getOsImages);
/** The images that a VM can be made of, as an output. */
export const getOsImagesOutput = twin(getOsImages);
/** The instance types of the platform. */
export const getInstanceTypes = all("getInstanceTypes", compute.getInstanceTypes);
/** The instance types of the platform, as an output. */
export const getInstanceTypesOutput = twin(getInstanceTypes);
/** One instance type of a region. */
export const getInstanceType = one("getInstanceType", compute.getInstanceType);
/** One instance type of a region, as an output. */
export const getInstanceTypeOutput = twin(getInstanceType);
/** The load of a VM: all metrics of the last hour, unless the arguments say otherwise. */
export const getVmMetrics = one("getVmMetrics", compute.getVmMetrics);
/** The load of a VM, as an output. */
export const getVmMetricsOutput = twin(getVmMetrics);
