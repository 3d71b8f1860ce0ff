import { ForbiddenError, NotFoundError } from "../../api/errors";
import { idKey, type TrailView } from "./audit-trail";
import { idText, isGoing, orUndefined } from "./created-object";
import type { Props } from "../kind";
import { callOf, type ResourceCall } from "../resource-call";

/** After this time no request that was cut off is carried out any more, and no audit log is as late. */
const SURELY_OVER_MS = 3_600_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4_000;
const GROWTH = 1.5;
/** Objects of the name that were there long before are nobody's lost creation; the two clocks may differ. */
const CANDIDATES_SINCE_MS = 3_600_000;
/** These precede the work of the request, and the client sends it again after some of them: they do not prove that nothing was made. */
const UNSETTLED_REFUSALS: readonly number[] = [401, 408, 409, 425, 429];

/** A creation that was sent and whose answer nobody has. */
export interface SentCreation {
  /** Absent for one of release 0.1.0. */
  readonly token: string | undefined;
  readonly name: unknown;
  /** What says where the object is. */
  readonly inputs: Props;
  /** When it was sent at the earliest, and when its process was last known to live, by the API's clock. */
  readonly sentAt: number;
  readonly livedAt: number;
  /** How long ago it was sent, by this machine's clock; infinity if no journal says it. */
  readonly agoHereMs: number;
  /**
   * Whether this very run has sent it. Then what it has made is still there; later somebody may have deleted that, and the one
   * object that is left of the name is somebody else's.
   */
  readonly isOfThisRun: boolean;
}

/** What has become of a creation. */
export type Outcome =
  /** Proven: it made this; more than one where the network delivered it more than once. */
  | { readonly status: "made"; readonly ids: readonly string[] }
  /** Proven: it made nothing, and will not. */
  | { readonly status: "nothing" }
  /** Not proven. `candidates`: the objects that could be it. */
  | { readonly status: "unclear"; readonly candidates: readonly Props[]; readonly why: string };

/**
 * Finds out by the audit log what a creation has made. The log may be late, so it is asked again until `endsAt`, by this machine's
 * clock. Rejects as the log and the list do, but for a log that may not be read.
 */
export async function outcomeOf(doing: ResourceCall, sent: SentCreation, endsAt: number): Promise<Outcome> {
  const { token } = sent;
  const { run, urn } = doing;
  if (token === undefined) return unclear(doing, sent, "Release 0.1.0 sent it, and left no proof.");
  const startedAt = run.clock.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    const isLast = run.clock.now() + pauseMs > endsAt;
    const view = await viewOf(doing, sent, isLast ? endsAt - run.clock.now() : 0);
    if (typeof view === "string") return unclear(doing, sent, view);
    const proven = provenBy(view, sent, token);
    if (proven) return proven;
    if (isLast) return judge(doing, sent, token, view);
    const waitedS = Math.round((run.clock.now() - startedAt) / 1000);
    run.rows.status(urn, `waiting for the audit log to show whether the creation was carried out: ${waitedS}s`);
    await run.clock.sleep(pauseMs);
  }
}

/** What the log shows, or why it does not. `agoMs`, negative: how old what was read for somebody else may be. */
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

/** What the log proves of a creation; undefined if it proves nothing. */
export function provenBy(view: TrailView, sent: SentCreation, token: string): Outcome | undefined {
  const entries = view.sentWith(token);
  const made = entries.filter(({ status_code: status }) => status >= 200 && status < 300);
  const ids = made.flatMap(({ target }) => (target ? [target.id] : [])).reverse(); // the newest stands first
  if (ids.length > 0) return { status: "made", ids: distinct(ids) };
  if (made.length > 0) return undefined;
  const isRefused = entries.some(
    ({ status_code: status }) => status >= 400 && status < 500 && !UNSETTLED_REFUSALS.includes(status),
  );
  // By both clocks: the API's may jump, and then the request may still be on its way.
  const isOld = view.readAt >= sent.livedAt + SURELY_OVER_MS && sent.agoHereMs >= SURELY_OVER_MS;
  const isOver = view.isWhole && isOld;
  const mayHaveMade = entries.some(({ status_code: status }) => status >= 500);
  return isRefused || (isOver && !mayHaveMade) ? { status: "nothing" } : undefined;
}

/** The log has had its time. If it shows the request without its object, and no other such, that is the one that no entry explains. */
async function judge(doing: ResourceCall, sent: SentCreation, token: string, view: TrailView): Promise<Outcome> {
  const candidates = await candidatesFor(doing, sent, view);
  const isShown = view.sentWith(token).length > 0;
  const [only, second] = candidates;
  const isAlone = view.isWhole && view.isOnlyUnexplained(token);
  if (sent.isOfThisRun && isAlone && only && !second) return { status: "made", ids: [idText(only)] };
  const why = view.isWhole
    ? `The audit log does not show ${isShown ? "what it made" : "the request (yet)"}.`
    : "The audit log is too long to read back to the request.";
  return { status: "unclear", candidates, why };
}

async function unclear(doing: ResourceCall, sent: SentCreation, why: string): Promise<Outcome> {
  return { status: "unclear", candidates: await candidatesFor(doing, sent), why };
}

/** The objects of that name that could be it. */
async function candidatesFor(doing: ResourceCall, sent: SentCreation, view?: TrailView): Promise<readonly Props[]> {
  const { kind, run } = doing;
  const { name, inputs, sentAt, token = "" } = sent;
  const isCandidate = (wire: Props): boolean => {
    const id = idText(wire);
    const madeAt = typeof wire["created_at"] === "string" ? Date.parse(wire["created_at"]) : Number.NaN;
    if (wire["name"] !== name || madeAt < sentAt - CANDIDATES_SINCE_MS || isGoing(wire)) return false;
    return !run.journal.knows(id) && view?.isMadeByOther(id, token) !== true;
  };
  const found = await orUndefined(async () => {
    const objects: Props[] = [];
    for await (const wire of kind.handler(run.api).list(inputs, callOf(doing)))
      if (isCandidate(wire)) objects.push(wire);
    return objects;
  });
  return found ?? [];
}

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Map(ids.map((id) => [idKey(id), id])).values()];
}
