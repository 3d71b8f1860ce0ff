import type * as pulumi from "@pulumi/pulumi";
import type { API_KEY_PERMISSION_LEVELS, API_KEY_RESOURCE_TYPES } from "../api/api-key-permission";

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
