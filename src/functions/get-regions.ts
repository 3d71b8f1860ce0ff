import type * as pulumi from "@pulumi/pulumi";
import type { Region as Wire } from "../api/lookup-schemas";
import { callApi, collect, outputOf } from "./call";

/** A region and what it offers (specification, section 4: GET /v1/regions). */
export interface RegionResult {
  /** Use it as a `region` argument, such as `us-sva-2`. */
  readonly name: string;
  /** `live`, `preview`, `maintenance` or `sunset`. */
  readonly availability: "live" | "preview" | "maintenance" | "sunset" | (string & {});
  /** Whether the region offers virtual machines. */
  readonly compute: { readonly vms: boolean };
  /** Whether the region offers connect connections and VPCs. */
  readonly networking: { readonly connect: boolean; readonly vpcs: boolean };
  /** Whether the region offers managed Kubernetes clusters, and their automatic scaling. */
  readonly nks: { readonly autoscaling: boolean; readonly clusters: boolean };
  /** The kinds of volumes that the region offers. */
  readonly storage: { readonly abs: boolean; readonly localNvme: boolean };
}

/** The regions of the service. Any valid API key may ask. Rejects if the API cannot be asked. */
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
