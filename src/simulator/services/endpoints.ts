import type { z } from "zod";
import type { Dialect } from "../model/catalogs";
import { nounsOf } from "../nouns/noun-registry";
import { auditLogEndpoints } from "./audit-logs";
import { billingEndpoints } from "./billing-endpoints";
import { instanceTypeEndpoints, quotaEndpoints, regionEndpoints } from "./catalog-endpoints";
import type { Endpoint } from "./endpoint";
import { nounEndpoints } from "./noun-endpoints";
import { operationAnswer, operationEndpoints } from "./operation-endpoints";
import { usageEndpoints } from "./usage";
import { userEndpoints } from "./user";

/** Every endpoint of a dialect, except the one that serves the OpenAPI document. */
export function endpointsOf(dialect: Dialect, nouns = nounsOf(dialect)): readonly Endpoint[] {
  const operation = operationAnswer(nouns);
  const endpoints = [
    ...regionEndpoints,
    ...quotaEndpoints(dialect),
    ...nouns.flatMap((noun) => nounEndpoints(noun, dialect, operation)),
    ...instanceTypeEndpoints,
    ...operationEndpoints(nouns),
    ...auditLogEndpoints,
    ...billingEndpoints,
    ...usageEndpoints,
    ...userEndpoints,
  ];
  return dialect === "spec" ? endpoints : endpoints.map(clearedByNull);
}

/**
 * The values of optional members that null in an update stands for. The public Terraform provider sends null for a
 * removed value.
 */
const clearedTo = { tags: [], source_ip_rule: { allowed: [], blocked: [] } };

function clearedByNull(endpoint: Endpoint): Endpoint {
  const { method, body } = endpoint;
  if (method !== "PATCH" || !body) return endpoint;
  const clearable = Object.entries(clearedTo).flatMap(([name, cleared]) => {
    const schema = body.shape[name] as z.ZodType | undefined;
    return schema ? [[name, schema.nullable().transform((value) => (value === null ? cleared : value))] as const] : [];
  });
  return { ...endpoint, body: body.extend(Object.fromEntries(clearable)) };
}
