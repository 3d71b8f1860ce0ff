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
export { FirewallRule, type FirewallRuleArgs } from "./resources/firewall-rule";
export type { Cost, UsageDimension } from "./cost/cost";
