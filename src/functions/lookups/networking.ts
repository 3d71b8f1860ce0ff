import { text } from "../../definition/field";
import { connectConnection } from "../../resources/connect-connection";
import { firewallRule } from "../../resources/firewall-rule";
import { vpc } from "../../resources/vpc";
import { all, lookup, shape, shapeOf, sought, twin } from "../lookup";
import { name, number, projectId, sort, status, tags, word } from "./filters";

/** `subnetName` is `subnet.name` here. */
const vpcShape = shapeOf(vpc, ["subnetName"]);
const connectionShape = shapeOf(connectConnection, []);
const ruleShape = shapeOf(firewallRule, []);

/** The lookups of VPCs, firewall rules and connections. */
export const networking = {
  getVpcs: lookup({
    about: "The VPCs of a project.",
    path: "/v1/networking/vpcs",
    args: { projectId, name, region: word, status, tags, sort },
    result: vpcShape,
    finds: "all",
  }),
  getVpc: lookup({
    about: "One VPC, with its CIDR.",
    path: "/v1/networking/vpcs",
    args: { projectId },
    result: vpcShape,
    finds: "sought",
    noun: "VPC",
    nouns: "VPCs",
  }),
  getFirewallRules: lookup({
    about: "The firewall rules of a VPC.",
    path: "/v1/networking/vpcs/{vpcId}/firewall_rules",
    args: { vpcId: text(), name, protocol: word, status, tags, sort },
    result: ruleShape,
    finds: "all",
  }),
  getConnectConnections: lookup({
    about: "The connect connections of a project.",
    path: "/v1/networking/connect/connections",
    args: {
      ...{ projectId, name, provider: word, providerRegion: word, region: word, bandwidthMbps: number, status, tags },
      sort,
    },
    result: connectionShape,
    finds: "all",
  }),
  getConnectConnection: lookup({
    about: "One connect connection.",
    path: "/v1/networking/connect/connections",
    args: { projectId },
    result: connectionShape,
    finds: "sought",
    noun: "connect connection",
    nouns: "connect connections",
  }),
  getConnectRoutes: lookup({
    about: "The pairs of regions that a connection can link: a provider's, and the platform's.",
    path: "/v1/networking/connect/routes",
    args: { provider: word, providerRegion: word, region: word, sort },
    result: shape({ platformRegion: text(), provider: text(), providerRegion: text() }),
    finds: "all",
  }),
};

/** The VPCs of a project. */
export const getVpcs = all("getVpcs", networking.getVpcs);
/** The VPCs of a project, as an output. */
export const getVpcsOutput = twin(getVpcs);
/** One VPC, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getVpc = sought("getVpc", networking.getVpc);
/** One VPC, as an output. */
export const getVpcOutput = twin(getVpc);
/** The firewall rules of a VPC. */
export const getFirewallRules = all("getFirewallRules", networking.getFirewallRules);
/** The firewall rules of a VPC, as an output. */
export const getFirewallRulesOutput = twin(getFirewallRules);
/** The connect connections of a project. */
export const getConnectConnections = all("getConnectConnections", networking.getConnectConnections);
/** The connect connections of a project, as an output. */
export const getConnectConnectionsOutput = twin(getConnectConnections);
/** One connect connection, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getConnectConnection = sought("getConnectConnection", networking.getConnectConnection);
/** One connect connection, as an output. */
export const getConnectConnectionOutput = twin(getConnectConnection);
/** The routes that a ConnectConnection can take. */
export const getConnectRoutes = all("getConnectRoutes", networking.getConnectRoutes);
/** The routes that a ConnectConnection can take, as an output. */
export const getConnectRoutesOutput = twin(getConnectRoutes);
