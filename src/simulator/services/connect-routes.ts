import { z } from "zod";
import type { Dialect } from "../model/dialect";
import { connectRoutes } from "../model/regions";
import { equals } from "../schemas/filters";
import type { AnyEndpoint } from "./endpoint";
import { fixedItems, listEndpoint } from "./list-endpoint";

/** The connect routes of section 2.7. */
export function connectRouteEndpoint(dialect: Dialect): AnyEndpoint {
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
