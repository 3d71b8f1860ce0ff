import type { z } from "zod";
import type { Dialect } from "../model/dialect";
import { apiKeyEndpoints } from "./api-keys";
import { auditLogEndpoints } from "./audit-logs";
import { connectionEndpoints, connectRouteEndpoints } from "./connect-connections";
import type { AnyEndpoint } from "./endpoint";
import { firewallRuleEndpoints } from "./firewall-rules";
import { operationEndpoints } from "./operations";
import { projectEndpoints, quotaEndpoints, regionEndpoints } from "./organization";
import { vpcEndpoints } from "./vpcs";

/** Every endpoint that a dialect has, but the one that serves their description. */
export function endpointsOf(dialect: Dialect): readonly AnyEndpoint[] {
  const endpoints = [
    ...apiKeyEndpoints(dialect),
    ...regionEndpoints,
    ...projectEndpoints,
    ...quotaEndpoints(dialect),
    ...vpcEndpoints(dialect),
    ...firewallRuleEndpoints(dialect),
    ...connectionEndpoints(dialect),
    ...connectRouteEndpoints(dialect),
    ...operationEndpoints,
    ...auditLogEndpoints,
  ];
  return dialect === "spec" ? endpoints : endpoints.map(clearedByNull);
}

/** What null makes of an optional member: the public Terraform provider sends it for what its user has taken away. */
const clearedTo = { tags: [], source_ip_rule: {} };

function clearedByNull(endpoint: AnyEndpoint): AnyEndpoint {
  const { method, body } = endpoint;
  if (method !== "PATCH" || !body) return endpoint;
  const clearable = Object.entries(clearedTo).flatMap(([name, cleared]) => {
    const schema = body.shape[name] as z.ZodType | undefined;
    return schema ? [[name, schema.nullable().transform((value) => (value === null ? cleared : value))] as const] : [];
  });
  return { ...endpoint, body: body.extend(Object.fromEntries(clearable)) };
}
