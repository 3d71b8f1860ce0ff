import type { OutputFormArgs } from "./lookup";
import type * as lookups from "./lookups";

/** The answer of a lookup for one object, or one item of its list. */
type ResultOf<Ask extends (...args: never[]) => Promise<unknown>> =
  Awaited<ReturnType<Ask>> extends readonly (infer Item)[] ? Item : Awaited<ReturnType<Ask>>;

/** A VM, without the fields that lists of VMs do not show. */
export type VmResult = ResultOf<typeof lookups.getVm>;
/** A volume: of a VM, or for itself. */
export type VolumeResult = ResultOf<typeof lookups.getVolume>;
/** An instance type of a region: processors, memory and network. */
export type InstanceTypeResult = ResultOf<typeof lookups.getInstanceType>;
/** A VPC and its one subnet. */
export type VpcResult = ResultOf<typeof lookups.getVpc>;
/** A firewall rule of a VPC. */
export type FirewallRuleResult = ResultOf<typeof lookups.getFirewallRules>;
/** A connection to an external cloud provider. */
export type ConnectConnectionResult = ResultOf<typeof lookups.getConnectConnections>;
/** A pair of regions that a connection can link: an external provider's, and the platform's. */
export type ConnectRouteResult = ResultOf<typeof lookups.getConnectRoutes>;
/** An NKS cluster (managed Kubernetes), without its kubeconfig. */
export type NksClusterResult = ResultOf<typeof lookups.getNksCluster>;
/** A node pool of an NKS cluster. */
export type NksNodePoolResult = ResultOf<typeof lookups.getNksNodePool>;
/** An API key, without its secret. */
export type ApiKeyResult = ResultOf<typeof lookups.getApiKey>;
/** A project, with counts of what it holds. */
export type ProjectResult = ResultOf<typeof lookups.getProject>;
/** A region and what it offers. */
export type RegionResult = ResultOf<typeof lookups.getRegion>;
/** The usage and the limits of the organization in one region. */
export type QuotaResult = ResultOf<typeof lookups.getQuota>;
/** One limited quantity. */
export type QuotaDimensionResult = QuotaResult["compute"]["vcpu"];

/** Arguments of getVpc: an id, or a name and the project to search. */
export type GetVpcArgs = Parameters<typeof lookups.getVpc>[0];
export type GetVpcOutputArgs = OutputFormArgs<GetVpcArgs>;
/** Arguments of getVpcs, besides the filters. */
export type GetVpcsArgs = Pick<NonNullable<Parameters<typeof lookups.getVpcs>[0]>, "projectId">;
/** Arguments of getVpcsOutput, besides the filters. */
export type GetVpcsOutputArgs = OutputFormArgs<GetVpcsArgs>;
