import type * as pulumi from "@pulumi/pulumi";
import type { Finding } from "../lifecycle/kind";

/** The subjects of a permission of an API key (specification, section 2.2). */
export const API_KEY_RESOURCE_TYPES = [
  "vm",
  "vpc",
  "volume",
  "connect_connection",
  "rpc_node_dedicated",
  "rpc_node_flex",
  "nks_cluster",
  "nks_node_pool",
  "project",
  "api_key",
  "organization",
  "audit_log",
  "usage",
] as const;

/** The levels of a permission; `edit` includes `read` (specification, section 2.2). */
export const API_KEY_PERMISSION_LEVELS = ["read", "edit"] as const;

/** The subject of a permission. */
export type ApiKeyResourceType = (typeof API_KEY_RESOURCE_TYPES)[number];
/** The level of a permission. */
export type ApiKeyPermissionLevel = (typeof API_KEY_PERMISSION_LEVELS)[number];

/** A permission of a key. */
export interface ApiKeyPermission {
  readonly resourceType: ApiKeyResourceType;
  readonly permission: ApiKeyPermissionLevel;
}

/** A permission of a key in a program. */
export interface ApiKeyPermissionArgs {
  readonly resourceType: pulumi.Input<ApiKeyResourceType>;
  readonly permission: pulumi.Input<ApiKeyPermissionLevel>;
}

/** A key has one level for each resource type (specification, section 5.5). */
export function levelFindings(permissions: readonly ApiKeyPermission[] = []): readonly Finding[] {
  const types = permissions.map(({ resourceType }) => resourceType);
  return types.flatMap((type, index) => {
    const first = types.indexOf(type);
    const reason = `has a second level for ${type}, which permissions[${first}] has already: edit includes read`;
    return first === index ? [] : [{ severity: "failure", field: `permissions[${index}]`, reason }];
  });
}
