import "./node-version";
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
export { Project, type ProjectArgs } from "./resources/project";
export { RpcNodeFlex, type RpcNodeFlexArgs } from "./resources/rpc-node-flex";
export { Vm, type VmArgs, type VmBootVolumeArgs, type VmSshKeyArgs } from "./resources/vm";
export { Volume, type VolumeArgs } from "./resources/volume";
export { Vpc, type VpcArgs } from "./resources/vpc";
export type { Cost, UsageDimension } from "./cost/cost";
export { getConnectRoutes, getConnectRoutesOutput, type ConnectRouteResult } from "./functions/get-connect-routes";
export { getProjects, getProjectsOutput, type ProjectResult } from "./functions/get-projects";
export { getQuota, getQuotaOutput, type QuotaDimensionResult, type QuotaResult } from "./functions/get-quota";
export { getRegions, getRegionsOutput, type RegionResult } from "./functions/get-regions";
export { getVpc, getVpcOutput, type GetVpcArgs, type GetVpcOutputArgs } from "./functions/get-vpc";
export { getVpcs, getVpcsOutput, type GetVpcsArgs, type GetVpcsOutputArgs } from "./functions/get-vpcs";
export type { VpcResult } from "./functions/vpc-result";
export {
  RotatingApiKey,
  type MovedInKeyArgs,
  type RotatingApiKeyArgs,
  type RotatingKey,
} from "./resources/rotating-api-key";
