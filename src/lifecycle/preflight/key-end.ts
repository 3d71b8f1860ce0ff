import { randomBytes } from "node:crypto";
import ms from "ms";
import { z } from "zod";
import type { Api, CallOptions } from "../../api/client";
import { ForbiddenError, isRefusedCredential } from "../../api/errors/api-error";
import { MAX_ENTRIES, type AuditLog } from "../../api/lists/audit-log";
import { reasonOf, type Reply } from "../../api/advisory-requests";
import { dateTime } from "../../time/date-time";
import { STACK } from "../../engine/row-log";
import { DAY_MS } from "../../time/utc";
import type { AdvisoryRun } from "../pricing/quote-of-creation";

const SINCE_MS = 60_000;
/** A preview does not wait for more entries. */
const MAX_OF_PREVIEW = 100;

const FORBIDDEN = "to find out, the key needs audit_log:read and api_key:read";

/** `unknown`: why it is not known. */
interface KeyExpiry {
  readonly expiresAt?: string;
  readonly unknown?: string;
}

/**
 * Finds out when the API key expires. No endpoint shows the key of the request itself. But the audit log shows the
 * key's id as the actor of its requests, and the key can be read by its id.
 */
export class KeyEnd {
  /** A comment for the `User-Agent` of a request that the log records. It identifies the entry. */
  readonly comment = `preview ${randomBytes(8).toString("hex")}`;
  /** Why the API did not answer. Undefined if it did, or if the key may not read the log or API keys. */
  trouble: string | undefined;
  #warned: Promise<void> | undefined;

  constructor(private readonly run: AdvisoryRun) {}

  /**
   * Warns if the key expires within a day, or if that could not be found out. Called for each step of a preview, and
   * warns once.
   */
  warn(): Promise<void> {
    return (this.#warned ??= this.#warn());
  }

  async #warn(): Promise<void> {
    const { api, advisory, previewRows } = this.run;
    const reply = await advisory
      .ask("permissions", (options) => this.#findIfPermitted(options), true)
      .catch((error: unknown): Reply<KeyExpiry> => ({ status: "skipped", reason: reasonOf(error) }));
    if (reply.status === "skipped") this.trouble = reply.reason;
    if (reply.status === "refused") this.trouble = reply.refusal.words;
    const { expiresAt, unknown } = reply.status === "answered" ? reply.answer : {};
    if (unknown !== undefined)
      return previewRows.line(STACK, "info", `The preview does not know when the API key expires: ${unknown}.`);
    const leftMs = Date.parse(expiresAt ?? "") - api.now();
    if (!(leftMs < DAY_MS)) return;
    const end = leftMs > 0 ? `expires in ${ms(leftMs, { long: true })}, at` : "has expired at";
    const text =
      `The API key from ${api.credentials.current.source} ${end} ${expiresAt}: ` +
      `then each request fails with 401, also in the middle of a run. Make a new key before a long update.`;
    await previewRows.line(STACK, "warning", text);
  }

  async #findIfPermitted(options: CallOptions): Promise<KeyExpiry> {
    try {
      return await this.#find({ ...options, purpose: "find out when the API key expires" });
    } catch (error) {
      if (error instanceof ForbiddenError && isRefusedCredential(error)) return { unknown: FORBIDDEN };
      throw error;
    }
  }

  async #find(options: CallOptions): Promise<KeyExpiry> {
    const { api } = this.run;
    const actor = await actorOfRequest(api, this.comment, options, MAX_OF_PREVIEW);
    if (actor === undefined) return { unknown: "the audit log does not show the preview's own requests" };
    if (actor.type !== "api_key") return {}; // nothing says that a person's credential expires
    const key = z.looseObject({ expires_at: dateTime });
    return { expiresAt: (await api.show(key, ["v1", "api_keys", actor.id], {}, options)).expires_at };
  }
}

/**
 * The API key or person that has sent a request with this comment. Undefined if the first `mostEntries` entries of the
 * log do not show it.
 */
export async function actorOfRequest(
  api: Api,
  comment: string,
  options: CallOptions,
  mostEntries = MAX_ENTRIES,
): Promise<AuditLog["actor"] | undefined> {
  const newest = { ...options, since: api.now() - SINCE_MS, mostEntries };
  for await (const { actor, user_agent: agent } of api.auditLogs.list(newest))
    if (agent.includes(comment)) return actor;
  return undefined;
}
