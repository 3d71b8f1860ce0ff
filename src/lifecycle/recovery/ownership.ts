import { isDeepStrictEqual } from "node:util";
import { collectionAt } from "../kind/collection-at";
import { orUndefined } from "../../api/errors";
import type { AuditLogView } from "./audit-log-reader";
import { provenBy, unclear, type CreationName, type CreationOutcome, type SentCreation } from "./proof";
import { idText } from "./lost-creation";
import { isNamed, type JournalEntry } from "../../journal/entry";
import { isUnderWay } from "../../journal/sender";
import { isThisProcess, thisProcess } from "../../process/process-identity";
import { CreationUnderWayError } from "../errors";
import { isBeingDeleted } from "../../api/schema";
import type { Props } from "../kind/kind";
import { callOf } from "../objects/resource-call";
import type { RecoveryCall } from "./recovery-call";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4_000;
const BACKOFF_FACTOR = 1.5;
/** Objects that are older than the creation by more than this are not candidates. The margin allows for different clocks. */
const CANDIDATES_SINCE_MS = 3_600_000;

/**
 * Finds the objects of a creation in the audit log. Log and lists may be late, and the request may still be under way, so it asks
 * until `endsAt` (epoch milliseconds by this machine's clock). Rejects if the log or the list fails, but not if the key may not read
 * the log.
 */
export async function outcomeOf(call: RecoveryCall, sent: SentCreation, endsAt: number): Promise<CreationOutcome> {
  const { run, urn } = call;
  const startedAt = run.clock.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * BACKOFF_FACTOR, LONGEST_PAUSE_MS)) {
    const isLast = run.clock.now() + pauseMs > endsAt;
    const view = await run.audit.read(sent.sentAt, isLast ? run.clock.now() - endsAt : 0);
    const isRead = view.refusal === undefined;
    const outcome = provenBy(view, sent);
    if (outcome.status === "made") return outcome;
    // The list may show an object before the log does. So even after a refusal, which may be the answer to a second delivery, it looks
    // for candidates.
    const isProven = outcome.status !== "unclear";
    const candidates = isProven || isLast || !isRead ? await candidatesFor(call, sent, view) : [];
    if (isProven && candidates.length === 0) return outcome;
    if (isLast || (!isRead && candidates.length > 0))
      return { ...(isProven ? unclear("The audit log does not show what it made.") : outcome), candidates };
    const waitedS = Math.round((run.clock.now() - startedAt) / 1000);
    run.rows.status(urn, `waiting for the API to show whether the creation was carried out: ${waitedS}s`);
    await run.clock.sleep(pauseMs);
  }
}

/** The objects with the creation's name that it may have made. */
async function candidatesFor(call: RecoveryCall, sent: SentCreation, view: AuditLogView): Promise<readonly Props[]> {
  const { kind, run } = call;
  const isOthers = (id: string): boolean => run.journal.knows(id) || view.isMadeByOther(id, sent.token);
  const found: Props[] = [];
  await orUndefined(async () => {
    for await (const wire of collectionAt(run.api, kind, sent.inputs).list(callOf(call)))
      if (mayHaveMade(sent, wire, sent.sentAt) && !isBeingDeleted(wire) && !isOthers(idText(wire))) found.push(wire);
  });
  return found;
}

/** True if an object has the creation's name and is not older. `sentAt`: epoch milliseconds by the API's clock. */
export function mayHaveMade(creation: CreationName, { name, created_at: madeAt }: Props, sentAt: number): boolean {
  const isOlder = typeof madeAt === "string" && Date.parse(madeAt) < sentAt - CANDIDATES_SINCE_MS;
  return isNamed(creation, name) && !isOlder;
}

/**
 * Notes in an earlier run's entry that this process works on its object, so that no other process deletes or takes it. Resolves with
 * undefined if the entry was closed meanwhile. Rejects with CreationUnderWayError if another process works on the object:
 * `cloudinfra doctor --delete` may be deleting it.
 */
export async function takeInHand({ run, kind }: RecoveryCall, entry: JournalEntry): Promise<JournalEntry | undefined> {
  if (isThisProcess(entry.sender)) return entry;
  const now = await run.journal.reread(entry);
  if (!now) return undefined;
  if (isDeepStrictEqual(now.sender, entry.sender) && !isUnderWay(now, run.clock.timeOfDay()))
    return run.journal.amend(entry, () => ({ sender: thisProcess() }));
  throw new CreationUnderWayError(
    `Another process works on this ${kind.noun}: a run that takes it over, or \`cloudinfra doctor\`. Wait until it has ended, and ` +
      `look what became of the ${kind.noun}. Then run again.`,
  );
}
