import { z } from "zod";
import { connectRoutes, type Dialect } from "../model/catalogs";
import { equals } from "../schemas/lists";
import { cidrInput, location, nameAndTags, namedInput, resourceMembers } from "../schemas/primitives";
import type { Endpoint } from "../services/endpoint";
import { fixedItems, listEndpoint } from "../services/list-endpoint";
import { defineNoun } from "./noun";

/** ConnectBandwidthMbps (section 2.7). */
const bandwidthMbps = z.literal([50, 200, 500, 1000, 2000]);

const provider = z.strictObject({
  account_id: z.string().regex(/^[\s\S]{12}$/u, "must have exactly 12 characters"),
  region: z.string(),
});

const common = z.strictObject({
  ...namedInput,
  ...location,
  bandwidth_mbps: bandwidthMbps,
  cidrs: z.array(cidrInput).min(1),
  provider_cidrs: z.array(cidrInput).min(1),
});

const shownProvider = z.object({ region: z.string() }).nullable();

/** ConnectConnection (section 2.7), with the specification's names. */
const stored = z.object({
  ...resourceMembers,
  ...nameAndTags,
  ...location,
  bandwidth_mbps: bandwidthMbps,
  cidrs: z.array(z.string()).min(1),
  provider_cidrs: z.array(z.string()).min(1),
  asn: z.int().nullable(),
  provider_asn: z.int().nullable(),
  router_ip: z.string().nullable(),
  provider_router_ip: z.string().nullable(),
  external_provider: shownProvider,
});

/** The connect connections of section 2.7. */
export function connectConnectionNoun(dialect: Dialect) {
  const externalProvider = dialect === "spec" ? "external_provider" : "aws";
  return defineNoun({
    key: "connections",
    kind: "connect_connection",
    path: "/v1/networking/connect/connections",
    stored,
    hidden: ["external_provider"],
    computed: { [externalProvider]: shownProvider },
    // Only one member has different names in the dialects, and the type lacks it.
    create: common.extend({ [externalProvider]: provider.optional() }) as unknown as typeof common,
    update: common.pick({ name: true, tags: true }).partial(),
    isDeletable: true,
    isQuoted: true,
    projectCounter: "cloud.connect_connections",
    filteredBy: ["name", "region", "status", "tags", "bandwidth_mbps"],
    filters: {
      provider: equals<z.infer<typeof stored>>(z.string(), ({ external_provider }) => external_provider && "aws"),
      provider_region: equals<z.infer<typeof stored>>(z.string(), ({ external_provider }) => external_provider?.region),
    },
    sorts: ["updated_at", "name", "status", "bandwidth_mbps"],
    prices: { networking_connect_mbps: { displayName: "Connect bandwidth (Mbps)", unitPrice: "1.5625" } },
    usage: ({ bandwidth_mbps }) => [{ dimension: "networking_connect_mbps", quantity: bandwidth_mbps }],
    quota: () => [{ quota: "networking.connect_connections", amount: 1 }],
    regionFeatures: () => ["networking.connect"],
    /** The account id is not stored. */
    make(_call, body) {
      const given = (body as Readonly<Record<string, unknown>>)[externalProvider] as
        z.infer<typeof provider> | undefined;
      return { external_provider: given ? { region: given.region } : null };
    },
    /** The routers have addresses in a /30 of 169.254.0.0/16. */
    readyMembers(_connection, world) {
      const index = world.next("links");
      const [network, host] = [`169.254.${(index >> 6) & 255}`, (index & 63) * 4];
      const routers = { router_ip: `${network}.${host + 1}`, provider_router_ip: `${network}.${host + 2}` };
      return { asn: 64_512, provider_asn: 64_513 + (index % 1000), ...routers };
    },
    show: ({ external_provider }) => ({ [externalProvider]: external_provider }),
    endpoints: () => [connectRouteEndpoint(dialect)],
  });
}

/** The connect routes of section 2.7. */
function connectRouteEndpoint(dialect: Dialect): Endpoint {
  const platformRegion = dialect === "spec" ? "platform_region" : "nirvana_region";
  return listEndpoint<(typeof connectRoutes)[number]>({
    path: "/v1/networking/connect/routes",
    operationId: "listConnectRoutes",
    summary: "Lists the provider regions that connect connections can reach.",
    needs: { resourceType: "connect_connection", level: "read" },
    items: fixedItems(connectRoutes),
    shown: z.object({ [platformRegion]: z.string(), provider: z.string(), provider_region: z.string() }),
    filters: {
      provider: equals(z.string(), ({ provider }) => provider),
      provider_region: equals(z.string(), ({ provider_region }) => provider_region),
      region: equals(z.string().describe("The platform's region"), ({ region }) => region),
    },
    sorts: ["provider_region", "region"],
    sortValues: { region: ({ region }) => region },
    show: ({ region, ...rest }) => ({ [platformRegion]: region, ...rest }),
  });
}
