import type { Region } from "../schemas/organization";

const everything = {
  compute: { vms: true },
  networking: { connect: true, vpcs: true },
  nks: { autoscaling: true, clusters: true },
  storage: { abs: true, local_nvme: true },
};

/** The regions of the platform. The first is the one of `startSimulator`. */
export const regions: readonly [Region, ...Region[]] = [
  { name: "us-sva-2", availability: "live", ...everything },
  { name: "us-wdc-1", availability: "live", ...everything },
  {
    name: "us-chi-1",
    availability: "preview",
    ...everything,
    networking: { connect: false, vpcs: true },
    nks: { autoscaling: false, clusters: false },
  },
];

/** The regions that connect reaches, without the dialect's name for the platform's region. */
export const connectRoutes = [
  { region: "us-sva-2", provider: "aws", provider_region: "us-west-1" },
  { region: "us-sva-2", provider: "aws", provider_region: "us-west-2" },
  { region: "us-sva-2", provider: "aws", provider_region: "us-east-1" },
  { region: "us-wdc-1", provider: "aws", provider_region: "us-east-1" },
  { region: "us-wdc-1", provider: "aws", provider_region: "us-east-2" },
] as const;

/** The region of a name. */
export function findRegion(name: string): Region | undefined {
  return regions.find((region) => region.name === name);
}

/** Why a region cannot take a resource that needs a feature, as in `networking.connect`; undefined when it can. */
export function regionProblem(name: string, feature: string): string | undefined {
  const region = findRegion(name);
  if (!region) return `unknown region, must be one of ${regions.map((known) => known.name).join(", ")}`;
  const [group = "", member = ""] = feature.split(".");
  const features = region[group as keyof Region] as unknown as Readonly<Record<string, boolean>>;
  return features[member] === true ? undefined : `${member} is not offered in this region`;
}
