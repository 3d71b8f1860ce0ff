import type * as pulumi from "@pulumi/pulumi";
import type { Lookup } from "./lookup";
import type { compute } from "./lookups/compute";
import type { networking } from "./lookups/networking";
import type { nks } from "./lookups/nks";
import type { organization } from "./lookups/organization";
import type { places } from "./lookups/places";

/** The answer of a lookup for one object. */
type ResultOf<L> =
  L extends Lookup<never, infer Result> ? Result : L extends { result: { typed?: infer R } } ? R : never;

/** A VM. */
export type VmResult = ResultOf<typeof compute.getVm>;
/** A volume. */
export type VolumeResult = ResultOf<typeof compute.getVolume>;
/** An instance type. */
export type InstanceTypeResult = ResultOf<typeof compute.getInstanceType>;
/** A VPC and its one subnet. */
export type VpcResult = ResultOf<typeof networking.getVpc>;
/** A firewall rule. */
export type FirewallRuleResult = ResultOf<typeof networking.getFirewallRules>;
/** A connect connection. */
export type ConnectConnectionResult = ResultOf<typeof networking.getConnectConnections>;
/** A pair of regions that a connection can link: an external provider's, and the platform's. */
export type ConnectRouteResult = ResultOf<typeof networking.getConnectRoutes>;
/** An NKS cluster. */
export type NksClusterResult = ResultOf<typeof nks.getNksCluster>;
/** A node pool of an NKS cluster. */
export type NksNodePoolResult = ResultOf<typeof nks.getNksNodePool>;
/** An API key, without its secret. */
export type ApiKeyResult = ResultOf<typeof organization.getApiKey>;
/** A project, with counts of what it holds. */
export type ProjectResult = ResultOf<typeof organization.getProject>;
/** A region and what it offers. */
export type RegionResult = ResultOf<typeof places.getRegion>;
/** The usage and the limits of the organization in one region. */
export type QuotaResult = ResultOf<typeof places.getQuota>;
/** One limited quantity. */
export type QuotaDimensionResult = QuotaResult["compute"]["vcpu"];

/** Arguments of getVpc: an id, or a name and the project it is looked for in. */
export interface GetVpcArgs {
  readonly id?: string | undefined;
  /** The whole name, in the case it is written in. */
  readonly name?: string | undefined;
  /** With `name`. Default: `cloudinfra:projectId`. */
  readonly projectId?: string | undefined;
}

/** Arguments of getVpcOutput. */
export type GetVpcOutputArgs = { readonly [Name in keyof GetVpcArgs]: pulumi.Input<GetVpcArgs[Name]> };

/** Arguments of getVpcs, beside the filters. */
export interface GetVpcsArgs {
  /** Default: `cloudinfra:projectId`. */
  readonly projectId?: string | undefined;
}

/** Arguments of getVpcsOutput, beside the filters. */
export type GetVpcsOutputArgs = { readonly [Name in keyof GetVpcsArgs]: pulumi.Input<GetVpcsArgs[Name]> };
