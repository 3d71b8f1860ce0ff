import { ApiError } from "../../api/errors";
import { isSameId } from "../../api/same-id";
import type { Api } from "../../api/client";

/** The searched part of the audit log. */
const ENTRIES = 100;

/**
 * The address of this credential's requests, as the API sees it. Only the audit log shows it. Undefined if the log may not be
 * read, or has no entry of the credential.
 */
export async function ownAddress(api: Api, id: string): Promise<string | undefined> {
  let count = 0;
  try {
    for await (const { actor, client_ip } of api.auditLogs.list({ what: "look for this machine's address" })) {
      if (isSameId(actor.id, id)) return client_ip;
      count += 1;
      if (count >= ENTRIES) return undefined;
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return undefined;
}
