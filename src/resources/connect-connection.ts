import type * as pulumi from "@pulumi/pulumi";
import type { ConnectConnection as Wire, ConnectConnectionCreateRequest } from "../api/connect-connections";
import type { Cost } from "../cost/cost";
import { replace, sameSet, sameValue, update, type Same } from "../dynamic/change-policy";
import { isRecord } from "../dynamic/engine-values";
import { defineKind, type Plain } from "../dynamic/kind";
import { CloudResource, type AdoptArgs } from "../dynamic/resource";
import type { InputsOf } from "./inputs";

/** The bandwidths that the API offers, in Mbps (specification, section 2.7). */
export const CONNECT_BANDWIDTHS_MBPS = [50, 200, 500, 1000, 2000] as const;
/** One of the bandwidths that the API offers, in Mbps. */
export type ConnectBandwidthMbps = (typeof CONNECT_BANDWIDTHS_MBPS)[number];

/** The account at the external provider that a connection leads to. */
export interface ExternalProviderArgs {
  /** Exactly 12 characters. The API never shows it again. */
  readonly accountId: pulumi.Input<string>;
  /** The external provider's own region name. */
  readonly region: pulumi.Input<string>;
}

/** Arguments of a ConnectConnection (specification, section 2.7). Only name and tags can be changed in place. */
export interface ConnectConnectionArgs extends AdoptArgs {
  /** Default: `cloudinfra:projectId`. Changing it replaces the connection. */
  readonly projectId?: pulumi.Input<string>;
  /** Default: `cloudinfra:region`. Changing it replaces the connection. */
  readonly region?: pulumi.Input<string>;
  /** 50, 200, 500, 1000 or 2000. The price depends on it. Changing it replaces the connection. */
  readonly bandwidthMbps: pulumi.Input<ConnectBandwidthMbps>;
  /** Networks on this side, at least one, each a canonical CIDR. Changing them replaces the connection. */
  readonly cidrs: pulumi.Input<pulumi.Input<string>[]>;
  /** Networks on the provider's side, at least one, each a canonical CIDR. Changing them replaces the connection. */
  readonly providerCidrs: pulumi.Input<pulumi.Input<string>[]>;
  /** Where the connection leads to. Changing it replaces the connection. */
  readonly externalProvider?: pulumi.Input<ExternalProviderArgs>;
  /** At most 50; their order does not matter. Changed in place; left out, they are cleared. */
  readonly tags?: pulumi.Input<pulumi.Input<string>[]>;
  /** Default: the logical name with seven hex characters behind it. Changed in place. */
  readonly name?: pulumi.Input<string>;
}

/** A private connection to an external cloud provider. */
export class ConnectConnection extends CloudResource {
  declare readonly projectId: pulumi.Output<string>;
  declare readonly region: pulumi.Output<string>;
  declare readonly bandwidthMbps: pulumi.Output<ConnectBandwidthMbps>;
  declare readonly cidrs: pulumi.Output<string[]>;
  declare readonly providerCidrs: pulumi.Output<string[]>;
  /** `accountId` is absent where the connection was adopted or read: the API does not show it. */
  declare readonly externalProvider: pulumi.Output<
    { readonly accountId?: string; readonly region: string } | undefined
  >;
  declare readonly tags: pulumi.Output<string[]>;
  declare readonly name: pulumi.Output<string>;
  /** `pending`, `creating`, `updating`, `ready`, `deleting`, `deleted` or `error`. */
  declare readonly status: pulumi.Output<string>;
  /** The autonomous system number on this side, once assigned. */
  declare readonly asn: pulumi.Output<number | undefined>;
  /** The autonomous system number on the provider's side, once assigned. */
  declare readonly providerAsn: pulumi.Output<number | undefined>;
  /** The router's address on this side, once assigned. */
  declare readonly routerIp: pulumi.Output<string | undefined>;
  /** The router's address on the provider's side, once assigned. */
  declare readonly providerRouterIp: pulumi.Output<string | undefined>;
  /** ISO 8601, UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** ISO 8601, UTC. */
  declare readonly updatedAt: pulumi.Output<string>;
  /** What the connection costs a month; undefined where that is not known. Known in preview. */
  declare readonly cost: pulumi.Output<Cost | undefined>;

  constructor(name: string, args: ConnectConnectionArgs, options?: pulumi.CustomResourceOptions) {
    super(connectConnection, name, args, options);
  }

  /** An existing connection, read and never managed. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<ConnectConnectionArgs>,
    options?: pulumi.CustomResourceOptions,
  ): ConnectConnection {
    return new ConnectConnection(name, { ...state } as ConnectConnectionArgs, { ...options, id });
  }
}

type Inputs = InputsOf<ConnectConnectionArgs>;

/** The account id is never returned, so only where both sides have one does it count. */
const sameExternalProvider: Same = (before, after) => {
  if (!isRecord(before) || !isRecord(after)) return sameValue(before, after);
  const accountIds = [before["accountId"], after["accountId"]].filter((accountId) => accountId !== undefined);
  return before["region"] === after["region"] && new Set(accountIds).size < 2;
};

/** What the lifecycle has to know about connect connections. */
export const connectConnection = defineKind<Inputs, Wire, Plain<ConnectConnectionCreateRequest>>({
  type: "ConnectConnection",
  noun: "connect connection",

  fields: (schema) => ({
    projectId: schema.text(),
    region: schema.text(),
    bandwidthMbps: schema.oneOf(...CONNECT_BANDWIDTHS_MBPS),
    cidrs: schema.list(schema.cidr(), { min: 1 }),
    providerCidrs: schema.list(schema.cidr(), { min: 1 }),
    externalProvider: schema.object({ accountId: schema.textOfLength(12, 12), region: schema.text() }).optional(),
    tags: schema.tags(),
    name: schema.text(),
  }),

  policies: {
    projectId: replace({ priced: true }),
    region: replace({ priced: true }),
    bandwidthMbps: replace({ priced: true }),
    cidrs: replace({ same: sameSet, placeholder: () => ["10.0.0.0/16"] }),
    providerCidrs: replace({ same: sameSet, placeholder: () => ["172.16.0.0/16"] }),
    externalProvider: replace({ same: sameExternalProvider, priced: true }),
    tags: update({ same: sameSet, placeholder: () => [] }),
    name: update({ placeholder: () => "quote" }),
  },
  // Without tags, what the API shows for none: so inputs made from what it shows are no other ones.
  defaults: ({ projectId, region }) => ({
    tags: [],
    ...(projectId !== undefined && { projectId }),
    ...(region !== undefined && { region }),
  }),
  computed: ["status", "asn", "providerAsn", "routerIp", "providerRouterIp", "createdAt", "updatedAt"],
  secretOutputs: [],

  place: ["projectId"],

  toWire: ({ name, projectId, region, bandwidthMbps, cidrs, providerCidrs, externalProvider, tags }) => ({
    name,
    project_id: projectId ?? "",
    region: region ?? "",
    bandwidth_mbps: bandwidthMbps,
    cidrs,
    provider_cidrs: providerCidrs,
    ...(externalProvider && {
      external_provider: { account_id: externalProvider.accountId, region: externalProvider.region },
    }),
    tags: tags ?? [],
  }),

  fromWire: (wire) => ({
    projectId: wire.project_id,
    region: wire.region,
    bandwidthMbps: wire.bandwidth_mbps,
    cidrs: wire.cidrs,
    providerCidrs: wire.provider_cidrs,
    externalProvider: wire.external_provider && { region: wire.external_provider.region },
    tags: wire.tags,
    name: wire.name,
    status: wire.status,
    asn: wire.asn ?? undefined,
    providerAsn: wire.provider_asn ?? undefined,
    routerIp: wire.router_ip ?? undefined,
    providerRouterIp: wire.provider_router_ip ?? undefined,
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  }),

  handler: ({ connectConnections }) => ({
    create: (_inputs, body, call) => connectConnections.create(body, call),
    get: (id, _inputs, call) => connectConnections.get(id, call),
    // Connections are listed by their project, which a reference to one need not say.
    read: (id, { projectId }, call) =>
      projectId === undefined ? connectConnections.get(id, call) : connectConnections.read(projectId, id, call),
    update: (id, _inputs, body, call) => connectConnections.update(id, body, call),
    delete: (id, _inputs, call) => connectConnections.delete(id, call),
    list: ({ projectId }, call) => connectConnections.list(projectId ?? "", call),
    quoteCreate: (_inputs, body, call) => connectConnections.quoteCreate(body, call),
    quoteUpdate: (id, _inputs, body, call) => connectConnections.quoteUpdate(id, body, call),
  }),
});
