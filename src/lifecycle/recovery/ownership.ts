import { ForbiddenError, NotFoundError } from "../../api/errors";
import type { TrailView } from "./audit-trail";
import { provenBy, type CreationOutcome, type SentCreation } from "./proof";
import { idText, isGoing, orUndefined } from "./created-object";
import type { Props } from "../kind";
import { callOf, type ResourceCall } from "../resource-call";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4_000;
const GROWTH = 1.5;
/** Older objects of the name belong to no lost creation. The margin is for the difference of the clocks. */
const CANDIDATES_SINCE_MS = 3_600_000;

/**
 * Finds the objects of a creation in the audit log. The log may be late, so this asks until `endsAt`, by this machine's clock.
 * Rejects as the log and the list do, unless the log may not be read.
 */
export async function outcomeOf(call: ResourceCall, sent: SentCreation, endsAt: number): Promise<CreationOutcome> {
  const { token } = sent;
  const { run, urn } = call;
  if (token === undefined) return unclear(call, sent, "Release 0.1.0 sent it, and left no proof.");
  const startedAt = run.clock.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    const isLast = run.clock.now() + pauseMs > endsAt;
    const view = await viewOf(call, sent, isLast ? endsAt - run.clock.now() : 0);
    if (typeof view === "string") return unclear(call, sent, view);
    const proven = provenBy(view, sent, token);
    if (proven) return proven;
    if (isLast) return judge(call, sent, token, view);
    const waitedS = Math.round((run.clock.now() - startedAt) / 1000);
    run.rows.status(urn, `waiting for the audit log to show whether the creation was carried out: ${waitedS}s`);
    await run.clock.sleep(pauseMs);
  }
}

/** The content of the log, or why it cannot be read. `agoMs` is negative: the allowed age of a shared copy. */
async function viewOf({ run }: ResourceCall, { sentAt }: SentCreation, agoMs: number): Promise<TrailView | string> {
  try {
    return await run.audit.read(sentAt, run.api.serverNow() + Math.min(0, agoMs));
  } catch (error) {
    if (error instanceof ForbiddenError) {
      return "The audit log shows what the creation made, but this API key may not read it (audit_log:read).";
    }
    if (error instanceof NotFoundError) return "The API has no audit log, so nothing proves what the creation made.";
    throw error;
  }
}

/**
 * The log has had its time. If it shows the request without its object, and no other such request, the unexplained object is
 * its own.
 */
async function judge(call: ResourceCall, sent: SentCreation, token: string, view: TrailView): Promise<CreationOutcome> {
  const candidates = await candidatesFor(call, sent, view);
  const isShown = view.sentWith(token).length > 0;
  const [only, second] = candidates;
  const isAlone = view.isWhole && view.isOnlyUnexplained(token);
  if (sent.isOfThisRun && isAlone && only && !second) return { status: "made", ids: [idText(only)] };
  const why = view.isWhole
    ? `The audit log does not show ${isShown ? "what it made" : "the request (yet)"}.`
    : "The audit log is too long to read back to the request.";
  return { status: "unclear", candidates, why };
}

async function unclear(call: ResourceCall, sent: SentCreation, why: string): Promise<CreationOutcome> {
  return { status: "unclear", candidates: await candidatesFor(call, sent), why };
}

/** The objects of that name that it may have made. */
async function candidatesFor(call: ResourceCall, sent: SentCreation, view?: TrailView): Promise<readonly Props[]> {
  const { kind, run } = call;
  const { name, inputs, sentAt, token = "" } = sent;
  const isCandidate = (wire: Props): boolean => {
    const id = idText(wire);
    const madeAt = typeof wire["created_at"] === "string" ? Date.parse(wire["created_at"]) : Number.NaN;
    if (wire["name"] !== name || madeAt < sentAt - CANDIDATES_SINCE_MS || isGoing(wire)) return false;
    return !run.journal.knows(id) && view?.isMadeByOther(id, token) !== true;
  };
  const found = await orUndefined(async () => {
    const objects: Props[] = [];
    for await (const wire of kind.handler(run.api).list(inputs, callOf(call)))
      if (isCandidate(wire)) objects.push(wire);
    return objects;
  });
  return found ?? [];
}
