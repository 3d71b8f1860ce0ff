import type * as pulumi from "@pulumi/pulumi";

/** What a permission can be about (specification, section 2.2). */
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

/** How far a permission goes; `edit` includes `read` (specification, section 2.2). */
export const API_KEY_PERMISSION_LEVELS = ["read", "edit"] as const;

/** What a permission can be about. */
export type ApiKeyResourceType = (typeof API_KEY_RESOURCE_TYPES)[number];
/** How far a permission goes. */
export type ApiKeyPermissionLevel = (typeof API_KEY_PERMISSION_LEVELS)[number];

/** One permission of a key. */
export interface ApiKeyPermission {
  readonly resourceType: ApiKeyResourceType;
  readonly permission: ApiKeyPermissionLevel;
}

/** One permission of a key, as a program gives it. */
export interface ApiKeyPermissionArgs {
  readonly resourceType: pulumi.Input<ApiKeyResourceType>;
  readonly permission: pulumi.Input<ApiKeyPermissionLevel>;
}
