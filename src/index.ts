import "./process/node-version";
export { ApiKey, type ApiKeyArgs, type SourceIpRuleArgs } from "./resources/api-key";
export type {
  ApiKeyPermission,
  ApiKeyPermissionArgs,
  ApiKeyPermissionLevel,
  ApiKeyResourceType,
} from "./resources/api-key-permission";
export {
  ConnectConnection,
  type ConnectBandwidthMbps,
  type ConnectConnectionArgs,
  type ExternalProviderArgs,
} from "./resources/connect-connection";
export { CostSummary, type CostBudgetArgs, type CostSummaryArgs, type CountedCost } from "./resources/cost-summary";
export { FirewallRule, type FirewallRuleArgs } from "./resources/firewall-rule";
export { NksCluster, type NksClusterArgs } from "./resources/nks-cluster";
export { NksLoadBalancer, type NksLoadBalancerArgs } from "./resources/nks-load-balancer";
export { NksNodePool, type NksNodeConfigArgs, type NksNodePoolArgs } from "./resources/nks-node-pool";
export { Project, type ProjectArgs } from "./resources/project";
export { RpcNodeFlex, type RpcNodeFlexArgs } from "./resources/rpc-node-flex";
export { Vm, type VmArgs, type VmBootVolumeArgs, type VmSshKeyArgs } from "./resources/vm";
export { Volume, type VolumeArgs } from "./resources/volume";
export { Vpc, type VpcArgs } from "./resources/vpc";
export type { Cost, UsageDimension } from "./cost/cost";
export * from "./functions/lookups/functions";
export type {
  VmResult,
  VolumeResult,
  InstanceTypeResult,
  VpcResult,
  FirewallRuleResult,
  ConnectConnectionResult,
  ConnectRouteResult,
  NksClusterResult,
  NksNodePoolResult,
  ApiKeyResult,
  ProjectResult,
  RegionResult,
  QuotaResult,
  QuotaDimensionResult,
  GetVpcArgs,
  GetVpcOutputArgs,
  GetVpcsArgs,
  GetVpcsOutputArgs,
} from "./functions/result-types";
export {
  RotatingApiKey,
  type MovedInKeyArgs,
  type RotatingApiKeyArgs,
  type RotatingKey,
} from "./resources/rotating-api-key";
