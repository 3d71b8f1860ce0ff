import { getWithParts, partIdsOf } from "../kind/collection-at";
import { partValues, unshownParts, withUnseenParts } from "../../definition/parts";
import { isSameId } from "../../api/same-id";
import { fromWire } from "../../definition/wire";
import { applyChanges, NOT_READ } from "../objects/apply-changes";
import { withSubResources } from "../objects/sub-resources";
import { changedFields, differingFields, policiesShown } from "../kind/change-policy";
import { HalfMadeError, IncompleteChangeError } from "../errors";
import { awaitProgramsValues, compareWithProgram, type ComparedObject } from "../objects/program-values";
import { awaitReady, isIncomplete, isUnfinished, lacksOwnParts } from "../objects/readiness";
import { deleteRetired } from "../credential/retired-objects";
import { warnOfAdoptedParts, warnOfForgottenParts } from "./remaining-parts";
import { withoutUndefined } from "../../engine/values";
import { type Props, type ResourceKind, outputsOf } from "../kind/kind";
import { costOf, withPricedAt, withQuoteTime } from "../pricing/cost-in-state";
import { costAfter } from "../pricing/proposed-cost";
import {
  NO_MEMORY,
  withObject,
  type ResourceMemory,
  type ResourceRequest,
  type ResourceState,
  type UpdateAnswer,
} from "../resource-request";
import { assertManageable, begin, callOf, ownPartsOf, type ResourceCall } from "../objects/resource-call";
import type { Run } from "../run/run";

/**
 * Sends the changed fields only, and returns the outputs that the API then shows. If the API may have made a part of the change, the
 * state gets the object's present values.
 */
export async function update(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<UpdateAnswer> {
  const { urn, id, inputs, memory, lastOutputs: outputs = { urn, props: {}, memory: NO_MEMORY } } = request;
  const call = begin(kind, run, request, "update");
  await run.journal.noteInState(urn, id);
  const olds = outputs.props;
  assertManageable(call, olds);
  const now = run.api.now();
  const seen = await compareIfUncertain(call, outputs);
  const changed = [...new Set([...changedFields(kind.policies, olds, inputs, now), ...(seen?.fields ?? [])])];
  const shown = await applyChanges(call, id, inputs, changed).catch(async (error: unknown) => {
    if (error instanceof IncompleteChangeError)
      throw await withShownState(call, outputs, changed, error.cause, PART_SHOWN);
    // The API refuses this change. But the object may show an earlier one, whose result could not be read, or be ready now.
    throw seen || outputs.memory.object.neverReady
      ? await withShownState(call, outputs, changed, error, EARLIER_SHOWN)
      : error;
  });
  const present = shown ?? seen?.wire ?? (await awaitReady(call, id, inputs));
  const { wire, ownParts } = await withOwnParts(call, outputs, present).catch(async (error: unknown) => {
    throw await withShownState(call, outputs, changed, error, PART_SHOWN);
  });
  const known = { ...secretsOf(kind, olds), ...withCost(run, urn, olds, inputs) };
  const object = { ...outputs.memory.object, ownParts, attempted: [] };
  const answer = async (): Promise<UpdateAnswer> => {
    const all = outputsOf(kind, known, await withSubResources(call, id, known, wire), now);
    const props = await withoutDrift(call, outputs, { wire, all }, changed);
    await warnOfForgottenParts(call, olds, props);
    const left = await deleteRetired(call, { present: { props: inputs, memory }, outputs });
    return { state: { urn, props, memory: { ...memory, object: { ...object, neverReady: false, retired: left } } } };
  };
  return answer().catch((error: unknown) => {
    const props = outputsOf(kind, known, wire, now);
    const left = { ...object, neverReady: object.neverReady && isUnfinished(kind, props) };
    const state = { urn, props, memory: { ...memory, ...eitherOption(outputs, request), object: left } };
    throw new HalfMadeError(id, state, new IncompleteChangeError(error, changed.length > 0 ? CHANGE_MADE : ""));
  });
}

/**
 * The object and its differences from the program in the fields of which the state is not certain: those that a failed update has sent, which
 * may have been carried out later while the program has set them back; after a failed creation, those that nobody has seen.
 */
async function compareIfUncertain(
  call: ResourceCall<Run>,
  { memory }: ResourceState,
): Promise<ComparedObject | undefined> {
  const { kind, inputs, request } = call;
  const { attempted } = memory.object;
  const isWithoutOwn = lacksOwnParts(kind, memory.object);
  if (attempted.length === 0 && !isWithoutOwn) return undefined;
  const { wire, fields } = await compareWithProgram(call, request.id, await awaitReady(call, request.id, inputs));
  const isUncertain = (field: string): boolean =>
    attempted.includes(field) || (isWithoutOwn && kind.policies[field]?.isPart === true);
  return { wire, fields: fields.filter(isUncertain) };
}

/** Notes the own parts of an object of which no run has seen that it is complete. Rejects if it does not show those that the program names. */
async function withOwnParts(
  call: ResourceCall<Run>,
  { memory }: ResourceState,
  present: Props,
): Promise<{ readonly wire: Props; readonly ownParts: readonly string[] | undefined }> {
  const { kind, request } = call;
  if (!lacksOwnParts(kind, memory.object)) return { wire: present, ownParts: memory.object.ownParts };
  const awaited = { action: "creation", isOnlyParts: true } as const;
  const { wire, difference } = await awaitProgramsValues(call, request.id, present, awaited);
  if (difference) throw difference;
  const noted = partIdsOf(kind, wire);
  if (!isSameId(memory.adopted, request.id)) await warnOfAdoptedParts(call, noted);
  return { wire, ownParts: noted };
}

/**
 * The outputs of an update that has sent these fields. A person or a controller may have changed others. Their values in the state stay: its
 * cost belongs to them, and the program may ignore such a field, so that the next run would send the last value that the state has of it.
 */
async function withoutDrift(
  { kind, run, urn, inputs }: ResourceCall<Run>,
  { props: olds, memory }: ResourceState,
  { wire, all }: { readonly wire: Props; readonly all: Props },
  sent: readonly string[],
): Promise<Props> {
  const now = run.api.now();
  const others = differingFields(kind.policies, fromWire(kind, wire), inputs, now);
  if (others.length > 0) {
    const text = `the API showed another value than your program already before this update: ${others.join(", ")}. \`pulumi refresh\` shows the difference`;
    await run.rows.line(urn, "warning", text);
  }
  // The state of an object that was not ready has values of a moment.
  const isDrift = (field: string): boolean =>
    !isIncomplete(kind, memory.object) && olds[field] !== undefined && !sent.includes(field);
  const drifted = changedFields(policiesShown(kind.policies), olds, all, now).filter(isDrift);
  return withEarlier(withEarlier(all, inputs, others), olds, drifted);
}

function withEarlier(outputs: Props, earlier: Props, fields: readonly string[]): Props {
  return { ...outputs, ...Object.fromEntries(fields.map((field) => [field, earlier[field]])) };
}

/**
 * Adds to the error what the object shows of this change, or the former state if the object cannot be read. The change may still be under way
 * although the object does not show it. So the answer always makes the engine call the next update, which looks at the object again.
 */
async function withShownState(
  call: ResourceCall<Run>,
  outputs: ResourceState,
  changed: readonly string[],
  reason: unknown,
  note: string,
): Promise<HalfMadeError> {
  const { kind, run, urn, inputs, request } = call;
  const { id } = request;
  const attempted = [...new Set([...outputs.memory.object.attempted, ...changed])];
  let { neverReady } = outputs.memory.object;
  try {
    const { ownParts } = outputs.memory.object;
    const wire = await getWithParts(run.api, kind, { id, inputs, ownParts: ownPartsOf(call) }, callOf(call));
    const now = run.api.now();
    const unseen = unshownParts(kind, wire).map(({ field }) => field);
    const present = outputsOf(kind, outputs.props, wire, now);
    const all = ownParts
      ? withUnseenParts(kind, present, outputs.props, (field) => unseen.includes(field))
      : { ...present, ...partValues(kind, outputs.props) };
    neverReady &&= isUnfinished(kind, all);
    const others = changedFields(policiesShown(kind.policies), outputs.props, all, now);
    const unsent = others.filter((field) => !attempted.includes(field));
    const shown = withEarlier(all, outputs.props, unsent);
    if (others.length > unsent.length) {
      const { cost, unpriced } = await costAfter(kind, run, outputs, shown);
      await warnOfForgottenParts(call, outputs.props, shown);
      const object = { ...outputs.memory.object, neverReady, attempted, ownParts };
      const memory = { ...request.memory, ...eitherOption(outputs, request), object, unpriced };
      const state = { urn, props: withoutUndefined({ ...shown, cost }), memory };
      return new HalfMadeError(id, state, new IncompleteChangeError(reason, note));
    }
  } catch {
    await run.rows.line(urn, "warning", NOT_READ);
  }
  const memory = { ...withObject(outputs.memory, { neverReady, attempted }), ...eitherOption(outputs, request) };
  return new HalfMadeError(id, { ...outputs, urn, memory }, reason);
}

/**
 * After an update that fails, the engine's state has the program's `retainOnDelete`. The object also stays if the last complete update had
 * it, because a row may have said so.
 */
function eitherOption(
  { memory }: ResourceState,
  program: Pick<ResourceRequest, "memory">,
): Pick<ResourceMemory, "retainOnDelete"> {
  return { retainOnDelete: memory.retainOnDelete || program.memory.retainOnDelete };
}

const CHANGE_MADE = "\nThe change itself is made, and the state has it. The next run does the rest.";
const PART_SHOWN = "\nThe API shows this change, or a part of it, and so does the state. The next run does the rest.";
const EARLIER_SHOWN =
  "\nThe API shows a change of an earlier run, and now the state does too. Compare it with your program.";

function secretsOf(kind: ResourceKind, olds: Props): Props {
  const names = [...kind.secretOutputs, ...kind.subResources.map(({ name }) => name)];
  return Object.fromEntries(names.map((field) => [field, olds[field]]));
}

function withCost(run: Run, urn: string, olds: Props, news: Props): Props {
  const fresh = withQuoteTime(run.memory, urn, news);
  if (costOf(fresh)?.pricedAt !== undefined) return fresh;
  return { ...fresh, cost: withPricedAt(news["cost"], costOf(olds)?.pricedAt) };
}
