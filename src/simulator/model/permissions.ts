import type { resourceTypes } from "./catalogues";

/** A resource type that permissions speak of. */
export type ResourceType = (typeof resourceTypes)[number];

/** The levels of a permission; edit includes read. */
export const permissionLevels = ["read", "edit"] as const;

export type PermissionLevel = (typeof permissionLevels)[number];

/** APIKeyPermission of section 2.2. */
export interface Permission {
  readonly resource_type: ResourceType;
  readonly permission: PermissionLevel;
}

/** The caller, as the permission and scope checks of section 5 and the audit log need it. */
export interface Caller {
  readonly actor: { readonly id: string; readonly name: string | null; readonly type: "user" | "api_key" };
  /** Whether the caller is an owner, whom no permission, project scope or ceiling limits (section 5.4). */
  readonly isOwner: boolean;
  /** Whether the caller holds a permission, itself or in a wider one. */
  may(resourceType: ResourceType, level: PermissionLevel): boolean;
  /** Whether a project is within the caller's scope, existing or not. */
  reaches(projectId: string): boolean;
  /** Whether the caller may come from an address. */
  mayComeFrom(clientIp: string): boolean;
}

/** A set of permissions that answers at once. */
export class PermissionSet {
  readonly #levels = new Map<ResourceType, PermissionLevel>();

  constructor(permissions: readonly Permission[]) {
    for (const { resource_type, permission } of permissions) {
      if (this.#levels.get(resource_type) !== "edit") this.#levels.set(resource_type, permission);
    }
  }

  has(resourceType: ResourceType, level: PermissionLevel): boolean {
    const held = this.#levels.get(resourceType);
    return held === "edit" || (held === "read" && level === "read");
  }
}
