import { notFound } from "../model/api-error";
import type { Dialect } from "../model/dialect";
import { findRegion, regions } from "../model/regions";
import { quotaSchema, regionSchema } from "../schemas/organization";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { fixedItems, listEndpoint } from "./list-endpoint";

const allRegions = fixedItems(regions);

/** The regions (section 4): any valid key may see them. */
export const regionEndpoints: readonly AnyEndpoint[] = [
  listEndpoint({
    path: "/v1/regions",
    operationId: "listRegions",
    summary: "Lists the regions, to any valid key.",
    needs: null,
    shown: regionSchema,
    items: allRegions,
  }),
  defineEndpoint({
    method: "GET",
    path: "/v1/regions/{name}",
    operationId: "getRegion",
    summary: "Shows a region, to any valid key.",
    needs: null,
    status: 200,
    response: regionSchema,
    handle(call) {
      const region = findRegion(call.param("name"));
      if (!region) throw notFound("region");
      return { status: 200, body: region };
    },
  }),
];

/** The quotas (section 2.11). Any valid key may see them, because the necessary permission is not shown. */
export function quotaEndpoints(dialect: Dialect): readonly AnyEndpoint[] {
  const quota = quotaSchema(dialect);
  return [
    listEndpoint({
      path: "/v1/quotas",
      operationId: "listQuotas",
      summary: "Lists the organization's quotas in every region, to any valid key.",
      needs: null,
      shown: quota,
      items: allRegions,
      show: ({ name }, { world }) => ({ region: name, ...world.quotas.of(name) }),
    }),
    defineEndpoint({
      method: "GET",
      path: "/v1/quotas/{region}",
      operationId: "getQuota",
      summary: "Shows the organization's quotas in a region, to any valid key.",
      needs: null,
      status: 200,
      response: quota,
      handle(call) {
        const region = findRegion(call.param("region"));
        if (!region) throw notFound("region");
        return { status: 200, body: { region: region.name, ...call.world.quotas.of(region.name) } };
      },
    }),
  ];
}
