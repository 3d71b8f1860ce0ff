import { text } from "../../definition/field";
import { connectConnection, type ConnectConnectionDefinition } from "../../resources/connect-connection";
import { firewallRule, type FirewallRuleDefinition } from "../../resources/firewall-rule";
import { vpc, type VpcDefinition } from "../../resources/vpc";
import { all, byIdOrName, objectsOf, outputForm, shape, shapeAs, shapeOf, type ArgsOf, type ResultOf } from "../lookup";
import { int, word } from "./filters";

/** Lookups have `subnet.name` instead of `subnetName`. */
const vpcShape = shapeOf(vpc as VpcDefinition, ["subnetName"]);
/** A VPC and its one subnet. */
export interface VpcResult extends ResultOf<typeof vpcShape> {}
const vpcs = objectsOf<VpcResult>(vpc, vpcShape);

const connectConnectionShape = shapeOf(connectConnection as ConnectConnectionDefinition, []);
/** A connection to an external cloud provider. */
export interface ConnectConnectionResult extends ResultOf<typeof connectConnectionShape> {}
const connections = objectsOf<ConnectConnectionResult>(connectConnection, connectConnectionShape);

const ofVpc = {
  /** The id of the VPC. */
  vpcId: text(),
};

const firewallRuleShape = shapeOf(firewallRule as FirewallRuleDefinition, []);
/** A firewall rule of a VPC. */
export interface FirewallRuleResult extends ResultOf<typeof firewallRuleShape> {}
const rules = objectsOf<FirewallRuleResult>(firewallRule, firewallRuleShape);

const byRoute = {
  /** Only those to this external provider, such as `aws`. */
  provider: word,
  /** Only those to this region of the external provider, such as `us-west-2`. */
  providerRegion: word,
};

/** The VPCs of a project. */
export const getVpcs = all("getVpcs", {
  ...vpcs,
  sharedArgs: ["projectId", "name", "region", "status", "tags", "sort"],
});
export interface GetVpcsArgs extends ArgsOf<typeof getVpcs> {}
/** The output form of `getVpcs`: it accepts Inputs and returns an Output. */
export const getVpcsOutput = outputForm(getVpcs);
export interface GetVpcsOutputArgs extends ArgsOf<typeof getVpcsOutput> {}
/** One VPC, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getVpc = byIdOrName("getVpc", { ...vpcs, sharedArgs: ["projectId"] });
export interface GetVpcArgs extends ArgsOf<typeof getVpc> {}
/** The output form of `getVpc`: it accepts Inputs and returns an Output. */
export const getVpcOutput = outputForm(getVpc);
export interface GetVpcOutputArgs extends ArgsOf<typeof getVpcOutput> {}
/** The firewall rules of a VPC. */
export const getFirewallRules = all("getFirewallRules", {
  ...rules,
  args: {
    ...ofVpc,
    /** Only those for this protocol: `tcp` or `udp`. */
    protocol: word,
  },
  sharedArgs: ["name", "status", "tags", "sort"],
});
export interface GetFirewallRulesArgs extends ArgsOf<typeof getFirewallRules> {}
/** The output form of `getFirewallRules`: it accepts Inputs and returns an Output. */
export const getFirewallRulesOutput = outputForm(getFirewallRules);
export interface GetFirewallRulesOutputArgs extends ArgsOf<typeof getFirewallRulesOutput> {}
/** One firewall rule of a VPC, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getFirewallRule = byIdOrName("getFirewallRule", { ...rules, args: ofVpc });
export interface GetFirewallRuleArgs extends ArgsOf<typeof getFirewallRule> {}
/** The output form of `getFirewallRule`: it accepts Inputs and returns an Output. */
export const getFirewallRuleOutput = outputForm(getFirewallRule);
export interface GetFirewallRuleOutputArgs extends ArgsOf<typeof getFirewallRuleOutput> {}
/** The connect connections of a project. */
export const getConnectConnections = all("getConnectConnections", {
  ...connections,
  args: {
    ...byRoute,
    /** Only those with this bandwidth, in Mbps. */
    bandwidthMbps: int,
  },
  sharedArgs: ["projectId", "name", "region", "status", "tags", "sort"],
});
export interface GetConnectConnectionsArgs extends ArgsOf<typeof getConnectConnections> {}
/** The output form of `getConnectConnections`: it accepts Inputs and returns an Output. */
export const getConnectConnectionsOutput = outputForm(getConnectConnections);
export interface GetConnectConnectionsOutputArgs extends ArgsOf<typeof getConnectConnectionsOutput> {}
/** One connect connection, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getConnectConnection = byIdOrName("getConnectConnection", { ...connections, sharedArgs: ["projectId"] });
export interface GetConnectConnectionArgs extends ArgsOf<typeof getConnectConnection> {}
/** The output form of `getConnectConnection`: it accepts Inputs and returns an Output. */
export const getConnectConnectionOutput = outputForm(getConnectConnection);
export interface GetConnectConnectionOutputArgs extends ArgsOf<typeof getConnectConnectionOutput> {}

const connectRouteShape = shape({
  /** The name of the platform's region. */
  platformRegion: text(),
  /** The external provider. */
  provider: text(),
  /** The external provider's own name of its region: what `externalProvider.region` of a ConnectConnection takes. */
  providerRegion: text(),
});
/** A pair of regions that a connection can link: an external provider's, and the platform's. */
export interface ConnectRouteResult extends ResultOf<typeof connectRouteShape> {}
/** The routes that a ConnectConnection can take. */
export const getConnectRoutes = all("getConnectRoutes", {
  path: "/v1/networking/connect/routes",
  args: byRoute,
  sharedArgs: ["region", "sort"],
  result: shapeAs<ConnectRouteResult>(connectRouteShape),
});
export interface GetConnectRoutesArgs extends ArgsOf<typeof getConnectRoutes> {}
/** The output form of `getConnectRoutes`: it accepts Inputs and returns an Output. */
export const getConnectRoutesOutput = outputForm(getConnectRoutes);
export interface GetConnectRoutesOutputArgs extends ArgsOf<typeof getConnectRoutesOutput> {}
