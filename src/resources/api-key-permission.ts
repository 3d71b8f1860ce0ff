import type * as pulumi from "@pulumi/pulumi";
import { words } from "../definition/enumeration";
import { failure, type Finding, type ValidPart } from "../definition/rule-context";

/** The resource types of permissions of an API key (specification, section 2.2). */
export const API_KEY_RESOURCE_TYPE = words("ApiKeyResourceType", "The kind of objects that a permission is for.", {
  vm: "VMs.",
  vpc: "VPCs.",
  volume: "Volumes.",
  connect_connection: "Connect connections.",
  rpc_node_dedicated: "Dedicated RPC nodes.",
  rpc_node_flex: "Flex RPC nodes.",
  nks_cluster: "NKS clusters.",
  nks_node_pool: "Node pools of NKS clusters.",
  project: "Projects.",
  api_key: "API keys.",
  organization: "The organization.",
  audit_log: "The audit log.",
  usage: "Usage and costs.",
});

/** The levels of a permission (specification, section 2.2). */
export const API_KEY_PERMISSION_LEVEL = words("ApiKeyPermissionLevel", "How far a permission goes.", {
  read: "The key may read.",
  edit: "The key may read, make, change and delete.",
});

/** The resource type of a permission. */
export type ApiKeyResourceType = (typeof API_KEY_RESOURCE_TYPE.values)[number];
/** The level of a permission. */
export type ApiKeyPermissionLevel = (typeof API_KEY_PERMISSION_LEVEL.values)[number];

/** A permission of a key. */
export interface ApiKeyPermission {
  /** The kind of objects that the permission is for. */
  readonly resourceType: ApiKeyResourceType;
  /** `read` or `edit`. `edit` includes `read`. */
  readonly permission: ApiKeyPermissionLevel;
}

/** A permission of a key in a program. */
export interface ApiKeyPermissionArgs {
  /** The kind of objects that the permission is for. */
  readonly resourceType: pulumi.Input<ApiKeyResourceType>;
  /** `read` or `edit`. `edit` includes `read`. */
  readonly permission: pulumi.Input<ApiKeyPermissionLevel>;
}

/** Findings if a key has two levels for a resource type (specification, section 5.5). */
export function levelFindings(permissions: readonly ValidPart<ApiKeyPermission>[] = []): readonly Finding[] {
  const types = permissions.map(({ resourceType }) => resourceType);
  return types.flatMap((type, index) => {
    if (type === undefined) return [];
    const first = types.indexOf(type);
    const reason = `has a second level for ${type}, which permissions[${first}] has already: edit includes read`;
    return first === index ? [] : [failure(`permissions[${index}]`, reason)];
  });
}
