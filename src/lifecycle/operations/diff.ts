import { hasParts } from "../../definition/parts";
import { findingText, isFailure } from "../../definition/rule-context";
import { containsUnknown } from "../../engine/values";
import { disagreements, type CostPair } from "../../cost/cost";
import { decimal, dollars } from "../../cost/money";
import { pairIn } from "../../cost/quoter";
import { warnOfLostSecrets } from "../adoption/adopt";
import { changesText } from "../adoption/adoption-check";
import { toWireUpdate } from "../../definition/wire";
import { guardOwnCredential } from "../credential/own-credential";
import { assertChangeable, checkMissing, NO_LONGER_EXISTS, replacementReason, wasDeletedFirst } from "./changeable";
import { isIncomplete } from "../objects/readiness";
import { ownPartsOf, type ComparedResource, type ObjectRun, type ProposedUpdate } from "../objects/resource-call";
import { differenceOf, unsentDifference, type Difference } from "./difference";
import { announceWaiting, whenReplaced } from "../credential/replaced-object";
import { reviewRetired, type RetiredDecision } from "../credential/retired-objects";
import { refusalToDeleteFirst, refusalToLeaveOut } from "../memory/claim-object";
import { reportWarnings } from "../report-findings";
import { isInTable, reportCost, costAfter } from "../pricing/proposed-cost";
import { RefusedChangeError } from "../errors";
import { changedFields } from "../kind/changed-fields";
import type { Props, ResourceKind } from "../kind/kind";
import { verdictOnUpdate } from "../preflight/preflight";
import { costOf, lastCost } from "../pricing/cost-in-state";
import { NO_MEMORY, type DiffAnswer, type ResourceRequest, type ResourceState } from "../resource-request";
import type { Run } from "../run/run";
import type { RunFacts } from "../memory/run-memory";

/** How a resource differs from the outputs of its last run. */
interface Comparison<Facts = RunFacts> extends ComparedResource<Run>, Difference {
  /** The same with `withKnownInputs`, for all that decides about the existing object. */
  readonly known: ComparedResource;
  readonly facts: Facts;
  /** See `replacementReason`. */
  readonly isBroken: boolean;
  readonly deleteBeforeReplace: boolean;
}

/** Compares the outputs with the new inputs by each field's definition. Reports the cost of an update in place. */
export async function diff(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<DiffAnswer> {
  const compared = await compareAndNote(kind, run, request);
  const { known, outputs, facts, isSame, replaces } = compared;
  if (!facts) return await answerWithoutProgram(compared);
  const comparison = { ...compared, facts };
  const isImport = await noteInState(comparison);
  await assertPossible(comparison);
  if (replaces.length === 0 && (isImport || !isSame))
    await warnOfLostSecrets(compared, request.id, outputs.props, "is in the state");
  const decisions = await reviewRetired(known);
  if (isSame) return answerUnchanged(comparison, decisions);
  await reportChange(comparison);
  return answerChanged(compared);
}

/** Compares, and notes the result for this run's other calls. There are no facts if no check came before. */
async function compareAndNote(
  kind: ResourceKind,
  run: Run,
  request: ResourceRequest,
): Promise<Comparison<RunFacts | undefined>> {
  const { urn, last: outputs = { urn, props: {}, memory: NO_MEMORY } } = request;
  const resource = { kind, run, urn, request, outputs };
  const known = { ...resource, request: withKnownInputs(request, outputs) };
  run.memory.noteCompared(known.request, outputs);
  await noteCostOfPart(resource);
  const facts = run.memory.of(urn);
  if (facts) noteReplaced(known);
  const reason = await replacementReason(resource, facts?.isPreview === false);
  const isBroken = reason !== undefined;
  // A resource's first object has no dependents if it was never ready. So it is deleted first, and the new one may have
  // its name. A later object has the dependents of its predecessor, and the engine would delete those first too. An
  // object with parts is not deleted first: the engine may not have presented all resources that have adopted a part.
  const deleteBeforeReplace = isBroken && outputs.memory.generation === 0 && !hasParts(kind);
  const isMissing = isBroken ? reason === NO_LONGER_EXISTS : undefined;
  if (facts) run.memory.note(urn, { deleteBeforeReplace, isMissing, ...(isBroken && { reason }) });
  return { ...resource, known, facts, isBroken, deleteBeforeReplace, ...differenceOf(resource, facts, isBroken) };
}

/**
 * The answer in a refresh, which has no program, or to find out which dependents the engine must delete first because
 * of `deleteBeforeReplace`. Rejects with RefusedChangeError if the object of such a dependent must not be deleted.
 */
async function answerWithoutProgram(compared: Comparison<unknown>): Promise<DiffAnswer> {
  const { kind, run, urn, request, outputs, replaces, isSame } = compared;
  if (replaces.length > 0 && containsUnknown(request.inputs)) {
    const stays = staysWhenReplaced(kind, outputs);
    const refusal =
      refusalToLeaveOut(compared, request.id) ?? (stays ? undefined : refusalToDeleteFirst(compared, request.id));
    if (refusal !== undefined) throw new RefusedChangeError(refusal);
    if (!stays) run.memory.objects.note(request.id, { deletedFirst: urn });
    run.memory.note(urn, { isMissing: await wasDeletedFirst(compared) });
  }
  return isSame ? { changes: false } : answerChanged(compared);
}

function answerChanged({ changed, replaces, isSeenByEngine, deleteBeforeReplace }: Comparison<unknown>): DiffAnswer {
  return { ...(isSeenByEngine ? {} : { changes: true }), changed, replaces, deleteBeforeReplace };
}

/** The program's inputs for the existing object. A value that is not known yet is replaced by the former one. */
function withKnownInputs(request: ResourceRequest, { props: olds }: ResourceState): ResourceRequest {
  const inputs = Object.entries(request.inputs).map(([field, value]) => [
    field,
    containsUnknown(value) ? olds[field] : value,
  ]);
  return { ...request, inputs: Object.fromEntries(inputs) as Props };
}

/**
 * Notes what the state knows of the objects that this one has replaced. The other front may be asked to delete them.
 */
function noteReplaced({ kind, run: { memory }, urn, request, outputs }: ComparedResource): void {
  const { object, generation, retirements } = outputs.memory;
  const deletion = object.replaced.length > 0 ? kind.deletionOfOld?.(request.inputs) : undefined;
  object.replaced.forEach((each, i) => {
    memory.objects.note(each, {
      successor: { urn, generation: generation - i, deletion, ...(i === 0 && { retirements }) },
    });
  });
  if (object.keptOfPair !== undefined) memory.objects.note(object.keptOfPair, { isKeptOfPair: true });
}

/** Resolves with true in an import, which may still fail. */
async function noteInState({ run, request: { urn, id }, outputs, replaces }: Comparison): Promise<boolean> {
  const isReplaced = replaces.length > 0;
  const isImport = await run.journal.noteInState(urn, id, isReplaced);
  for (const retired of outputs.memory.object.retired) await run.journal.noteInState(urn, retired.id, isReplaced);
  return isImport;
}

/** Rejects with RefusedChangeError if the object must not be changed. Otherwise keeps it from other resources. */
async function assertPossible(comparison: Comparison): Promise<void> {
  const { kind, run, request, known, outputs, facts, replaces, isBroken } = comparison;
  const isReplaced = replaces.length > 0;
  // After a failed run with `deleteBeforeReplace`, the state still has the object that the run deleted. A refresh does
  // not read it.
  if (!isBroken && (run.saved.hasOtherProvider || isReplaced))
    run.memory.note(request.urn, {
      isMissing: await checkMissing(comparison, { isPreview: facts.isPreview, isReplaced }),
    });
  if (!isReplaced) await assertChangeable(comparison, known.request.inputs, facts);
  else if (!staysWhenReplaced(kind, outputs))
    run.memory.objects.claim(request.id, request.urn, {
      isCertain: !facts.isPreview,
      existedBefore: outputs.memory.object.existedBefore,
      decision: "replaced",
      whenReplaced: whenReplaced(known),
    });
}

/** True if the engine keeps the old object (`retainOnDelete`) or the provider gives it back. Others may adopt it. */
function staysWhenReplaced(kind: ResourceKind, { memory }: ResourceState): boolean {
  return memory.retainOnDelete || kind.discovery !== undefined;
}

async function answerUnchanged(comparison: Comparison, decisions: readonly RetiredDecision[]): Promise<DiffAnswer> {
  const { kind, run, urn, outputs, facts } = comparison;
  const { memory } = outputs;
  await reportUnchangedCost(run, urn, facts);
  const unsent = unsentDifference(comparison, facts);
  if (unsent === "inputs") run.memory.note(urn, { isChanged: true });
  else if (unsent && facts.isPreview) await run.rows.line(urn, "info", `only the option ${unsent} changes`);
  // The engine compares the inputs and the timeouts by itself.
  if (unsent && unsent !== "retainOnDelete") return {};
  // A refresh makes the engine forget that the creation has failed. The update completes it.
  const isToComplete = isIncomplete(kind, memory.object);
  return { changes: unsent !== undefined || isToComplete || decisions.some(({ decision }) => decision !== "keep") };
}

/**
 * In a preview, also asks the API about an update in place. Rejects with RefusedChangeError if it would refuse that.
 */
async function reportChange(comparison: Comparison): Promise<void> {
  const { kind, run, urn, request, known, outputs, facts, changed, replaces } = comparison;
  const { id, inputs: news } = request;
  const { isPreview, cost } = facts;
  const [olds, isReplaced] = [outputs.props, replaces.length > 0];
  run.memory.note(urn, { isChanged: true });
  if (isReplaced && isPreview && !run.memory.isMissing(urn, id)) await announceWaiting(known);
  const change = { kind, run, urn, id, olds, news };
  await guardOwnCredential({ ...change, isReplaced, isPreview });
  if (!isPreview || isReplaced) return;
  const seen = changedFields(kind.fields, facts.previous?.props ?? {}, news, run.api.now());
  // The engine may not show these changes, so the row does. After a failed adoption or creation, the inputs in the
  // state already equal those of the program, and with the dynamic provider the engine compares only inputs.
  const unseen = changed.filter((field) => !seen.includes(field));
  const text = unseen.length > 0 && changesText(unseen, olds, news);
  await reportUpdate({ ...change, changed, ownParts: ownPartsOf({ verb: "update", request }) }, cost, text);
}

/** After a partly failed update, the state's inputs have the old cost and its outputs the present one, which counts. */
async function noteCostOfPart({ kind, run, urn, outputs }: ComparedResource<Run>): Promise<void> {
  const { previous, cost } = run.memory.of(urn) ?? {};
  const [planned, last] = [costOf(previous?.props), lastCost(outputs)];
  if (!previous || !cost || !planned || planned.monthlyTotal === last.cost?.monthlyTotal) return;
  if (!last.cost && !last.unpriced) return;
  const actual = await costAfter(kind, run, outputs, outputs.props); // asks again if it was unknown
  const props = { ...previous.props, cost: actual.cost };
  const memory = { ...previous.memory, unpriced: actual.unpriced };
  run.memory.note(urn, { previous: { ...previous, props, memory } });
  notePair(run, urn, { before: actual, after: cost.after });
}

/** Reports the cost of an unchanged resource if the cost has changed. */
async function reportUnchangedCost(run: ObjectRun, urn: string, facts: RunFacts): Promise<void> {
  if (!facts.isPreview || !facts.previous || !facts.cost) return;
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

/** Asks for the cost of an update in place, and if the API would accept it: otherwise throws RefusedChangeError. */
async function reportUpdate(
  update: ProposedUpdate<Run>,
  pair: CostPair | undefined,
  text: string | false,
): Promise<void> {
  const { kind, run, urn } = update;
  const isSent = Object.keys(toWireUpdate(kind, update.news, update.changed, run.api.now())).length > 0;
  const parts = update.changed.filter((field) => kind.fields[field]?.part !== undefined);
  if (!isSent && parts.length === 0) return reportCost(run, urn, undefined, "existing", [text]);
  const isOffered = pair?.after.unpriced?.status !== "notOffered";
  const changes = Object.fromEntries(update.changed.map((field) => [field, update.news[field]]));
  const [unpermitted, { findings, quote }] = await Promise.all([
    run.permissions.findingsOn(kind, urn, { projectId: update.news["projectId"], ...changes }, update.changed),
    verdictOnUpdate(update, isOffered),
  ]);
  const failures = [...unpermitted, ...findings].filter(isFailure);
  if (failures.length > 0) throw new RefusedChangeError(failures.map(findingText).join("; "));
  await reportWarnings(run, urn, findings);
  // The quote for this update does not include changes at other endpoints.
  const complete = parts.length === 0 ? quote : undefined;
  const shown = complete && !isOffered ? notePair(run, urn, pairIn(complete)) : pair;
  await reportCost(run, urn, shown, "existing", [text]);
  if (shown && complete) for (const text of disagreements(shown, complete)) await run.rows.line(urn, "warning", text);
}

/** Notes costs that diff finds out, too late for check's inputs: a service may quote changes and no creations. */
function notePair(run: Run, urn: string, pair: CostPair): CostPair {
  run.memory.note(urn, { cost: pair });
  run.notes?.add({ note: "pair", urn, before: pair.before, after: pair.after });
  return pair;
}
