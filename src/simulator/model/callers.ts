import { createHash, randomBytes } from "node:crypto";
import { isAccepted, type SourceIpRule } from "./addresses";
import type { ApiKey, PermissionLevel, ResourceType } from "../schemas/api-key";
import { seededIds } from "./catalogs";
import type { SimulatedClock } from "./time";

/** The caller of a request: what the checks of section 5 and the audit log need. */
export interface Caller {
  readonly actor: { readonly id: string; readonly name: string | null; readonly type: "user" | "api_key" };
  /** True for an owner, whom no permission, project scope or ceiling limits (section 5.4). */
  readonly isOwner: boolean;
  /** True if the caller has this permission or a wider one. */
  may(resourceType: ResourceType, level: PermissionLevel): boolean;
  /** True if the project is in the caller's scope, even if the project does not exist. */
  reaches(projectId: string): boolean;
  mayComeFrom(clientIp: string): boolean;
}

/** The status of section 3.1: active from `starts_at` on, and no longer at `expires_at`. */
export function apiKeyStatus(
  { starts_at, expires_at }: Pick<ApiKey, "starts_at" | "expires_at">,
  nowMs: number,
): "active" | "inactive" | "expired" {
  if (nowMs >= Date.parse(expires_at)) return "expired";
  return starts_at !== undefined && nowMs < Date.parse(starts_at) ? "inactive" : "active";
}

/** A new secret (section 5.1): 32 random bytes, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a secret, for comparison. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64");
}

/** Hashes of the secrets of the API keys. A key without a secret cannot sign in. */
export class ApiKeySecrets {
  readonly #ids = new Map<string, string>();
  readonly #hashes = new Map<string, string>();

  set(id: string, secret: string): void {
    this.remove(id);
    const hash = hashSecret(secret);
    this.#hashes.set(id, hash);
    this.#ids.set(hash, id);
  }

  remove(id: string): void {
    this.#ids.delete(this.#hashes.get(id) ?? "");
    this.#hashes.delete(id);
  }

  idOf(hash: string): string | undefined {
    return this.#ids.get(hash);
  }
}

export function callerOf({ id, name, permissions, project_ids, source_ip_rule }: ApiKey): Caller {
  return {
    actor: { id, name, type: "api_key" },
    isOwner: false,
    may: (resourceType, level) =>
      permissions.some((row) => row.resource_type === resourceType && ["edit", level].includes(row.permission)),
    reaches: (projectId) => project_ids.includes(projectId),
    mayComeFrom: (clientIp) => isAccepted(clientIp, source_ip_rule),
  };
}

/**
 * The owner of the organization. The owner key signs in like a session of the dashboard (section 5.4, rule 4). It is
 * not an API key object: it has no validity window, cannot be deleted, and is in no list.
 */
export class OwnerSettings {
  readonly user = { id: seededIds.owner, email: "owner@example.invalid", first_name: "Olive", last_name: "Owner" };
  readonly caller: Caller = {
    actor: { id: seededIds.owner, name: "owner", type: "user" },
    isOwner: true,
    may: () => true,
    reaches: () => true,
    mayComeFrom: (clientIp) => isAccepted(clientIp, this.sourceIpRule),
  };
  readonly createdAtMs: number;
  updatedAtMs: number;
  sourceIpRule: SourceIpRule = { allowed: [], blocked: [] };
  readonly #secretHash: string;

  constructor(clock: SimulatedClock, secret: string) {
    this.#secretHash = hashSecret(secret);
    this.createdAtMs = this.updatedAtMs = clock.now();
  }

  hasSecret(hash: string): boolean {
    return hash === this.#secretHash;
  }
}
