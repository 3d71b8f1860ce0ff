import { z } from "zod";
import { dialectNames, type Dialect } from "../model/dialect";
import { byName, byRegion, byStatus, byTags, equals } from "../schemas/filters";
import { integerOf } from "../schemas/list";
import { cidrInput, dateTime, resourceStatus, tags, tagsInput } from "../schemas/primitives";
import { connectRouteEndpoint } from "../services/connect-routes";
import { defineNoun } from "./noun";

/** ConnectBandwidthMbps (section 2.7). */
const bandwidthMbps = z.literal([50, 200, 500, 1000, 2000]);

const provider = z.strictObject({
  account_id: z.string().regex(/^[\s\S]{12}$/u, "must have exactly 12 characters"),
  region: z.string(),
});

const common = z.strictObject({
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  bandwidth_mbps: bandwidthMbps,
  cidrs: z.array(cidrInput).min(1, "must have at least 1 item"),
  provider_cidrs: z.array(cidrInput).min(1, "must have at least 1 item"),
  tags: tagsInput.optional(),
});

/** ConnectConnectionUpdateRequest (section 2.7). */
const update = z.strictObject({ name: z.string().optional(), tags: tagsInput.optional() });

const shownProvider = z.object({ region: z.string() }).nullable();

/** ConnectConnection (section 2.7), with the specification's names. */
const kept = z.object({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  status: resourceStatus,
  bandwidth_mbps: bandwidthMbps,
  cidrs: z.array(z.string()).min(1),
  provider_cidrs: z.array(z.string()).min(1),
  asn: z.int().nullable(),
  provider_asn: z.int().nullable(),
  router_ip: z.string().nullable(),
  provider_router_ip: z.string().nullable(),
  tags,
  created_at: dateTime,
  updated_at: dateTime,
  external_provider: shownProvider,
});

/** The members that a finished creation fills in (section 2.7): a /30 of 169.254.0.0/16 for the two routers. */
function linkEnds(index: number) {
  const network = `169.254.${(index >> 6) & 255}`;
  const host = (index & 63) * 4;
  return {
    asn: 64_512,
    provider_asn: 64_513 + (index % 1000),
    router_ip: `${network}.${host + 1}`,
    provider_router_ip: `${network}.${host + 2}`,
  };
}

/** The connect connections of section 2.7. */
export function connectConnectionNoun(dialect: Dialect) {
  const { externalProvider } = dialectNames(dialect);
  // The type lacks only the one member that has different names in the dialects.
  const create = common.extend({ [externalProvider]: provider.optional() }) as unknown as typeof common;
  return defineNoun<z.infer<typeof kept>, typeof common, typeof update>({
    key: "connections",
    noun: "connect connection",
    typeName: "ConnectConnection",
    targetType: "connect_connection",
    resourceType: "connect_connection",
    path: "/v1/networking/connect/connections",
    idParameter: "connection_id",
    kept,
    shown: kept.omit({ external_provider: true }).extend({ [externalProvider]: shownProvider }),
    create,
    update,
    isDeletable: true,
    isQuoted: true,
    projectCounter: "cloud.connect_connections",
    filters: {
      ...byName,
      ...byRegion,
      ...byStatus,
      ...byTags,
      provider: equals(z.string(), ({ external_provider }) => external_provider && "aws"),
      provider_region: equals(z.string(), ({ external_provider }) => external_provider?.region),
      bandwidth_mbps: equals(integerOf(bandwidthMbps), ({ bandwidth_mbps }) => bandwidth_mbps),
    },
    sorts: ["updated_at", "name", "status", "bandwidth_mbps"],
    prices: { networking_connect_mbps: { displayName: "Connect bandwidth (Mbps)", unitPrice: "1.5625" } },
    usage: ({ bandwidth_mbps }) => [{ dimension: "networking_connect_mbps", quantity: bandwidth_mbps }],
    quota: () => [{ quota: "networking.connect_connections", amount: 1 }],
    regionFeatures: () => ["networking.connect"],
    make(_call, { tags = [], ...body }, { id, status, ...times }) {
      const { [externalProvider]: given, ...members } = body as typeof body & Record<string, unknown>;
      const external_provider = given ? { region: (given as z.infer<typeof provider>).region } : null;
      const ends = { asn: null, provider_asn: null, router_ip: null, provider_router_ip: null };
      return { id, ...members, status, ...ends, external_provider, tags, ...times };
    },
    readyMembers: (_connection, world) => linkEnds(world.next("links")),
    // The account id was never kept.
    show: ({ external_provider, ...connection }) => ({ ...connection, [externalProvider]: external_provider }),
    more: [connectRouteEndpoint(dialect)],
  });
}
