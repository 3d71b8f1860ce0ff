import type * as pulumi from "@pulumi/pulumi";
import type { Region as Wire } from "../api/lookup-schemas";
import { callApi, collect, outputOf } from "./call";

/** A region and what it offers (specification, section 4: GET /v1/regions). */
export interface RegionResult {
  /** What `region` arguments take, such as `us-sva-2`. */
  readonly name: string;
  /** `live`, `preview`, `maintenance` or `sunset`. */
  readonly availability: "live" | "preview" | "maintenance" | "sunset" | (string & {});
  /** Whether virtual machines can be had. */
  readonly compute: { readonly vms: boolean };
  /** Whether connect connections and VPCs can be had. */
  readonly networking: { readonly connect: boolean; readonly vpcs: boolean };
  /** Whether managed Kubernetes clusters can be had, and whether they scale by themselves. */
  readonly nks: { readonly autoscaling: boolean; readonly clusters: boolean };
  /** Which kinds of volumes can be had. */
  readonly storage: { readonly abs: boolean; readonly localNvme: boolean };
}

/** The regions of the service. Any valid API key may ask. Rejects where the API cannot be asked. */
export function getRegions(options?: pulumi.InvokeOptions): Promise<RegionResult[]> {
  return callApi({
    what: "getRegions",
    options,
    isList: true,
    task: ({ api, call }) => collect(api.regions.list(call), fromWire),
  });
}

/** The regions of the service, as an output. */
export function getRegionsOutput(options?: pulumi.InvokeOutputOptions): pulumi.Output<RegionResult[]> {
  return outputOf({}, options, (_args, others) => getRegions(others));
}

function fromWire({ name, availability, compute, networking, nks, storage }: Wire): RegionResult {
  return {
    name,
    availability,
    compute: { vms: compute.vms },
    networking: { connect: networking.connect, vpcs: networking.vpcs },
    nks: { autoscaling: nks.autoscaling, clusters: nks.clusters },
    storage: { abs: storage.abs, localNvme: storage.local_nvme },
  };
}
