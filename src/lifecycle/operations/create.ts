import { collectionAt, partIdsOf } from "../kind/collection-at";
import { fromWire, toWire } from "../../definition/wire";
import type { Creation } from "../../api/client";
import { adoptObject } from "../adoption/adopt";
import { withSubResources } from "../objects/sub-resource-outputs";
import { deleteNew } from "../objects/deletion";
import { awaitProgramsValues, otherValues } from "../objects/program-values";
import { awaitMade, isUnfinished, lacksSubResource } from "../objects/readiness";
import { succeedOwnCredential } from "../credential/own-credential";
import { tryCredential } from "../credential/trial";
import { deleteRetiredBeforeReplacement, withReplaced } from "../credential/replaced-object";
import {
  BrokenCredentialError,
  InitFailedError,
  LostCreationError,
  OtherObjectError,
  RefusedObjectError,
  messageOf,
} from "../errors";
import { maskSecrets, type Props, type ResourceKind, outputsOf } from "../kind/kind";
import { withQuoteTime } from "../pricing/cost-in-state";
import { withOwnCost } from "../pricing/proposed-cost";
import { commentText, markOf } from "../../journal/creation-comment";
import type { JournalEntry } from "../../journal/entry";
import { takeOverInterrupted } from "../recovery/interrupted-creation";
import { afterFailure } from "../recovery/lost-response";
import type { MadeObject } from "../memory/run-memory";
import type { PricingRun } from "../pricing/quote-of-creation";
import type { RecoveryCall, RecoveryRun } from "../recovery/recovery-call";
import { assertOwn } from "../recovery/answered-object";
import { outcomeOf, hasMade } from "../recovery/ownership";
import { withObject, type CreateAnswer, type ResourceRequest, type ResourceState } from "../resource-request";
import { begin, callOf, getObject, withFullTimeLimit, type ResourceCall } from "../objects/resource-call";
import type { Run } from "../run/run";
import { refusedCreation } from "./refused-creation";
import { warnOfAdoptedParts } from "./remaining-parts";

type CreationRun = RecoveryRun & PricingRun & Pick<Run, "apiTime" | "catalogs">;

/** If the secret of a new key is lost, the key is made a second time. Further attempts would not help. */
const MAX_ATTEMPTS = 2;

/**
 * Creates the object, or takes an existing one over. An accepted object gets into the state even if it is not ready, or
 * if the run's notes about it cannot be written.
 */
export async function create(kind: ResourceKind, run: CreationRun, request: ResourceRequest): Promise<CreateAnswer> {
  const call = begin(kind, run, request, "create");
  const left = kind.credential ? await deleteRetiredBeforeReplacement(call) : [];
  const made: CreatedObject = await createOrAdopt(call).catch(asUnready);
  const { id, unready } = made;
  const priced = unready ? await withCostOfShown(call, made.state) : made.state;
  const state = kind.credential ? withReplaced(call, id, priced, left) : priced;
  run.memory.missing.noteMade(call.urn);
  let cause = unready?.cause;
  try {
    noteInRun(call, id, state);
  } catch (error) {
    cause ??= error;
  }
  if (cause !== undefined) throw new InitFailedError(id, state, cause);
  return { id, state };
}

/** The cost belongs to the program's values. An object that is not ready may have others. */
function withCostOfShown(call: ResourceCall<CreationRun>, state: ResourceState): Promise<ResourceState> {
  const program = { ...state, props: { ...call.inputs, cost: state.props["cost"] } };
  return withOwnCost(call, program, state);
}

type CreatedObject = CreateAnswer & { readonly unready?: InitFailedError };

/** The object of a creation that failed after the API had accepted it. Throws all other errors again. */
function asUnready(error: unknown): CreatedObject {
  if (!(error instanceof InitFailedError)) throw error;
  return { id: error.id, state: error.state, unready: error };
}

/** Notes the object and its predecessors for all processes of this run: first what keeps others from deleting them. */
function noteInRun({ run, urn }: ResourceCall, id: string, { memory }: ResourceState): void {
  const { objects } = run.memory;
  const { existedBefore, foundAs, replaced, retired, keptOfPair } = memory.object;
  for (const each of retired) objects.noteRetired(each.id);
  if (keptOfPair !== undefined) objects.note(keptOfPair, { isKeptOfPair: true });
  if (replaced[0] !== undefined) objects.note(replaced[0], { successor: { urn, isMade: true } });
  if (existedBefore) objects.note(id, { adoption: { isDone: true, foundAs } });
  objects.claim(id, urn, { isCertain: true, existedBefore });
}

async function createOrAdopt(call: ResourceCall<CreationRun>): Promise<CreateAnswer> {
  const { kind, run, urn } = call;
  if (call.inputs["adopt"] !== undefined || kind.discovery) return adoptObject(call);

  const before = run.memory.of(urn)?.attempt;
  if (before instanceof Error) throw before;
  let made = before && !run.memory.objects.here(before.id).isDeleted ? before : await takeOverInterrupted(call);
  for (let attempt = made ? 0 : 1; ; attempt += 1) {
    const begun = made?.entry ?? (await beginEntry(call));
    try {
      made ??= await send(call, begun);
      // The wait for the object has the full time limit, without the time that the recovery has taken.
      const answer = await awaitCreated(withFullTimeLimit(call), made);
      run.memory.note(urn, { attempt: made });
      return answer;
    } catch (error) {
      if (error instanceof InitFailedError) run.memory.note(urn, { attempt: made });
      made = await afterFailure(call, made?.entry ?? begun, error).catch(async (failure: unknown) => {
        if (failure instanceof LostCreationError) run.memory.note(urn, { attempt: failure });
        throw await refusedCreation(call, failure);
      });
      if (!made && attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Sends the creation with the token of its journal entry, by which a later run can find the object. */
async function send(call: RecoveryCall, begun: JournalEntry): Promise<MadeObject> {
  const { kind, run, urn, inputs } = call;
  const body = toWire(kind, inputs, run.api.now());
  const mutation = await collectionAt(run.api, kind, inputs).create(body, {
    ...callOf(call),
    comment: commentText({ token: begun.token, mark: markOf(run.settings.stackId, urn) }),
    beforeSentAgain: () => run.journal.amend(begun, { wasSentAgain: true }),
  });
  const id = idOf(mutation);
  const isOther = id !== undefined && run.memory.objects.isKnown(id);
  const entry = id === undefined || isOther ? begun : await run.journal.accept(begun, id);
  if (id === undefined)
    throw new RefusedObjectError(`The API answered the creation of this ${kind.noun} without its id.`);
  if (isOther) throw new OtherObjectError(kind.noun, id);
  return { id, mutation, entry };
}

/**
 * Waits until the object is ready. Rejects with InitFailedError if it does not become ready, and with
 * RefusedObjectError if the answer was about another object.
 */
async function awaitCreated(call: RecoveryCall, created: MadeObject): Promise<CreateAnswer> {
  const { kind, run, urn, inputs } = call;
  const { id, mutation, entry } = created;
  const { memory } = call.request;
  const secrets = secretsIn(kind, mutation);
  maskSecrets(kind, secrets);
  const lost = Object.keys(secrets).find((name) => !secrets[name]);
  if (lost !== undefined)
    throw new RefusedObjectError(`The API answered the creation of ${kind.noun} ${id} without its ${lost}.`);
  const known = { ...withQuoteTime(run.memory, urn, inputs), ...secrets };
  let own: Props | undefined; // the object, seen ready and proven to be ours
  let seen: Props = {}; // its outputs
  try {
    const made = await awaitMade(call, id, mutation);
    await assertOwn(call, created, made);
    own = made;
    const compared = await awaitProgramsValues(call, id, made);
    const { wire } = compared;
    const props = outputsOf(kind, known, await withSubResources(call, id, known, wire), run.api.now());
    seen = props;
    if (kind.credential) {
      await tryCredential(call, { id, outputs: props, wire });
      await succeedOwnCredential(call, id, props);
    }
    if (compared.fields.length > 0) throw await otherValues(call, id, compared);
    const ownParts = partIdsOf(kind, wire);
    await warnOfAdoptedParts(call, ownParts);
    await run.journal.handOver(entry);
    return { id, state: { urn, props, memory: withObject(memory, { ownParts }) } };
  } catch (error) {
    if (error instanceof RefusedObjectError) throw error;
    if (error instanceof BrokenCredentialError) throw await deleteUnusable(call, created, error);
    // If the object cannot be read now, the state gets it as it was last seen, because it may exist.
    const left = (await getObject(call, id).catch(() => undefined)) ?? own;
    if (own === undefined) await assertOwn(call, created, left);
    // Its parts keep the program's values: the next update compares them with the object.
    const props = left === undefined ? known : outputsOf(kind, { ...seen, ...known }, left, run.api.now());
    await run.journal.handOver(entry);
    const neverReady = own ? lacksSubResource(kind, props) : left === undefined || isUnfinished(kind, props);
    // No run has read the object, so the state has the program's values. The next update compares these fields with the
    // object.
    const attempted = left === undefined ? Object.keys(kind.fields).filter((field) => known[field] !== undefined) : [];
    throw new InitFailedError(id, { urn, props, memory: withObject(memory, { neverReady, attempted }) }, error);
  }
}

/**
 * Deletes a new object whose credential the API refuses: this run has made it, and no state has it. It is not deleted
 * if the audit log shows that the creation made another one. If the deletion fails, a later run names the object.
 */
async function deleteUnusable(
  call: RecoveryCall,
  { id, entry }: MadeObject,
  error: BrokenCredentialError,
): Promise<Error> {
  const { kind, run } = call;
  const outcome = await outcomeOf(call, entry).catch(() => undefined);
  if (outcome?.status === "made" && !hasMade(outcome, id)) return new OtherObjectError(kind.noun, id);
  const kept = run.memory.of(call.urn)?.replaced ? ` The old ${kind.noun} stays in use.` : "";
  try {
    await deleteNew(call, id);
    await run.journal.close(entry);
    return new BrokenCredentialError(`${error.message} This run has deleted it again.${kept} Run again.`, {
      cause: error,
    });
  } catch (failure) {
    const text = `${error.message} It could not be deleted: ${messageOf(failure)} To delete it, run \`cloudinfra doctor --delete ${id}\`.${kept}`;
    const unusable = new BrokenCredentialError(text, { cause: failure });
    run.memory.note(call.urn, { attempt: unusable });
    return unusable;
  }
}

/**
 * The journal's entry, with the API's time, because the audit log is searched from there and this machine's clock may
 * be wrong.
 */
async function beginEntry(call: ResourceCall<CreationRun>): Promise<JournalEntry> {
  const { run, urn } = call;
  // If the request fails, the creation has the same problem, and reports it.
  if (!run.api.hasTime()) await run.apiTime(urn).catch(() => undefined);
  return run.journal.begin(call);
}

function idOf(mutation: Creation<Props>): string | undefined {
  const id = mutation.kind === "operation" ? mutation.operation.resource_id : mutation.resource["id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * The secrets in the answer to a creation. They are in the object, or among the members of an operation. (In the
 * specification only API keys have secrets, and their creation answers 201 with the object.)
 */
function secretsIn(kind: ResourceKind, mutation: MadeObject["mutation"]): Props {
  const answer =
    mutation.kind === "operation" ? mutation.operation : mutation.kind === "resource" ? mutation.resource : {};
  const shown = fromWire(kind, answer);
  return Object.fromEntries(kind.secretOutputs.map((name) => [name, shown[name]]));
}
