import { createHash, randomBytes } from "node:crypto";
import type { Caller, Permission } from "./permissions";
import type { PriceList, Usage } from "./prices";
import { PermissionSet } from "./permissions";
import { sourceIpCheck, type SourceIpRule } from "./source-ip-rule";
import { Table } from "./table";

/** An API key as it is kept: the secret only as its hash, the status not at all (it follows from the clock). */
export interface ApiKeyRecord {
  readonly id: string;
  readonly secretHash: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly startsAtMs: number | undefined;
  readonly expiresAtMs: number;
  readonly managed: boolean;
  readonly permissions: readonly Permission[];
  readonly projectIds: readonly string[];
  readonly sourceIpRule: SourceIpRule;
  readonly tags: readonly string[];
}

/** A row that is priced at nothing, which is not the same as no row. */
export const apiKeyPrices: PriceList = { api_key: { displayName: "API key", unitPrice: "0.00" } };

/** The dimensions that bill an API key. */
export const apiKeyUsage: readonly Usage[] = [{ dimension: "api_key", quantity: 1 }];

/** The status of section 3.1. */
export type ApiKeyStatus = "active" | "inactive" | "expired";

/** The status of a key's window at an instant: valid from `starts_at` on, and no longer at `expires_at`. */
export function apiKeyStatus(
  { startsAtMs, expiresAtMs }: Pick<ApiKeyRecord, "startsAtMs" | "expiresAtMs">,
  nowMs: number,
): ApiKeyStatus {
  if (nowMs >= expiresAtMs) return "expired";
  return startsAtMs !== undefined && nowMs < startsAtMs ? "inactive" : "active";
}

/** A new secret (section 5.1): 32 random bytes, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a secret, for comparison. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64");
}

/** The organization's keys, found by id and by the hash of their secret. */
export class ApiKeys {
  readonly table = new Table<ApiKeyRecord>(() => "");
  readonly #callers = new Map<string, { readonly id: string; caller: Caller }>();

  insert(record: ApiKeyRecord): void {
    this.table.insert(record);
    this.#callers.set(record.secretHash, { id: record.id, caller: callerOf(record) });
  }

  update(id: string, changes: Partial<ApiKeyRecord>): void {
    this.table.update(id, changes);
    const record = this.table.get(id);
    if (record) this.#callers.set(record.secretHash, { id, caller: callerOf(record) });
  }

  remove(id: string): void {
    const record = this.table.get(id);
    if (record) this.#callers.delete(record.secretHash);
    this.table.remove(id);
  }

  /** The key that a secret belongs to now. Undefined if it is unknown, deleted, expired or not yet started (section 7.2). */
  authenticate(secretHash: string, nowMs: number): Caller | undefined {
    const found = this.#callers.get(secretHash);
    const record = found && this.table.get(found.id);
    return record && apiKeyStatus(record, nowMs) === "active" ? found.caller : undefined;
  }
}

function callerOf(record: ApiKeyRecord): Caller {
  const permissions = new PermissionSet(record.permissions);
  const projectIds = new Set(record.projectIds);
  return {
    actor: { id: record.id, name: record.name, type: "api_key" },
    isOwner: false,
    may: (resourceType, level) => permissions.has(resourceType, level),
    reaches: (projectId) => projectIds.has(projectId),
    mayComeFrom: sourceIpCheck(record.sourceIpRule),
  };
}
