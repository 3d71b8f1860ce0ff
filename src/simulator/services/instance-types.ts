import { z } from "zod";
import { notFound } from "../model/api-error";
import { findInstanceType, instanceTypes, type InstanceType } from "../model/catalogues";
import { between, equals, type Filters } from "../schemas/filters";
import { numberOf } from "../schemas/list";
import { dateTime } from "../schemas/primitives";
import { type AnyEndpoint, showEndpoint } from "./endpoint";
import { fixedItems, listEndpoint } from "./list-endpoint";

const shown = z.object({
  name: z.string(),
  family: z.string(),
  series: z.string(),
  chipset: z.string(),
  vcpu: z.int(),
  memory_gb: z.int(),
  network_bandwidth_gbps: z.number(),
  region: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
});

const sameText = (name: "name" | "family" | "series" | "chipset" | "region"): Filters<InstanceType> => ({
  [name]: equals(z.string(), (type: InstanceType) => type[name]),
});

/** The instance types (section 2.9): any valid key may see them, as regions. */
export const instanceTypeEndpoints: readonly AnyEndpoint[] = [
  listEndpoint<InstanceType>({
    path: "/v1/instance_types",
    operationId: "listInstanceTypes",
    summary: "Lists the instance types, to any valid key.",
    needs: null,
    items: fixedItems(instanceTypes),
    shown,
    filters: {
      ...sameText("chipset"),
      ...sameText("family"),
      ...sameText("series"),
      ...sameText("region"),
      ...sameText("name"),
      ...between("vcpu", numberOf, ({ vcpu }) => vcpu),
      ...between("memory_gb", numberOf, ({ memory_gb }) => memory_gb),
      ...between("network_bandwidth_gbps", numberOf, (type) => type.network_bandwidth_gbps),
    },
    sorts: ["series", "family", "name", "vcpu", "memory_gb", "network_bandwidth_gbps"],
  }),
  showEndpoint({
    path: "/v1/instance_types/{region}/{instance_type}",
    operationId: "getInstanceType",
    summary: "Shows an instance type of a region, to any valid key.",
    needs: null,
    response: shown,
    show(call) {
      const type = findInstanceType(call.param("region"), call.param("instance_type"));
      if (!type) throw notFound("instance type");
      return type;
    },
  }),
];
