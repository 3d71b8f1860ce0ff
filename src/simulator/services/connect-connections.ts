import { randomUUID } from "node:crypto";
import { z } from "zod";
import { dialectNames, type Dialect } from "../model/dialect";
import { OrderedList } from "../model/ordered-list";
import { connectRoutes } from "../model/regions";
import { formatTimestamp } from "../model/timestamp";
import { usageOfConnection } from "../model/usage";
import { bandwidthMbps, connectionUpdateSchema, connectSchemas, type ConnectConnection } from "../schemas/connect";
import { integerOf, listOf, pageQuery, sortBy } from "../schemas/list";
import { given } from "./changes";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { answerPage } from "./pages";
import { placementRules, projectResourcesQuery } from "./project-resources";
import { resourceEndpoints } from "./resource-endpoints";

const routes = OrderedList.of(connectRoutes);

const routeQuery = pageQuery.extend({
  sort: sortBy("created_at", "provider_region", "region"),
  provider: z.string().optional(),
  provider_region: z.string().optional(),
  region: z.string().optional().describe("The platform's region"),
});

const connectionQuery = projectResourcesQuery.extend({
  sort: sortBy("created_at", "updated_at", "name", "status", "bandwidth_mbps"),
  provider: z.string().optional(),
  provider_region: z.string().optional(),
  bandwidth_mbps: integerOf(bandwidthMbps).optional(),
});

/** A connection in the words of a dialect; the account id was never kept. */
export function connectionOnWire(connection: ConnectConnection, dialect: Dialect): object {
  const { external_provider, ...rest } = connection;
  return { ...rest, [dialectNames(dialect).externalProvider]: external_provider };
}

/** The connect connections of section 2.7. */
export function connectionEndpoints(dialect: Dialect): readonly AnyEndpoint[] {
  const { create, connection } = connectSchemas(dialect);
  return resourceEndpoints<ConnectConnection, typeof connectionQuery, typeof create, typeof connectionUpdateSchema>({
    noun: "connect connection",
    typeName: "ConnectConnection",
    targetType: "connect_connection",
    resourceType: "connect_connection",
    collection: "/v1/networking/connect/connections",
    idParameter: "connection_id",
    listQuery: connectionQuery,
    ownFilters: {
      provider: ({ external_provider }) => external_provider && "aws",
      provider_region: ({ external_provider }) => external_provider?.region,
      bandwidth_mbps: (connection) => connection.bandwidth_mbps,
    },
    create,
    update: connectionUpdateSchema,
    resource: connection,
    isQuoted: true,
    lifecycle: (world) => world.connectionLifecycle,
    find: (call) => call.reachable("connect connection", call.world.connections.get(call.param("connection_id"))),
    list(call, { project_id }) {
      call.requireProject(project_id);
      return call.world.connections.partition(project_id);
    },
    readCreate(call) {
      call.requireReachOfBody();
      return call.body(placementRules(call.world, "connect"));
    },
    readUpdate: (call) => given(call.body()),
    make(call, body) {
      // Only the public service counts connections among its quotas.
      if (dialect === "nirvana") call.world.quotas.take(body.region, "connect_connections");
      const now = formatTimestamp(call.nowMs);
      const provider = "aws" in body ? body.aws : "external_provider" in body ? body.external_provider : undefined;
      return {
        id: randomUUID(),
        name: body.name,
        project_id: body.project_id,
        region: body.region,
        status: "creating",
        bandwidth_mbps: body.bandwidth_mbps,
        cidrs: body.cidrs,
        provider_cidrs: body.provider_cidrs,
        asn: null,
        provider_asn: null,
        router_ip: null,
        provider_router_ip: null,
        external_provider: provider ? { region: provider.region } : null,
        tags: body.tags ?? [],
        created_at: now,
        updated_at: now,
      };
    },
    usage: usageOfConnection,
    wire: (_world, object) => connectionOnWire(object, dialect),
  });
}

/** The connect routes of section 2.7. */
export function connectRouteEndpoints(dialect: Dialect): readonly AnyEndpoint[] {
  const { platformRegion } = dialectNames(dialect);
  return [
    defineEndpoint({
      method: "GET",
      path: "/v1/networking/connect/routes",
      operationId: "listConnectRoutes",
      summary: "Lists where connect connections can lead.",
      needs: { resourceType: "connect_connection", level: "read" },
      query: routeQuery,
      status: 200,
      response: listOf(connectSchemas(dialect).route),
      handle(call) {
        const { cursor, limit, sort, ...filters } = call.query();
        const wanted = Object.entries(filters) as [keyof typeof filters, string | undefined][];
        return answerPage(
          {
            list: routes,
            // By the name that the dialect gives the platform's region.
            sort: sort?.replace(/(^|,)region:/g, `$1${platformRegion}:`),
            filters,
            matches: (route) => wanted.every(([name, value]) => value === undefined || route[name] === value),
            wire: ({ region, ...rest }) => ({ [platformRegion]: region, ...rest }),
          },
          { cursor, limit },
        );
      },
    }),
  ];
}
