import { define } from "../definition/definition";
import { cidr, integer, list, object, oneOf, text } from "../definition/field";
import { numbers } from "../definition/enumeration";
import { isRecord, sameValue, type Same } from "../definition/compare-values";
import { resource } from "../dynamic/dynamic-resource";
import { inRegion, named, ofProject, status, tagged, times } from "../definition/standard-fields";
import type { AdoptArgs, ArgsOf, MembersOf, NamedType, ResourceClass, ResourceOf } from "../program/resource-types";

/** The bandwidths that the API offers, in Mbps (specification, section 2.7). */
const CONNECT_BANDWIDTH_MBPS = numbers(
  "ConnectBandwidthMbps",
  "A bandwidth that the API offers.",
  "Mbps",
  [50, 200, 500, 1000, 2000],
);
/** One of the bandwidths that the API offers, in Mbps. */
export type ConnectBandwidthMbps = (typeof CONNECT_BANDWIDTH_MBPS.values)[number];

/** The API never returns the account id, so it is compared only if both sides have one. */
const sameExternalProvider: Same = (before, after) => {
  if (!isRecord(before) || !isRecord(after)) return sameValue(before, after);
  const accountIds = [before["accountId"], after["accountId"]].filter((accountId) => accountId !== undefined);
  return before["region"] === after["region"] && new Set(accountIds).size < 2;
};

/** Specification, section 2.7. Only name and tags can be changed in place. */
export const connectConnection = define({
  type: "ConnectConnection",
  noun: "connect connection",
  path: "/v1/networking/connect/connections",
  inputs: {
    ...ofProject,
    ...inRegion,
    /** The bandwidth in Mbps. The price depends on it. Changing it replaces the connection. */
    bandwidthMbps: oneOf(CONNECT_BANDWIDTH_MBPS, { change: "replace", priced: true }),
    /**
     * The networks on this side, as canonical CIDRs. At least one. Their order does not matter. Changing them replaces
     * the connection.
     */
    cidrs: list(cidr(), { min: 1, change: "replace", unordered: true }),
    /**
     * The networks on the provider's side, as canonical CIDRs. At least one. Their order does not matter. Changing them
     * replaces the connection.
     */
    providerCidrs: list(cidr(), { min: 1, change: "replace", unordered: true, example: ["172.16.0.0/16"] }),
    /** The other side of the connection. Changing it replaces the connection. */
    externalProvider: object(
      {
        /**
         * The account id at the external provider, 12 digits. The API never shows it, so it is undefined after a `get`.
         */
        accountId: text({ min: 12, max: 12, shown: "never", example: "123456789012" }),
        /** The external provider's own name of its region, such as `us-west-2`: `getConnectRoutes` lists them. */
        region: text({ names: "connectRegion" }),
      },
      { optional: true, change: "replace", same: sameExternalProvider },
    ),
    ...tagged,
    ...named({ example: "aws-link" }),
  },
  quotas: () => ({ "networking.connect_connections": 1 }),
  outputs: {
    ...status,
    /** The autonomous system number on this side. Undefined if the API shows none. */
    asn: integer({ optional: true }),
    /** The autonomous system number on the provider's side. Undefined if the API shows none. */
    providerAsn: integer({ optional: true }),
    /** The router's address on this side. Undefined if the API shows none. */
    routerIp: text({ optional: true }),
    /** The router's address on the provider's side. Undefined if the API shows none. */
    providerRouterIp: text({ optional: true }),
    ...times,
  },
});

/** Names the type of the definition. */
export interface ConnectConnectionDefinition extends NamedType<typeof connectConnection> {}

/** Arguments of a ConnectConnection. */
export interface ConnectConnectionArgs extends ArgsOf<typeof connectConnection>, AdoptArgs {}

/** The account at the external provider that a connection leads to. */
export interface ExternalProviderArgs extends MembersOf<typeof connectConnection, "externalProvider"> {}

/**
 * A private connection to an external cloud provider.
 *
 * @remarks Only `name` and `tags` change in place. Another bandwidth needs a new connection.
 * @remarks A CIDR must be canonical: no bit behind its mask is set. Write `10.0.0.0/25`, not `10.0.0.7/25`.
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const vpc = cloudinfra.getVpcOutput({ name: "default" });
 *
 * const link = new cloudinfra.ConnectConnection("aws-link", {
 *   bandwidthMbps: 200,
 *   cidrs: [vpc.subnet.cidr],
 *   providerCidrs: ["172.16.0.0/16"],
 *   externalProvider: { accountId: "123456789012", region: "us-west-2" },
 * });
 *
 * export const linkPerMonth = link.cost.apply((cost) => cost?.monthlyTotal ?? "unknown");
 * ```
 */
export const ConnectConnection: ResourceClass<ConnectConnection, ConnectConnectionArgs> = resource(connectConnection);

export interface ConnectConnection extends ResourceOf<typeof connectConnection> {}
