import { ownPartsOf } from "../kind/collection-at";
import { isDeepStrictEqual } from "node:util";
import { findingText, isFailure } from "../../definition/rules";
import { isSameId } from "../../api/same-id";
import { containsUnknown } from "../../engine/values";
import type { CostPair } from "../../cost/cost";
import { decimal, dollars } from "../../cost/money";
import { disagreements } from "../../cost/cost-line";
import { pairIn } from "../../cost/quoter";
import { adoptedIdOf } from "../adoption/adoption-check";
import { warnOfLostSecrets } from "../adoption/adopt";
import { toWireUpdate } from "../../definition/wire";
import { guardOwnCredential } from "../credential/own-credential";
import { assertChangeable, assertInAccount, beyondRepair } from "./changeable";
import { announceWaiting, whenReplaced } from "../credential/replaced-object";
import { reviewRetired } from "../credential/retired-objects";
import { changedFields, isNewlyGiven, replacingFields } from "../kind/change-policy";
import { warn } from "../report-findings";
import { isInTable, reportCost } from "../pricing/report-cost";
import { RefusedChangeError } from "../errors";
import type { Props, ResourceKind } from "../kind/kind";
import { verdictOnUpdate, type ProposedUpdate } from "../preflight/preflight";
import { costOf, lastCost } from "../pricing/cost-in-state";
import { costAfter } from "../pricing/proposed-cost";
import { handOverFound } from "../recovery/interrupted-creation";
import { type DiffAnswer, NO_MEMORY, type ResourceRequest, type ResourceState } from "../resource-request";
import { begin } from "../objects/resource-call";
import type { Run } from "../run/run";
import type { RunFacts } from "../memory/run-memory";

interface Difference {
  readonly changed: readonly string[];
  readonly replaces: readonly string[];
  /** The engine compares old inputs with new ones. If only the object at the API differs, the answer must say so. */
  readonly isSeenByEngine: boolean;
}

/** Compares the outputs with the new inputs by each field's policy. Reports the cost of an update in place. */
export async function diff(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<DiffAnswer> {
  const { urn, id, inputs: news, previous: outputs = { urn, props: {}, memory: NO_MEMORY } } = request;
  const olds = outputs.props;
  run.memory.noteCompared(request, outputs);
  const actual = await costOfPart(kind, run, run.memory.of(urn), outputs);
  if (actual) {
    run.memory.note(urn, { previous: actual.previous });
    notePair(run, urn, actual.pair);
  }
  const facts = run.memory.of(urn);
  const { owners } = run.memory;
  const { replaced, keptOfPair } = outputs.memory.object;
  const { generation, retirements } = outputs.memory;
  if (facts && replaced.length > 0) {
    const deletion = kind.deletionOfOld?.(news);
    const successor = (i: number) => ({ urn, generation: generation - i, deletion, ...(i === 0 && { retirements }) });
    replaced.forEach((each, i) => owners.noteSuccessor(each, successor(i)));
  }
  if (facts && keptOfPair !== undefined) owners.noteKept(keptOfPair);
  const isPreview = facts?.isPreview === true;

  const reason = await beyondRepair(kind, run, request, outputs, facts?.isPreview === false);
  const isBroken = reason !== undefined;
  // A first object that was never ready has no dependents, so it is deleted first: the new one may then have its name. A later object
  // has the dependents of its predecessor, which the engine would delete first too.
  const deletesFirst = isBroken && outputs.memory.generation === 0;
  run.memory.note(urn, { deletesFirst, ...(isBroken && { reason }) });
  const { changed, replaces, isSeenByEngine } = compare(kind, request, olds, facts, isBroken, run.api.serverNow());
  const isReplaced = replaces.length > 0;
  // Without facts, no check came before: this is the diff of a refresh, which has no program.
  const isImport = facts !== undefined && (await run.journal.noteInState(urn, id, isReplaced));
  if (facts)
    for (const retired of outputs.memory.object.retired) await run.journal.noteInState(urn, retired.id, isReplaced);
  // A new key remembers the old one, and would later take its 404 in another account for its end.
  const remembersOld = kind.credential !== undefined && isReplaced;
  if (facts && !isBroken && (run.saved.hasTakenOver || remembersOld))
    await assertInAccount(kind, run, request, outputs, isPreview);
  if (facts && !isReplaced) assertChangeable(kind, run, request, outputs, isPreview);
  // Not if the last run set `retainOnDelete`: the engine then keeps the old object, and another resource may take it over.
  else if (facts && !outputs.memory.retainOnDelete && !kind.discovery)
    owners.claim(id, urn, !isPreview, { decision: "replaced", whenReplaced: whenReplaced(kind, request, outputs) });

  // The engine asks, before it shows the program, what it must delete before an object that has `deleteBeforeReplace`.
  if (!facts && isReplaced && containsUnknown(news)) owners.noteDeletedFirst(id, urn);

  if (facts && !isReplaced && (isImport || changed.length > 0))
    await warnOfLostSecrets({ kind, run, urn }, id, olds, "is in the state");

  const decisions = await reviewRetired(kind, run, request, outputs);
  if (changed.length === 0 && !isReplaced) {
    if (isImport && !isPreview) await handOverFound(begin(kind, run, request, "read"), id, olds["name"]);
    await reportUnchangedCost(run, urn, facts);
    const unsent = unsentDifference(kind, request, olds, facts);
    if (unsent === "inputs") run.memory.note(urn, { isChanged: true });
    else if (unsent && isPreview) await run.rows.line(urn, "info", `only the option ${unsent} changes`);
    // A refresh makes the engine forget that the object was not ready. The update waits for it.
    const isUnfinished = facts !== undefined && outputs.memory.object.halfMade;
    const isDecided = decisions.some(({ decision }) => decision !== "keep");
    // The engine compares the inputs and the timeouts by itself.
    if (unsent && unsent !== "retainOnDelete") return {};
    return { changes: unsent !== undefined || isUnfinished || isDecided };
  }
  run.memory.note(urn, { isChanged: true });
  if (isReplaced && isPreview) await announceWaiting(kind, run, request, outputs);
  if (facts) await guardOwnCredential(kind, run, { id, urn, olds, news, isReplaced, isPreview });
  const ownParts = ownPartsOf(kind, outputs);
  if (isPreview && !isReplaced) await reportUpdate(kind, run, { id, urn, changed, olds, news, ownParts }, facts.cost);
  return { ...(isSeenByEngine ? {} : { changes: true }), changed, replaces, deleteBeforeReplace: deletesFirst };
}

function compare(
  kind: ResourceKind,
  { id, inputs: news }: ResourceRequest,
  olds: Props,
  facts: RunFacts | undefined,
  isBroken: boolean,
  now: number,
): Difference {
  const adopted = adoptedIdOf(kind, news["adopt"]);
  const adoptsAnother =
    facts !== undefined &&
    adopted !== undefined &&
    !isSameId(adopted, id) &&
    adoptedIdOf(kind, olds["adopt"]) === undefined;
  return {
    changed: changedFields(kind.policies, olds, news, now),
    replaces: [
      ...replacingFields(kind.policies, olds, news, now),
      ...(adoptsAnother ? ["adopt"] : []),
      ...(isBroken ? ["status"] : []),
    ],
    isSeenByEngine:
      !isBroken &&
      (facts?.previous === undefined ||
        adoptsAnother ||
        changedFields(kind.policies, facts.previous.props, news, now).length > 0),
  };
}

/** A difference that no request sends to the API, and that an update saves. */
function unsentDifference(
  kind: ResourceKind,
  { inputs: news, memory, previous: outputs }: ResourceRequest,
  olds: Props,
  facts: RunFacts | undefined,
): "customTimeouts" | "retainOnDelete" | "inputs" | undefined {
  const previous = facts?.previous;
  if (!previous) return undefined;
  // Both must be saved in the outputs, because a later run uses them.
  if (!isDeepStrictEqual(previous.memory.timeouts, memory.timeouts)) return "customTimeouts";
  if (outputs?.memory.retainOnDelete !== memory.retainOnDelete) return "retainOnDelete";
  // If this run has found out a cost that was unknown before, the engine sees different inputs.
  const [cost, ...before] = [news, previous.props, olds].map(costOf);
  const isNewlyPriced = cost !== undefined && before.every((each) => each === undefined);
  return isNewlyPriced || isNewlyGiven(kind.policies, olds, news) ? "inputs" : undefined;
}

/** After an update that was made in part, the engine keeps the old inputs, but the outputs have the cost of the present object. */
async function costOfPart(
  kind: ResourceKind,
  run: Run,
  { previous, cost }: Pick<RunFacts, "previous" | "cost"> = { previous: undefined, cost: undefined },
  outputs: ResourceState,
): Promise<{ readonly previous: ResourceState; readonly pair: CostPair } | undefined> {
  const [planned, last] = [costOf(previous?.props), lastCost(outputs)];
  if (!previous || !cost || !planned || planned.monthlyTotal === last.cost?.monthlyTotal) return undefined;
  if (!last.cost && !last.unpriced) return undefined;
  const actual = await costAfter(kind, run, outputs, outputs.props); // asks again if it was unknown
  const props = { ...previous.props, cost: actual.cost };
  const memory = { ...previous.memory, unpriced: actual.unpriced };
  return { previous: { ...previous, props, memory }, pair: { before: actual, after: cost.after } };
}

/** Reports the cost of an unchanged resource if the cost has changed. */
async function reportUnchangedCost(run: Run, urn: string, facts: RunFacts | undefined): Promise<void> {
  if (facts?.isPreview !== true || !facts.previous || !facts.cost) return;
  const { before, after, lastQuoted } = facts.cost;
  const last = lastCost(facts.previous);
  const wasKnown = last.cost !== undefined || (last.unpriced?.status === "notOffered" && after.cost === undefined);
  if (wasKnown && lastQuoted === undefined) return;
  if (!wasKnown && before?.cost && after.cost) {
    if (decimal(after.cost.monthlyTotal).isZero()) return;
    const text = `${dollars(decimal(after.cost.monthlyTotal))}/mo, not known until now`;
    return run.rows.line(urn, isInTable(run, urn) ? "passing" : "info", text);
  }
  await reportCost(run, urn, facts.cost, "existing");
}

/** Asks for the cost of an update in place, and if the API would accept it. Throws RefusedChangeError if it would not. */
async function reportUpdate(
  kind: ResourceKind,
  run: Run,
  update: ProposedUpdate,
  pair: CostPair | undefined,
): Promise<void> {
  const { urn } = update;
  const isSent = Object.keys(toWireUpdate(kind, update.news, update.changed, run.api.serverNow())).length > 0;
  const parts = update.changed.filter((field) => kind.policies[field]?.isPart === true);
  if (!isSent && parts.length === 0) return;
  const isOffered = pair?.after.unpriced?.status !== "notOffered";
  const changes = Object.fromEntries(update.changed.map((field) => [field, update.news[field]]));
  const [unpermitted, { findings, quote }] = await Promise.all([
    run.permissions.findingsOn(kind, urn, { projectId: update.news["projectId"], ...changes }, update.changed),
    verdictOnUpdate(kind, run, update, isOffered),
  ]);
  const failures = [...unpermitted, ...findings].filter(isFailure);
  if (failures.length > 0) throw new RefusedChangeError(failures.map(findingText).join("; "));
  await warn(run, urn, findings);
  // The quote for this update does not include changes at other endpoints.
  const complete = parts.length === 0 ? quote : undefined;
  const shown = complete && !isOffered ? notePair(run, urn, pairIn(complete)) : pair;
  if (shown) await reportCost(run, urn, shown, "existing");
  if (shown && complete) for (const text of disagreements(shown, complete)) await run.rows.line(urn, "warning", text);
}

/** Notes the costs of a service that quotes changes but no creations: too late for check's inputs, so for this preview only. */
function notePair(run: Run, urn: string, pair: CostPair): CostPair {
  run.memory.note(urn, { cost: pair });
  run.notes?.add({ note: "pair", urn, before: pair.before, after: pair.after });
  return pair;
}
