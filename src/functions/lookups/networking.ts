import { text } from "../../definition/field";
import { connectConnection } from "../../resources/connect-connection";
import { firewallRule } from "../../resources/firewall-rule";
import { vpc } from "../../resources/vpc";
import { all, objectsOf, shape, byIdOrName, outputForm } from "../lookup";
import { name, int, projectId, sort, status, tags, word } from "./filters";

/** Lookups have `subnet.name` instead of `subnetName`. */
const vpcs = objectsOf(vpc, { projectId }, ["subnetName"]);
const connections = objectsOf(connectConnection, { projectId }, []);
const rules = objectsOf(firewallRule, { vpcId: text() }, []);

/** The VPCs of a project. */
export const getVpcs = all("getVpcs", vpcs({ name, region: word, status, tags, sort }));
/** The output form of `getVpcs`: it accepts Inputs and returns an Output. */
export const getVpcsOutput = outputForm(getVpcs);
/** One VPC, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getVpc = byIdOrName("getVpc", vpcs({}));
/** The output form of `getVpc`: it accepts Inputs and returns an Output. */
export const getVpcOutput = outputForm(getVpc);
/** The firewall rules of a VPC. */
export const getFirewallRules = all("getFirewallRules", rules({ name, protocol: word, status, tags, sort }));
/** The output form of `getFirewallRules`: it accepts Inputs and returns an Output. */
export const getFirewallRulesOutput = outputForm(getFirewallRules);
/** The connect connections of a project. */
export const getConnectConnections = all(
  "getConnectConnections",
  connections({
    ...{ name, provider: word, providerRegion: word, region: word, bandwidthMbps: int, status, tags },
    sort,
  }),
);
/** The output form of `getConnectConnections`: it accepts Inputs and returns an Output. */
export const getConnectConnectionsOutput = outputForm(getConnectConnections);
/** One connect connection, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getConnectConnection = byIdOrName("getConnectConnection", connections({}));
/** The output form of `getConnectConnection`: it accepts Inputs and returns an Output. */
export const getConnectConnectionOutput = outputForm(getConnectConnection);
/** The routes that a ConnectConnection can take. */
export const getConnectRoutes = all("getConnectRoutes", {
  path: "/v1/networking/connect/routes",
  args: { provider: word, providerRegion: word, region: word, sort },
  result: shape({ platformRegion: text(), provider: text(), providerRegion: text() }),
});
/** The output form of `getConnectRoutes`: it accepts Inputs and returns an Output. */
export const getConnectRoutesOutput = outputForm(getConnectRoutes);
