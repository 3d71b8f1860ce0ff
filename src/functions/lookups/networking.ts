import { text } from "../../definition/field";
import { connectConnection, type ConnectConnectionDefinition } from "../../resources/connect-connection";
import { firewallRule, type FirewallRuleDefinition } from "../../resources/firewall-rule";
import { vpc, type VpcDefinition } from "../../resources/vpc";
import { all, objectsOf, shape, byIdOrName, outputForm } from "../lookup";
import { byName, byRegion, byStatus, byTags, int, ofProject, sorted, word } from "./filters";

/** Lookups have `subnet.name` instead of `subnetName`. */
const vpcs = objectsOf(vpc as VpcDefinition, ofProject, ["subnetName"]);
const connections = objectsOf(connectConnection as ConnectConnectionDefinition, ofProject, []);
const ofVpc = {
  /** The id of the VPC. */
  vpcId: text(),
};
const rules = objectsOf(firewallRule as FirewallRuleDefinition, ofVpc, []);
const byRoute = {
  /** Only those to this external provider, such as `aws`. */
  provider: word,
  /** Only those to this region of the external provider, such as `us-west-2`. */
  providerRegion: word,
  ...byRegion,
};

/** The VPCs of a project. */
export const getVpcs = all("getVpcs", vpcs({ ...byName, ...byRegion, ...byStatus, ...byTags, ...sorted }));
/** The output form of `getVpcs`: it accepts Inputs and returns an Output. */
export const getVpcsOutput = outputForm(getVpcs);
/** One VPC, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getVpc = byIdOrName("getVpc", vpcs({}));
/** The output form of `getVpc`: it accepts Inputs and returns an Output. */
export const getVpcOutput = outputForm(getVpc);
/** The firewall rules of a VPC. */
export const getFirewallRules = all(
  "getFirewallRules",
  rules({
    ...byName,
    /** Only those for this protocol: `tcp` or `udp`. */
    protocol: word,
    ...{ ...byStatus, ...byTags, ...sorted },
  }),
);
/** The output form of `getFirewallRules`: it accepts Inputs and returns an Output. */
export const getFirewallRulesOutput = outputForm(getFirewallRules);
/** The connect connections of a project. */
export const getConnectConnections = all(
  "getConnectConnections",
  connections({
    ...{ ...byName, ...byRoute },
    /** Only those with this bandwidth, in Mbps. */
    bandwidthMbps: int,
    ...{ ...byStatus, ...byTags, ...sorted },
  }),
);
/** The output form of `getConnectConnections`: it accepts Inputs and returns an Output. */
export const getConnectConnectionsOutput = outputForm(getConnectConnections);
/** One connect connection, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getConnectConnection = byIdOrName("getConnectConnection", connections({}));
/** The output form of `getConnectConnection`: it accepts Inputs and returns an Output. */
export const getConnectConnectionOutput = outputForm(getConnectConnection);
/** The routes that a ConnectConnection can take. */
export const getConnectRoutes = all("getConnectRoutes", {
  path: "/v1/networking/connect/routes",
  args: { ...byRoute, ...sorted },
  result: shape({
    /** The name of the platform's region. */
    platformRegion: text(),
    /** The external provider. */
    provider: text(),
    /** The external provider's own name of its region: what `externalProvider.region` of a ConnectConnection takes. */
    providerRegion: text(),
  }),
});
/** The output form of `getConnectRoutes`: it accepts Inputs and returns an Output. */
export const getConnectRoutesOutput = outputForm(getConnectRoutes);
