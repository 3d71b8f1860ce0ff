import { createHash, randomBytes } from "node:crypto";
import type { ApiKey } from "../schemas/api-key";
import { type Caller, PermissionSet } from "./permissions";
import { sourceIpCheck } from "./source-ip-rule";

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

/** The secrets of the API keys, as hashes only. A key without one cannot sign in. */
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

/** Each request of a key asks for it; a changed key is another object. */
const callers = new WeakMap<ApiKey, Caller>();

/** The caller that signs in with a key. */
export function callerOf(key: ApiKey): Caller {
  let caller = callers.get(key);
  if (!caller) {
    const permissions = new PermissionSet(key.permissions);
    const projectIds = new Set(key.project_ids);
    caller = {
      actor: { id: key.id, name: key.name, type: "api_key" },
      isOwner: false,
      may: (resourceType, level) => permissions.has(resourceType, level),
      reaches: (projectId) => projectIds.has(projectId),
      mayComeFrom: sourceIpCheck(key.source_ip_rule),
    };
    callers.set(key, caller);
  }
  return caller;
}
