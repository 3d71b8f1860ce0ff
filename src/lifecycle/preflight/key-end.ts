import { randomBytes } from "node:crypto";
import ms from "ms";
import { z } from "zod";
import type { Api, CallOptions } from "../../api/client";
import { ForbiddenError } from "../../api/errors";
import type { AuditLog } from "../../api/lists/audit-log";
import type { PreflightRequests } from "../../api/advisory-requests";
import { dateTime } from "../../api/schema";
import { STACK, type RowLog } from "../../engine/row-log";
import { DAY_MS } from "../../process/utc";

/** If the service filters, it returns the entries of the last minute only. */
const SINCE_MS = 60_000;
const MOST_ENTRIES = 100;

interface KeyEndTools {
  readonly api: Api;
  readonly preflight: PreflightRequests;
  readonly previewRows: RowLog;
}

/**
 * Finds out when the API key expires. No endpoint shows the key of the request itself. But the audit log shows the key's id as the
 * actor of its requests, and the key can be read by its id.
 */
export class KeyEnd {
  /** A comment for the `User-Agent` of a request that the log records. It identifies the entry. */
  readonly comment = `preview ${randomBytes(8).toString("hex")}`;
  /** Why it is not known when the key expires. Undefined if it is known, or if the key may not read the log or API keys. */
  trouble: string | undefined;
  #warned: Promise<void> | undefined;

  constructor(private readonly run: KeyEndTools) {}

  /** Warns once if the key expires within a day. It says nothing if the key may not read the log or API keys. */
  warn(): Promise<void> {
    return (this.#warned ??= this.#warn());
  }

  async #warn(): Promise<void> {
    const { api, preflight, previewRows } = this.run;
    const reply = await preflight
      .ask("permissions", (call) => this.#findIfPermitted(call), true)
      .catch(() => undefined); // other requests report a refused key
    if (reply?.status === "skipped") this.trouble = reply.reason;
    if (reply?.status === "refused") this.trouble = reply.refusal.words;
    const expiresAt = reply?.status === "answered" ? reply.answer : undefined;
    const leftMs = Date.parse(expiresAt ?? "") - api.serverNow();
    if (!(leftMs < DAY_MS)) return;
    const text =
      `The API key from ${api.credentials.current.source} expires in ${ms(Math.max(0, leftMs), { long: true })}, at ${expiresAt}: ` +
      `then each request fails with 401, also in the middle of a run. Make a new key before a long update.`;
    await previewRows.line(STACK, "warning", text);
  }

  async #findIfPermitted(call: CallOptions): Promise<string | undefined> {
    try {
      return await this.#find({ ...call, purpose: "find out when the API key expires" });
    } catch (error) {
      if (error instanceof ForbiddenError) return undefined;
      throw error;
    }
  }

  async #find(call: CallOptions): Promise<string | undefined> {
    const { api } = this.run;
    const actor = await actorOfRequest(api, this.comment, call);
    const key = z.looseObject({ expires_at: dateTime });
    return actor?.type === "api_key"
      ? (await api.show(key, ["v1", "api_keys", actor.id], {}, call)).expires_at
      : undefined;
  }
}

/** The API key or person that has sent a request with this comment. Undefined if the first entries of the log do not show it. */
export async function actorOfRequest(
  api: Api,
  comment: string,
  call: CallOptions,
): Promise<AuditLog["actor"] | undefined> {
  let count = 0;
  const since = api.serverNow() - SINCE_MS;
  for await (const { actor, user_agent: agent } of api.auditLogs.list({ ...call, since })) {
    if (agent.includes(comment)) return actor;
    if (++count === MOST_ENTRIES) return undefined;
  }
  return undefined;
}
