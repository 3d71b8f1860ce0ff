import { flag, object, openOneOf, text } from "../../definition/field";
import { quotaFields, type QuotaValues } from "../../definition/quota-fields";
import { all, one, outputForm, shape, shapeAs, type ArgsOf, type ResultOf, type Shape } from "../lookup";

const regionShape = shape({
  /** Its name, such as `us-sva-2`. */
  name: text(),
  /** Whether it can be used. */
  availability: openOneOf(["live", "preview", "maintenance", "sunset"]),
  /** Whether it offers compute. */
  compute: object({
    /** True if it offers VMs. */
    vms: flag(),
  }),
  /** Whether it offers networks. */
  networking: object({
    /** True if it offers connect connections. */
    connect: flag(),
    /** True if it offers VPCs. */
    vpcs: flag(),
  }),
  /** Whether it offers managed Kubernetes. */
  nks: object({
    /** True if the pools of clusters can grow and shrink automatically. */
    autoscaling: flag(),
    /** True if it offers NKS clusters. */
    clusters: flag(),
  }),
  /** The kinds of storage that it offers. */
  storage: object({
    /** True if it offers storage of the type `abs`. */
    abs: flag(),
    /** True if it offers local NVMe storage (`nvme`). */
    localNvme: flag(),
  }),
});

/** A region and what it offers. */
export interface RegionResult extends ResultOf<typeof regionShape> {}

const quotaShape: Shape<QuotaValues> = { fields: quotaFields };
/** The usage and the limits of the organization in one region. */
export interface QuotaResult extends ResultOf<typeof quotaShape> {}
/** One limited quantity. */
export type QuotaDimensionResult = QuotaResult["compute"]["vcpu"];

/** The regions of the API. Any valid API key may ask. */
export const getRegions = all("getRegions", {
  path: "/v1/regions",
  result: shapeAs<RegionResult>(regionShape),
});
/** The output form of `getRegions`: it accepts Inputs and returns an Output. */
export const getRegionsOutput = outputForm(getRegions);
/** One region: without a name, that of `cloudinfra:region`. */
export const getRegion = one("getRegion", {
  path: "/v1/regions/{name}",
  args: {
    /** Its name, such as `us-sva-2`. Default: `cloudinfra:region`. */
    name: text({ configured: "region" }),
  },
  result: shapeAs<RegionResult>(regionShape),
  listedAt: "/v1/regions",
});
export interface GetRegionArgs extends ArgsOf<typeof getRegion> {}
/** The output form of `getRegion`: it accepts Inputs and returns an Output. */
export const getRegionOutput = outputForm(getRegion);
export interface GetRegionOutputArgs extends ArgsOf<typeof getRegionOutput> {}

/** Quota usage and limits of the organization in a region. Default: the region of `cloudinfra:region`. */
export const getQuota = one("getQuota", {
  path: "/v1/quotas/{region}",
  args: {
    /** The name of the region. Default: `cloudinfra:region`. */
    region: text({ configured: "region" }),
  },
  result: shapeAs<QuotaResult>(quotaShape),
  listedAt: "/v1/quotas",
});
export interface GetQuotaArgs extends ArgsOf<typeof getQuota> {}
/** The output form of `getQuota`: it accepts Inputs and returns an Output. */
export const getQuotaOutput = outputForm(getQuota);
export interface GetQuotaOutputArgs extends ArgsOf<typeof getQuotaOutput> {}

/** Quota usage and limits of the organization in every region. */
export const getQuotas = all("getQuotas", {
  path: "/v1/quotas",
  result: shapeAs<QuotaResult>(quotaShape),
});
/** The output form of `getQuotas`: it accepts Inputs and returns an Output. */
export const getQuotasOutput = outputForm(getQuotas);
