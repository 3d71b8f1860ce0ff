import { partDifferences, unshownParts, withUnseenParts } from "../../definition/parts";
import { fromWire } from "../../definition/wire";
import { applyChanges, NOT_READ } from "../objects/apply-changes";
import { withSubResources } from "../objects/sub-resource-outputs";
import { InitFailedError, IncompleteChangeError, MissingPartError, NotAppliedError, shownText } from "../errors";
import { awaitParts, compareWithProgram, type ComparedObject } from "../objects/program-values";
import { awaitReady, isIncomplete, isUnfinished, lacksOwnParts } from "../objects/readiness";
import { deleteRetired } from "../credential/retired-objects";
import { warnOfAdoptedParts, warnOfForgottenParts } from "./remaining-parts";
import { changedFields, differingFields, replacingFields } from "../kind/changed-fields";
import { type Props, type ResourceKind, operationName, outputsOf } from "../kind/kind";
import { costOf, withPricedAt, withQuoteTime } from "../pricing/cost-in-state";
import { withOwnCost } from "../pricing/proposed-cost";
import {
  NO_MEMORY,
  withObject,
  type ResourceMemory,
  type ResourceRequest,
  type ResourceState,
  type UpdateAnswer,
} from "../resource-request";
import { assertManageable, begin, getObject, getObjectWithParts, type ResourceCall } from "../objects/resource-call";
import type { PricingRun } from "../pricing/quote-of-creation";
import type { RecoveryRun } from "../recovery/recovery-call";

type UpdateRun = RecoveryRun & PricingRun;

/**
 * Sends the changed fields only, and returns the outputs that the API then shows. If the API may have made a part of
 * the change, the state gets the object's present values.
 */
export async function update(kind: ResourceKind, run: UpdateRun, request: ResourceRequest): Promise<UpdateAnswer> {
  const { urn, id, inputs, memory, last: outputs = { urn, props: {}, memory: NO_MEMORY } } = request;
  const call = begin(kind, run, request, "update");
  await run.journal.noteInState(urn, id);
  const olds = outputs.props;
  assertManageable(call, olds);
  const now = run.api.now();
  const seen = await compareIfUncertain(call, outputs);
  if (seen) await assertAsMade(call, outputs, seen);
  const changed = [...new Set([...changedFields(kind.fields, olds, inputs, now), ...(seen?.fields ?? [])])];
  let shown: Props | undefined;
  try {
    shown = await applyChanges(call, id, changed);
  } catch (error) {
    if (error instanceof IncompleteChangeError)
      throw await withShownState(call, outputs, changed, error.cause, PART_SHOWN);
    // The API refuses this change. But the object may show an earlier change whose result could not be read, or may be
    // ready now. The state then gets that.
    const mayShowEarlier = seen !== undefined || outputs.memory.object.neverReady;
    throw mayShowEarlier ? await withShownState(call, outputs, changed, error, EARLIER_SHOWN) : error;
  }
  const wire = shown ?? seen?.wire ?? (await awaitReady(call, id));
  const known = { ...secretsOf(kind, olds), ...withCost(run, urn, olds, inputs) };
  const ownParts = outputs.memory.object.ownParts ?? seen?.ownParts;
  const object = { ...outputs.memory.object, ownParts, attempted: [] };
  try {
    const all = outputsOf(kind, known, await withSubResources(call, id, known, wire), now);
    const props = await withoutDrift(call, outputs, { wire, all }, changed);
    await warnOfForgottenParts(call, olds, props);
    if (lacksOwnParts(kind, outputs.memory.object)) await warnOfAdoptedParts(call, ownParts);
    const left = await deleteRetired(call, outputs);
    return { state: { urn, props, memory: { ...memory, object: { ...object, neverReady: false, retired: left } } } };
  } catch (error) {
    const props = outputsOf(kind, known, wire, now);
    const left = { ...object, neverReady: object.neverReady && isUnfinished(kind, props) };
    const state = { urn, props, memory: { ...memory, ...eitherOption(outputs, request), object: left } };
    throw new InitFailedError(id, state, new IncompleteChangeError(error, changed.length > 0 ? CHANGE_MADE : ""));
  }
}

/**
 * Compares the object with the program in the fields whose value in the state is not certain. After a failed update,
 * these are the fields that it sent, because the API may have changed them later. After a failed creation, they are the
 * fields that no run has seen. It then also waits for parts that the object does not show yet. Undefined if all fields
 * are certain.
 */
async function compareIfUncertain(
  call: ResourceCall<UpdateRun>,
  outputs: ResourceState,
): Promise<ComparedObject | undefined> {
  const { kind, request } = call;
  const { object } = outputs.memory;
  const isWithoutOwn = lacksOwnParts(kind, object);
  if (object.attempted.length === 0 && !isWithoutOwn) return undefined;
  const ready = await awaitReady(call, request.id);
  let compared: ComparedObject;
  try {
    compared = isWithoutOwn
      ? await awaitParts(call, request.id, { present: ready })
      : await compareWithProgram(call, request.id, ready);
  } catch (error) {
    throw error instanceof MissingPartError ? await withShownState(call, outputs, [], error, EARLIER_SHOWN) : error;
  }
  const isUncertain = (field: string): boolean =>
    object.attempted.includes(field) || (isWithoutOwn && kind.fields[field]?.part !== undefined);
  return { ...compared, fields: compared.fields.filter(isUncertain) };
}

/**
 * Rejects if the new object differs from the program in a field that no request can change. The state then gets the
 * object's values, so that the next run replaces the object.
 */
async function assertAsMade(
  call: ResourceCall<UpdateRun>,
  outputs: ResourceState,
  seen: ComparedObject,
): Promise<void> {
  const { kind, run, urn, inputs, request } = call;
  const now = run.api.now();
  const shown = outputsOf(kind, outputs.props, seen.wire, now);
  const replacing = replacingFields(kind.fields, shown, inputs, now);
  const isFixed = (field: string): boolean =>
    replacing.includes(field) ||
    (seen.ownParts !== undefined && partDifferences(kind, field, seen.wire, inputs[field], now).isFixed);
  const fixed = seen.fields.filter(isFixed);
  if (fixed.length === 0) return;
  const error = new NotAppliedError(
    `${operationName("update", kind, urn)}: the API made ${kind.noun} ${request.id} with another ${fixed.join(", ")} than that of the program, and ` +
      `no request can change it. Run \`pulumi refresh\`, and then again: the preview shows the replacement, or says what to do.`,
  );
  const props = withEarlier(outputs.props, shown, fixed);
  const neverReady = outputs.memory.object.neverReady && isUnfinished(kind, shown);
  const memory = { ...withObject(outputs.memory, { neverReady }), ...eitherOption(outputs, request) };
  throw new InitFailedError(request.id, await withOwnCost(call, outputs, { urn, props, memory }), error);
}

/**
 * The outputs of an update. A field that it did not send keeps its value in the state, even if a person or a controller
 * has changed the object: the cost in the state belongs to that value. And if the program ignores changes of the field,
 * the next run would send the value in the state.
 */
async function withoutDrift(
  { kind, run, urn, inputs }: ResourceCall,
  { props: olds, memory }: ResourceState,
  { wire, all }: { readonly wire: Props; readonly all: Props },
  sent: readonly string[],
): Promise<Props> {
  const now = run.api.now();
  const others = differingFields(kind.shownFields, fromWire(kind, wire), inputs, now);
  if (others.length > 0) {
    const text = `the API showed another value than your program already before this update: ${others.join(", ")}. \`pulumi refresh\` shows the difference`;
    await run.rows.line(urn, "warning", text);
  }
  // The state of an object that was not ready has intermediate values, so a difference from them is no drift.
  const isDrift = (field: string): boolean =>
    !isIncomplete(kind, memory.object) && olds[field] !== undefined && !sent.includes(field);
  const drifted = changedFields(kind.shownFields, olds, all, now).filter(isDrift);
  return withEarlier(withEarlier(all, inputs, others), olds, drifted);
}

function withEarlier(outputs: Props, earlier: Props, fields: readonly string[]): Props {
  return { ...outputs, ...Object.fromEntries(fields.map((field) => [field, earlier[field]])) };
}

/**
 * Adds to the error what the object shows of this change, or the former state if the object cannot be read. The change
 * may still be under way although the object does not show it. So the answer always makes the engine call the next
 * update, which looks at the object again.
 */
async function withShownState(
  call: ResourceCall<UpdateRun>,
  outputs: ResourceState,
  changed: readonly string[],
  reason: unknown,
  addition: string,
): Promise<InitFailedError> {
  const { kind, run, urn, request } = call;
  const { object } = outputs.memory;
  const attempted = [...new Set([...object.attempted, ...changed])];
  const former = (neverReady: boolean, cause = reason): InitFailedError => {
    const memory = { ...withObject(outputs.memory, { neverReady, attempted }), ...eitherOption(outputs, request) };
    return new InitFailedError(request.id, { ...outputs, urn, memory }, cause);
  };
  // Until a run has seen the object complete, the state keeps the program's values of its parts.
  const read = object.ownParts ? getObjectWithParts : getObject;
  const wire = await read(call, request.id).catch(() => undefined);
  if (!wire) {
    await run.rows.line(urn, "warning", NOT_READ);
    return former(object.neverReady);
  }
  try {
    const now = run.api.now();
    const hidden = unshownParts(kind, wire, object.ownParts ?? []);
    const all = withUnseenParts(kind, outputsOf(kind, outputs.props, wire, now), outputs.props, hidden);
    const neverReady = object.neverReady && isUnfinished(kind, all);
    const others = changedFields(kind.shownFields, outputs.props, all, now);
    const unsent = others.filter((field) => !attempted.includes(field));
    if (others.length === unsent.length) return former(neverReady);
    const props = withEarlier(all, outputs.props, unsent);
    await warnOfForgottenParts(call, outputs.props, props);
    const known = { ...object, neverReady, attempted };
    const memory = { ...request.memory, ...eitherOption(outputs, request), object: known };
    const state = await withOwnCost(call, outputs, { urn, props, memory });
    return new InitFailedError(request.id, state, new IncompleteChangeError(reason, addition));
  } catch (fault) {
    // The state still knows what was attempted.
    return former(object.neverReady, new IncompleteChangeError(reason, `\n${shownText(fault)}`));
  }
}

/**
 * After an update that fails, the engine's state has the program's `retainOnDelete`. The object also stays if the last
 * complete update had it, because a row may have said so.
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

function withCost({ memory }: Pick<UpdateRun, "memory">, urn: string, olds: Props, news: Props): Props {
  const fresh = withQuoteTime(memory, urn, news);
  if (costOf(fresh)?.pricedAt !== undefined) return fresh;
  return { ...fresh, cost: withPricedAt(news["cost"], costOf(olds)?.pricedAt) };
}
