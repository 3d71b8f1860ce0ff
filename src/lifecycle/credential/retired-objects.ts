import { CloudinfraError } from "../../api/errors";
import type { RetirementRule } from "../../definition/capabilities";
import { clientWords, retirement, type Retirement } from "../../rotation/retirement";
import { usesOf } from "../../rotation/key-uses";
import { dateText } from "../../rotation/utc";
import { messageOf } from "../errors";
import type { Props, ResourceKind } from "../kind/kind";
import { otherOwner } from "../memory/run-memory";
import { deleteIfThere } from "../objects/deletion";
import type { ObjectRun, ResourceCall } from "../objects/resource-call";
import type { ResourceRequest, ResourceState, RetiredObject } from "../resource-request";
import { isSignedInWith, ownCredential } from "./own-credential";

/** What becomes of a replaced object in this run. */
export interface RetiredFate {
  readonly retired: RetiredObject;
  /** `released`: another resource has adopted it. */
  readonly fate: "stays" | "goes" | "released";
  /** What the kind's rule says, if the object is one for it. */
  readonly verdict?: Retirement | undefined;
}

/** The rule by which the old object of a replacement waits. Undefined if it is deleted at once, or not at all. */
function ruleOf(
  kind: ResourceKind,
  { props, memory }: Pick<ResourceState, "props" | "memory">,
): RetirementRule | undefined {
  return memory.retainOnDelete ? undefined : kind.retirement?.(props);
}

/** `present`: the program's inputs as they are now. `outputs`: those of the successor. */
export interface Successor {
  readonly present: Pick<ResourceState, "props" | "memory">;
  readonly outputs: ResourceState;
}

/** Asks what becomes of what a resource has replaced: the provider's own credentials, and the audit log for those of a rule. */
export async function fatesOf(
  kind: ResourceKind,
  run: ObjectRun,
  urn: string,
  { present, outputs }: Successor,
): Promise<readonly RetiredFate[]> {
  const rule = ruleOf(kind, present);
  const staysByProgram = kind.outlivesReplacement?.(present.props) !== undefined || present.memory.retainOnDelete;
  const isOwnInUse = !isSignedInWith(kind, run, outputs.props);
  const waits = outputs.memory.retired.flatMap(({ id, replacedAt }) =>
    rule && replacedAt !== undefined ? [{ id, replacedAt }] : [],
  );
  const uses = waits.length > 0 ? await usesOf(run.api, waits) : undefined;
  return outputs.memory.retired.map((retired): RetiredFate => {
    const { id, isOwn, replacedAt, endsAt } = retired;
    if (otherOwner(run.memory, urn, id) !== undefined || run.memory.wasAdopted(id))
      return { retired, fate: "released" };
    const verdict =
      rule && uses && replacedAt !== undefined
        ? retirement(rule, { replacedAt, endsAt }, uses(id), run.api.serverNow())
        : undefined;
    const stays = staysByProgram || (isOwn && isOwnInUse) || verdict?.goes === false;
    return { retired, fate: stays ? "stays" : "goes", verdict };
  });
}

/** For diff: what becomes of what the object has replaced. No other resource adopts it. A refresh has no program that could say. */
export async function presentFates(
  kind: ResourceKind,
  run: ObjectRun,
  { urn, inputs: props, memory }: ResourceRequest,
  outputs: ResourceState,
): Promise<readonly RetiredFate[]> {
  for (const { id, replacedAt } of outputs.memory.retired) {
    run.memory.claim(id, urn, false);
    if (replacedAt !== undefined) run.memory.noteRetired(id);
  }
  const facts = run.memory.of(urn);
  if (!facts || outputs.memory.retired.length === 0) return [];
  const fates = await fatesOf(kind, run, urn, { present: { props, memory }, outputs });
  await reportFates(kind, run, urn, fates, facts.isPreview);
  return fates;
}

/** Says on the row what waits, for whom and until when; in a preview also what the update deletes. */
export async function reportFates(
  kind: ResourceKind,
  run: ObjectRun,
  urn: string,
  fates: readonly RetiredFate[],
  isPreview: boolean,
): Promise<void> {
  for (const { retired, fate, verdict } of fates) {
    if (fate === "stays" && verdict?.goes === false)
      await run.rows.line(urn, "info", waitingText(kind, retired, verdict));
    if (fate === "goes" && isPreview && verdict)
      await run.rows.line(urn, severityOf(verdict), `deletes ${subject(kind, retired)}: ${goingWords(verdict)}`);
  }
  const swept = fates.flatMap(({ fate, verdict, retired }) => (fate === "goes" && !verdict ? [retired.id] : []));
  if (swept.length === 0 || !isPreview) return;
  const text = `deletes replaced ${kind.credential?.word ?? ""}s that the provider no longer signs in with: ${swept.join(", ")}`;
  await run.rows.line(urn, "info", text);
}

/** Deletes what can go, after the audit log was asked again. Resolves with what is left: the outputs remember it. */
export async function deleteRetired(call: ResourceCall, successor: Successor): Promise<readonly RetiredObject[]> {
  const { kind, run, urn } = call;
  const fates = await fatesOf(kind, run, urn, successor);
  await reportFates(kind, run, urn, fates, false);
  for (const { retired, fate, verdict } of fates) {
    if (fate === "released")
      await run.rows.line(urn, "info", `${subject(kind, retired)}, stays: another resource has adopted it`);
    if (fate === "goes") await deleteOne(call, successor.outputs.props, retired, verdict);
  }
  return fates.filter(({ fate }) => fate === "stays").map(({ retired }) => retired);
}

async function deleteOne(
  call: ResourceCall,
  props: Props,
  retired: RetiredObject,
  verdict: Retirement | undefined,
): Promise<void> {
  const { kind, run, urn } = call;
  await deleteIfThere(call, props, retired.id);
  const why = verdict ? `: ${goingWords(verdict)}` : "";
  await run.rows.line(urn, severityOf(verdict), `deleted ${subject(kind, retired)}${why}`);
}

/**
 * Called before the new half of a replacement is made, while the state still has the old one: deletes what waits no longer. What cannot be
 * deleted now stays in the state.
 */
export async function sweepBeforeReplacement(call: ResourceCall): Promise<readonly RetiredObject[]> {
  const { kind, run, urn } = call;
  const { outputs } = replacedBy(call) ?? {};
  if (!outputs) return [];
  const present = { props: call.inputs, memory: call.request.memory };
  const waits = ({ isOwn }: RetiredObject): boolean => !isOwn;
  const waiting = { ...outputs, memory: { ...outputs.memory, retired: outputs.memory.retired.filter(waits) } };
  const own = outputs.memory.retired.filter(({ isOwn }) => isOwn);
  try {
    return [...own, ...(await deleteRetired(call, { present, outputs: waiting }))];
  } catch (error) {
    if (!(error instanceof CloudinfraError)) throw error;
    await run.rows.line(
      urn,
      "warning",
      `replaced ${kind.nouns} could not be deleted, so the next run does it: ${messageOf(error)}`,
    );
    return outputs.memory.retired;
  }
}

/** Called with the new half of a replacement: the old one as the state is to remember it, if a later run deletes it. */
export function retiredBy(call: ResourceCall): readonly RetiredObject[] {
  const { kind, run } = call;
  const replaced = replacedBy(call);
  if (!replaced) return [];
  const { id, outputs } = replaced;
  const isOwn = ownCredential(kind, run, outputs.props) !== undefined;
  const rule = ruleOf(kind, { props: call.inputs, memory: outputs.memory });
  // Nobody has an object that was never ready.
  const waits = rule !== undefined && !outputs.memory.halfMade;
  if (waits) run.memory.noteRetired(id);
  const ends = Date.parse(kind.credential?.endOf(outputs.props) ?? "");
  const endsAt = Number.isNaN(ends) ? undefined : ends;
  if (waits) return [{ id, isOwn, replacedAt: run.api.serverNow(), endsAt }];
  return isOwn ? [{ id, isOwn, replacedAt: undefined, endsAt: undefined }] : [];
}

function replacedBy({ run, urn }: ResourceCall): { readonly id: string; readonly outputs: ResourceState } | undefined {
  const { replaced, outputs, id } = run.memory.of(urn) ?? {};
  return replaced && outputs && id !== undefined ? { id, outputs } : undefined;
}

/** Whether the old half of a replacement waits for its clients. Then its successor has it, and the row says so. */
export async function waitsForClients(call: ResourceCall, id: string): Promise<boolean> {
  const { kind, run, urn, inputs, request } = call;
  if (run.memory.isRetired(id)) {
    await run.rows.line(urn, "info", `${kind.noun} ${id} was replaced, and waits until no client uses it`);
    return true;
  }
  if (!isReplacedUnseen(call) || !ruleOf(kind, { props: inputs, memory: request.memory })) return false;
  await warnOfUnmanaged(call, [id], BY_TARGET);
  return true;
}

/**
 * Called when an object goes with its resource: nobody would know what waits there. So it is deleted too, and the row names its clients. A
 * successor has it otherwise.
 */
export async function deleteWaiting(call: ResourceCall, id: string): Promise<void> {
  const { kind, run, urn, inputs, request } = call;
  const waiting = request.memory.retired.filter(({ isOwn }) => !isOwn);
  if (waiting.length === 0) return;
  if (isReplacedUnseen(call))
    return warnOfUnmanaged(
      call,
      waiting.map((retired) => retired.id),
      BY_TARGET,
    );
  if (run.memory.isReplaced(urn, id)) return;
  const state = { urn, props: inputs, memory: { ...request.memory, retired: waiting } };
  for (const { retired, fate, verdict } of await fatesOf(kind, run, urn, { present: state, outputs: state })) {
    if (fate === "released") continue;
    if (verdict?.goes === false) {
      const text = `deletes ${subject(kind, retired)}, because nothing would manage it: ${verdict.why}`;
      await run.rows.line(urn, "warning", text);
    }
    await deleteOne(call, inputs, retired, verdict?.goes === true ? verdict : undefined);
  }
}

const BY_TARGET = "--target-replace has replaced it";

/** With `--target-replace`, the new half does not know what it replaces. */
function isReplacedUnseen({ run, urn }: ResourceCall): boolean {
  const facts = run.memory.of(urn);
  return facts !== undefined && !facts.previous && !facts.replaced;
}

/** Called when the object is gone, and the engine takes the resource out of the state: what it has replaced is then in no state. */
export async function warnOfWaiting(call: ResourceCall): Promise<void> {
  const ids = call.request.memory.retired.map(({ id }) => id);
  if (ids.length > 0) await warnOfUnmanaged(call, ids, "its successor is gone");
}

function warnOfUnmanaged({ kind, run, urn }: ResourceCall, ids: readonly string[], reason: string): Promise<void> {
  const text = `${kind.noun} ${ids.join(" and ")} stays until it expires, because ${reason}. Nothing manages it any longer: delete it when no client uses it`;
  return run.rows.line(urn, "warning", text);
}

function subject({ noun }: ResourceKind, { id }: RetiredObject): string {
  return `${noun} ${id}, which this one has replaced`;
}

function waitingText(kind: ResourceKind, retired: RetiredObject, { why, until }: Retirement): string {
  return `${subject(kind, retired)}, stays until it is quiet, at the latest until ${dateText(until)}: ${why}`;
}

function goingWords({ why, clients }: Retirement): string {
  return clients.length === 0 ? why : `${why}, although it was used by ${clientWords(clients)}`;
}

function severityOf(verdict: Retirement | undefined): "info" | "warning" {
  return verdict && verdict.clients.length > 0 ? "warning" : "info";
}
