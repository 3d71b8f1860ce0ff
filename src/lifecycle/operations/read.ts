import { partIdsOf } from "../kind/collection-at";
import { sameOf } from "../../definition/compare-fields";
import { fromWire } from "../../definition/wire";
import { warnOfWaiting } from "../credential/leaving-successor";
import { withSubResources } from "../objects/sub-resource-outputs";
import { InvalidResponseError, NotFoundError } from "../../api/errors";
import { parseImportId } from "../../definition/import-id";
import { unshownParts, withNamedPartsOnly, withUnseenParts } from "../../definition/parts";
import { foundBefore } from "../adoption/discovery";
import { foundText } from "../../journal/left-behind";
import { withoutUndefined } from "../../engine/values";
import { MissingObjectError, ObjectInUseError } from "../errors";
import { DELETED_FIRST } from "../memory/claim-object";
import { type Props, type ResourceKind, defaultsOf, outputsOf } from "../kind/kind";
import { costOf, costProps } from "../pricing/cost-in-state";
import { withOwnCost } from "../pricing/proposed-cost";
import {
  NO_OBJECT_MEMORY,
  withObject,
  type ReadAnswer,
  type ResourceRequest,
  type ResourceState,
} from "../resource-request";
import type { Run } from "../run/run";
import { getWithParts } from "../objects/get-with-parts";
import { missingObject } from "../objects/deletion";
import { begin, callOf, ownPartsOf, type ObjectRun, type ResourceCall } from "../objects/resource-call";
import { warnOfForgottenParts } from "./remaining-parts";
import { isIncomplete, isUnfinished, pollUntilVisible } from "../objects/readiness";
import type { PricingRun } from "../pricing/quote-of-creation";
import type { RecoveryRun } from "../recovery/recovery-call";

type ReadRun = RecoveryRun & PricingRun & Pick<Run, "costs">;

/** The defaults of the inputs that the API does not have. */
function defaultsOfLocalInputs(kind: ResourceKind, { settings }: ObjectRun): Props {
  const defaults = Object.entries(defaultsOf(kind, settings));
  return Object.fromEntries(defaults.filter(([field]) => kind.fields[field]?.local === true));
}

/**
 * Reads the object, perhaps from a list. If that shows an older version than the state, reads it by its id. If all
 * answers are older, the API was probably restored from a backup. A refresh then accepts the older version, with a
 * warning.
 */
async function readPresent(call: ResourceCall, id: string, known: Props): Promise<Props> {
  const { kind, run } = call;
  const object = { id, inputs: known, ownParts: ownPartsOf(call) };
  const look = async (): Promise<Props> => {
    const wire = await getWithParts(run.api, kind, object, callOf(call), true);
    const isLate = mayBeFromBefore(kind, known, fromWire(kind, wire), run.api.now());
    return isLate ? getWithParts(run.api, kind, object, callOf(call)) : wire;
  };
  return look().catch(async (error: unknown) => {
    if (!(error instanceof InvalidResponseError) || error.defect !== "outdated") throw error;
    await run.rows.line(call.urn, "warning", error.message);
    return getWithParts(run.api, kind, object, { ...callOf(call), seen: undefined });
  });
}

/** True if the answer may be older than the state. For parts the state has no times, so every difference counts. */
function mayBeFromBefore({ fields }: ResourceKind, known: Props, shown: Props, now: number): boolean {
  const parts = Object.entries(fields).filter(([name, { part }]) => part !== undefined && known[name] !== undefined);
  return (
    Date.parse(String(shown["updatedAt"])) < Date.parse(String(known["updatedAt"])) ||
    parts.some(([name, field]) => !sameOf(field)(known[name], shown[name], now))
  );
}

/** Keeps the former values of own parts that the object lists and the API does not show. A row names these parts. */
async function withHiddenParts(
  { kind, run, urn }: ResourceCall,
  known: ResourceState,
  wire: Props,
  outputs: Props,
): Promise<Props> {
  const hidden = unshownParts(kind, wire, known.memory.object.ownParts);
  for (const { part, id } of hidden) {
    const text = `the ${kind.noun} still lists ${part.of.noun} ${id}, and the API shows no such ${part.of.noun}: the state keeps what it has of it`;
    await run.rows.line(urn, "warning", text);
  }
  return withUnseenParts(kind, outputs, known.props, hidden);
}

/**
 * Reads the object for refresh and `get`. Returns the inputs too, because otherwise the next diff would compare with
 * old ones. Undefined if the object no longer exists.
 */
export async function read(
  kind: ResourceKind,
  run: ReadRun,
  request: ResourceRequest,
): Promise<ReadAnswer | undefined> {
  const { urn, memory, isReference } = request;
  const { id, inputs } = parseImportId(kind, request.id);
  const unshown = isReference ? defaultsOfLocalInputs(kind, run) : {};
  const known: ResourceState = { urn, props: { ...unshown, ...request.inputs, ...inputs }, memory };
  const { objects } = run.memory;
  objects.noteRead(urn, id, isReference);
  if (isReference && objects.of(id).deletedFirst !== undefined)
    throw new ObjectInUseError(
      `The program reads ${kind.noun} ${id}, ${DELETED_FIRST}. Make that replacement in a run that does not read the ${kind.noun}.`,
    );
  if (isReference) objects.note(id, { reader: urn });
  const call = begin(kind, run, request, "read");
  try {
    return await readObject(call, id, known, isReference);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (isReference)
      throw new MissingObjectError(`There is no ${kind.noun} with the id ${request.id}. Correct the id.`, {
        cause: error,
      });
    await warnOfWaiting(call);
    run.costs.noteMissing(urn);
    await run.memory.missing.noteMissingOnRead(urn, missingObject(call, id));
    const { foundAs } = memory.object;
    const found = foundAs ? `. It was found with ${foundText(foundAs)}` : "";
    await run.rows.line(urn, "info", `the API shows no ${kind.noun} ${id}: it leaves the state${found}`);
    await warnOfForgottenParts(call, known.props, {});
    return undefined;
  }
}

/**
 * The state of an object as the API shows it. A row names a changed status, because the engine shows changes of inputs
 * only.
 */
async function readObject(
  call: ResourceCall<ReadRun>,
  id: string,
  known: ResourceState,
  isReference: boolean,
): Promise<ReadAnswer> {
  const { kind, run, urn } = call;
  const { memory } = known;
  const wire = await pollUntilVisible(call, () => readPresent(call, id, known.props));
  if (isReference && wire["status"] === "deleted")
    throw new MissingObjectError(`The API shows ${kind.noun} ${id} with the status "deleted". Correct the id.`);
  const complete = await withSubResources(call, id, known.props, wire);
  const outputs = outputsOf(kind, known.props, complete, run.api.now());
  // Until a run has seen it complete, something else may have attached parts.
  const isToComplete = !isReference && isIncomplete(kind, memory.object);
  const present = isToComplete ? withNamedPartsOnly(kind, outputs, known.props) : outputs;
  const shown = await withHiddenParts(call, known, complete, present);
  const [before, after] = [known.props["status"], shown["status"]];
  if (typeof before === "string" && before !== after)
    await run.rows.line(urn, "info", `status: ${before} → ${String(after)}`);
  await warnOfForgottenParts(call, known.props, shown);
  // A `get` changes nothing, so the present values are the former ones, unless an interrupted run has changed the
  // object.
  const foundAs = isReference && kind.discovery ? await foundBefore(call, id, shown) : memory.object.foundAs;
  const neverReady = memory.object.neverReady && isUnfinished(kind, shown);
  // After a failed creation, no run has noted the own parts. The next update does it, when the object shows what the
  // program names.
  const ownParts = memory.object.ownParts ?? (isReference ? partIdsOf(kind, wire) : undefined);
  const existedBefore = isReference || memory.object.existedBefore;
  // No field is `attempted` any longer: the state now has what the object shows.
  const object = { neverReady, existedBefore, foundAs, ownParts, attempted: [] };
  const adopted = isReference ? id : memory.adopted;
  const remembered = withObject({ ...memory, adopted }, object);
  const state = await withOwnCost(call, known, { urn, props: shown, memory: remembered });
  // This tells the next check that the inputs lack the values that the object does not show yet.
  const inputMemory = { ...NO_OBJECT_MEMORY, neverReady: isIncomplete(kind, remembered.object) };
  return {
    id,
    outputs: state,
    inputs: { urn, props: inputsOf(kind, state.props), memory: { ...state.memory, object: inputMemory } },
  };
}

/** The inputs as the outputs have them, so that the next comparison sees changes outside Pulumi. */
function inputsOf(kind: ResourceKind, outputs: Props): Record<string, unknown> {
  const inputs: Record<string, unknown> = { ...costProps({ cost: costOf(outputs) }) };
  for (const field of Object.keys(kind.fields)) inputs[field] = outputs[field];
  return withoutUndefined(inputs);
}
