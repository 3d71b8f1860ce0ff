import { collectionAt } from "../kind/collection-at";
import { ForbiddenError, NotFoundError, orUndefined } from "../../api/errors";
import type { AuditLogView } from "./audit-log-reader";
import { provenBy, type CreationOutcome, type SentCreation } from "./proof";
import { idText } from "./lost-creation";
import { isBeingDeleted } from "../../api/schema";
import type { Props } from "../kind/kind";
import { callOf } from "../objects/resource-call";
import type { RecoveryCall } from "./recovery-call";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4_000;
const GROWTH = 1.5;
/** Older objects of the name belong to no lost creation. The margin is for the difference of the clocks. */
const CANDIDATES_SINCE_MS = 3_600_000;

/**
 * Finds the objects of a creation in the audit log. Log and lists may be late, and the request may still be on its way, so this asks until
 * `endsAt`, by this machine's clock. Rejects as the log and the list do, unless the log may not be read.
 */
export async function outcomeOf(call: RecoveryCall, sent: SentCreation, endsAt: number): Promise<CreationOutcome> {
  const { run, urn } = call;
  const startedAt = run.clock.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    const isLast = run.clock.now() + pauseMs > endsAt;
    const shown = await viewOf(call, sent, isLast ? run.clock.now() - endsAt : 0);
    const view = typeof shown === "string" ? undefined : shown;
    const proven = view && provenBy(view, sent);
    if (proven?.status === "made") return proven;
    // A refusal may be the answer to a second delivery: the object of the first one then stands in the list before the log shows it.
    const candidates = proven || isLast || !view ? await candidatesFor(call, sent, view) : [];
    if (proven && candidates.length === 0) return proven;
    if (isLast || (!view && candidates.length > 0)) {
      const why = typeof shown === "string" ? shown : whyNotProven(shown, sent);
      return { status: "unclear", candidates, why, mayShowLater: view !== undefined };
    }
    const waitedS = Math.round((run.clock.now() - startedAt) / 1000);
    run.rows.status(urn, `waiting for the API to show whether the creation was carried out: ${waitedS}s`);
    await run.clock.sleep(pauseMs);
  }
}

/** The content of the log, or why it cannot be read. */
async function viewOf(
  { run }: RecoveryCall,
  { sentAt }: SentCreation,
  maxAgeMs: number,
): Promise<AuditLogView | string> {
  try {
    return await run.audit.read(sentAt, maxAgeMs);
  } catch (error) {
    if (error instanceof ForbiddenError) {
      return "The audit log shows what the creation made, but this API key may not read it (audit_log:read).";
    }
    if (error instanceof NotFoundError) return "The API has no audit log, so nothing proves what the creation made.";
    throw error;
  }
}

/** The log has had its time. */
function whyNotProven(view: AuditLogView, { token }: SentCreation): string {
  if (!view.isComplete) return "The audit log is too long to read back to the request.";
  return `The audit log does not show ${view.sentWith(token).length > 0 ? "what it made" : "the request (yet)"}.`;
}

/** The objects of that name that it may have made. */
async function candidatesFor(call: RecoveryCall, sent: SentCreation, view?: AuditLogView): Promise<readonly Props[]> {
  const { kind, run } = call;
  const { inputs, token } = sent;
  const isCandidate = (wire: Props): boolean => {
    const id = idText(wire);
    if (!mayHaveMade(sent, wire) || isBeingDeleted(wire)) return false;
    return !run.journal.knows(id) && view?.isMadeByOther(id, token) !== true;
  };
  const found = await orUndefined(async () => {
    const objects: Props[] = [];
    for await (const wire of collectionAt(run.api, kind, inputs).list(callOf(call)))
      if (isCandidate(wire)) objects.push(wire);
    return objects;
  });
  return found ?? [];
}

/** Whether an object has the creation's name, and is not older. */
export function mayHaveMade({ isNamed, sentAt }: SentCreation, { name, created_at: madeAt }: Props): boolean {
  const isOlder = typeof madeAt === "string" && Date.parse(madeAt) < sentAt - CANDIDATES_SINCE_MS;
  return isNamed(name) && !isOlder;
}
