// The class of each kind, and the types of its arguments. Add a new kind here: its definition is found by its class.
export { ApiKey, type ApiKeyArgs, type SourceIpRuleArgs } from "./api-key";
export {
  ConnectConnection,
  type ConnectBandwidthMbps,
  type ConnectConnectionArgs,
  type ExternalProviderArgs,
} from "./connect-connection";
export { FirewallRule, type FirewallRuleArgs } from "./firewall-rule";
export { NksCluster, type NksClusterArgs } from "./nks-cluster";
export { NksLoadBalancer, type NksLoadBalancerArgs } from "./nks-load-balancer";
export { NksNodePool, type NksNodeConfigArgs, type NksNodePoolArgs } from "./nks-node-pool";
export { Project, type ProjectArgs } from "./project";
export { RpcNodeFlex, type RpcNodeFlexArgs } from "./rpc-node-flex";
export { Vm, type VmArgs, type VmBootVolumeArgs, type VmDataVolumeArgs, type VmSshKeyArgs } from "./vm";
export { Volume, type VolumeArgs } from "./volume";
export { Vpc, type VpcArgs } from "./vpc";
