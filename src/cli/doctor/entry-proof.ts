import { RequestError } from "../../api/errors";
import { isSameId } from "../../definition/same-id";
import type { JournalEntry } from "../../journal/entry";
import { sentSince } from "../../lifecycle/recovery/journal-entry";
import type { Run } from "../../lifecycle/run/run";

/** The proof of the audit log about an entry's request. It proves nothing if the key may not read the log. */
export interface EntryProof {
  /** True if the log shows the request: the key then belongs to the account of the entry. */
  readonly isSameAccount: boolean;
  /** Whether the request made this object. Undefined if the log shows no request that made it. */
  readonly madeIt: (id: string) => boolean | undefined;
  /** The other objects that the request made, without those that the log shows as deleted. */
  readonly alsoMade: (id: string) => readonly string[];
}

/** Reads the audit log back to the time of the entry. */
export async function proofOf({ api, audit }: Run, entry: JournalEntry): Promise<EntryProof> {
  try {
    const view = await audit.read(sentSince(entry, api.now()));
    const shown = view.sentWith(entry.token);
    return {
      isSameAccount: shown.length > 0,
      madeIt: (id) => {
        if (shown.some(({ target }) => isSameId(target?.id, id))) return true;
        return view.isMadeByOther(id, entry.token) ? false : undefined;
      },
      alsoMade: (id) => {
        const made = shown.filter(({ status_code: status }) => status >= 200 && status < 300);
        const isKnown = (other: string): boolean => [id, entry.lastMadeId].some((known) => isSameId(known, other));
        return made.flatMap(({ target }) =>
          target && !isKnown(target.id) && !view.isDeleted(target.id) ? [target.id] : [],
        );
      },
    };
  } catch (error) {
    if (error instanceof RequestError) return { isSameAccount: false, madeIt: () => undefined, alsoMade: () => [] };
    throw error;
  }
}
