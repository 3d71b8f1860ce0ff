import type * as pulumi from "@pulumi/pulumi";
import type { Quota as Wire, QuotaDimension } from "../api/lookup-schemas";
import { callApi, outputOf } from "./call";

/** A limited quantity (specification, section 2.11, QuotaDimensionDetail). */
export interface QuotaDimensionResult {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

/** The organization's usage and limits in one region (specification, section 2.11). */
export interface QuotaResult {
  readonly region: string;
  readonly compute: { readonly memoryGb: QuotaDimensionResult; readonly vcpu: QuotaDimensionResult };
  readonly networking: {
    /** Present if the service counts them. */
    readonly connectConnections?: QuotaDimensionResult;
    readonly publicIps: QuotaDimensionResult;
    readonly vpcs: QuotaDimensionResult;
  };
  readonly nks: {
    readonly clusters: QuotaDimensionResult;
    readonly nodePoolMemoryGb: QuotaDimensionResult;
    readonly nodePoolVcpu: QuotaDimensionResult;
    readonly publicIps: QuotaDimensionResult;
  };
  readonly storage: { readonly abs: QuotaDimensionResult; readonly localNvme: QuotaDimensionResult };
}

/**
 * Quota usage and limits of the organization in one region, by default that of `cloudinfra:region`. Rejects if no region is
 * given or configured, or if there is no region of this name.
 */
export function getQuota(region?: string, options?: pulumi.InvokeOptions): Promise<QuotaResult> {
  return callApi({
    what: "getQuota",
    args: { region },
    options,
    task: async ({ api, configured, call }) => {
      const name = region ?? configured("region");
      return fromWire(await api.quotas.get(name, { ...call, what: `getQuota "${name}"` }));
    },
  });
}

/** Quota usage and limits of the organization in one region, as an output. */
export function getQuotaOutput(
  region?: pulumi.Input<string | undefined>,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<QuotaResult> {
  return outputOf({ region }, options, (args, others) => getQuota(args.region, others));
}

function fromWire({ region, compute, networking, nks, storage }: Wire): QuotaResult {
  const connections = networking.connect_connections;
  return {
    region,
    compute: { memoryGb: dimension(compute.memory_gb), vcpu: dimension(compute.vcpu) },
    networking: {
      ...(connections === undefined ? {} : { connectConnections: dimension(connections) }),
      publicIps: dimension(networking.public_ips),
      vpcs: dimension(networking.vpcs),
    },
    nks: {
      clusters: dimension(nks.clusters),
      nodePoolMemoryGb: dimension(nks.node_pool_memory_gb),
      nodePoolVcpu: dimension(nks.node_pool_vcpu),
      publicIps: dimension(nks.public_ips),
    },
    storage: { abs: dimension(storage.abs), localNvme: dimension(storage.local_nvme) },
  };
}

function dimension({ limit, used, remaining }: QuotaDimension): QuotaDimensionResult {
  return { limit, used, remaining };
}
