import "../../node-version";
import type * as entry from "../../index";
import { resourceClass } from "../../program/resource";
import { CostSummary as DynamicCostSummary } from "../../resources/cost-summary";
import { definitions } from "../../resources/definitions";
import { RotatingApiKey as DynamicRotatingApiKey } from "../../resources/rotating-api-key";
import { RotationSchedule as DynamicRotationSchedule } from "../../resources/rotation-schedule";
import { functions } from "./functions";
import { registerNative } from "./register";

export { Provider } from "./provider";

// What `import … from "pulumi-cloudinfra/native"` loads. Its types are in types.ts.

const classes = Object.fromEntries(
  definitions.map((definition) => [definition.type, resourceClass(definition, registerNative)]),
) as unknown as Pick<typeof entry, "ApiKey">;

const schedule = class RotationSchedule extends DynamicRotationSchedule {
  protected static override readonly register = registerNative;
};

const all = {
  ...classes,
  ...functions,
  CostSummary: class CostSummary extends DynamicCostSummary {
    protected static override readonly register = registerNative;
  },
  RotatingApiKey: class RotatingApiKey extends DynamicRotatingApiKey {
    protected static override readonly parts = { ApiKey: classes.ApiKey, RotationSchedule: schedule };
  },
} as unknown as typeof entry;

// By name, because only so a program that is an ES module can import them by name. A test holds the list equal to that of index.ts.
export const {
  ApiKey,
  ConnectConnection,
  CostSummary,
  FirewallRule,
  NksCluster,
  NksLoadBalancer,
  NksNodePool,
  Project,
  RpcNodeFlex,
  Vm,
  Volume,
  Vpc,
  getBillingSummary,
  getBillingSummaryOutput,
  getBillingHistory,
  getBillingHistoryOutput,
  getDailyCost,
  getDailyCostOutput,
  getUsageStatement,
  getUsageStatementOutput,
  getUsage,
  getUsageOutput,
  getVms,
  getVmsOutput,
  getVm,
  getVmOutput,
  getVolumes,
  getVolumesOutput,
  getVolume,
  getVolumeOutput,
  getOsImages,
  getOsImagesOutput,
  getInstanceTypes,
  getInstanceTypesOutput,
  getInstanceType,
  getInstanceTypeOutput,
  getVmMetrics,
  getVmMetricsOutput,
  getVpcs,
  getVpcsOutput,
  getVpc,
  getVpcOutput,
  getFirewallRules,
  getFirewallRulesOutput,
  getConnectConnections,
  getConnectConnectionsOutput,
  getConnectConnection,
  getConnectConnectionOutput,
  getConnectRoutes,
  getConnectRoutesOutput,
  getKubernetesVersions,
  getKubernetesVersionsOutput,
  getNksClusters,
  getNksClustersOutput,
  getNksCluster,
  getNksClusterOutput,
  getNksKubeconfig,
  getNksKubeconfigOutput,
  getNksNodePools,
  getNksNodePoolsOutput,
  getNksNodePool,
  getNksNodePoolOutput,
  getNksNodes,
  getNksNodesOutput,
  getNksLoadBalancers,
  getNksLoadBalancersOutput,
  getNksPersistentVolumeClaims,
  getNksPersistentVolumeClaimsOutput,
  getApiKeys,
  getApiKeysOutput,
  getApiKey,
  getApiKeyOutput,
  getProjects,
  getProjectsOutput,
  getProject,
  getProjectOutput,
  getOrganizations,
  getOrganizationsOutput,
  getOrganization,
  getOrganizationOutput,
  getUser,
  getUserOutput,
  getAuditLogs,
  getAuditLogsOutput,
  getOperations,
  getOperationsOutput,
  getRegions,
  getRegionsOutput,
  getRegion,
  getRegionOutput,
  getQuota,
  getQuotaOutput,
  getQuotas,
  getQuotasOutput,
  getRpcNodesFlex,
  getRpcNodesFlexOutput,
  getRpcNodesDedicated,
  getRpcNodesDedicatedOutput,
  getRpcBlockchains,
  getRpcBlockchainsOutput,
  RotatingApiKey,
} = all;
