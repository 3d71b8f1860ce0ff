/** What a permission of an API key can be about (specification, section 2.2). */
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
