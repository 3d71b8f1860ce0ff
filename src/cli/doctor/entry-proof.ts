import { RequestError } from "../../api/errors";
import type { Api } from "../../api/client";
import { isSameId } from "../../api/same-id";
import { systemClock } from "../../process/clock";
import type { JournalEntry } from "../../journal/journal";
import { AuditLogReader } from "../../lifecycle/recovery/audit-log-reader";

/** What the audit log proves of an entry's request. Without a log that this API key may read, nothing. */
export interface EntryProof {
  /** The log shows the request, so the key is of the account that the entry is about. */
  readonly isSameAccount: boolean;
  /** Whether the request made this object. Undefined if the log shows neither that nor another request that did. */
  madeIt(id: string): boolean | undefined;
}

/** Reads the audit log as far back as the entry. */
export async function proofOf(api: Api, entry: JournalEntry): Promise<EntryProof> {
  try {
    const view = await new AuditLogReader(systemClock, () => api).read(Date.parse(entry.sentAt));
    const shown = view.sentWith(entry.token);
    return {
      isSameAccount: shown.length > 0,
      madeIt: (id) => {
        if (shown.some(({ target }) => isSameId(target?.id, id))) return true;
        return view.isMadeByOther(id, entry.token) ? false : undefined;
      },
    };
  } catch (error) {
    if (error instanceof RequestError) return { isSameAccount: false, madeIt: () => undefined };
    throw error;
  }
}
