import { notFound } from "../model/api-error";
import type { Dialect } from "../model/dialect";
import { findRegion, regions } from "../model/regions";
import { quotaSchema, type Region, regionSchema } from "../schemas/organization";
import type { CallContext } from "./call";
import { type AnyEndpoint, showEndpoint } from "./endpoint";
import { fixedItems, listEndpoint } from "./list-endpoint";

const allRegions = fixedItems(regions);

function regionNamed(name: string): Region {
  const region = findRegion(name);
  if (!region) throw notFound("region");
  return region;
}

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
  showEndpoint({
    path: "/v1/regions/{name}",
    operationId: "getRegion",
    summary: "Shows a region, to any valid key.",
    needs: null,
    response: regionSchema,
    show: (call) => regionNamed(call.param("name")),
  }),
];

/** The quotas (section 2.11). Any valid key may see them, because the necessary permission is not shown. */
export function quotaEndpoints(dialect: Dialect): readonly AnyEndpoint[] {
  const quota = quotaSchema(dialect);
  const shown = ({ name }: Region, { world }: CallContext) => ({ region: name, ...world.quotas.of(name) });
  return [
    listEndpoint({
      path: "/v1/quotas",
      operationId: "listQuotas",
      summary: "Lists the organization's quotas in every region, to any valid key.",
      needs: null,
      shown: quota,
      items: allRegions,
      show: shown,
    }),
    showEndpoint({
      path: "/v1/quotas/{region}",
      operationId: "getQuota",
      summary: "Shows the organization's quotas in a region, to any valid key.",
      needs: null,
      response: quota,
      show: (call) => shown(regionNamed(call.param("region")), call),
    }),
  ];
}
