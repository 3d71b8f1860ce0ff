import {
  adoptedSecretFindings,
  adoptFindings,
  adoptionFindings,
  changesOnAdoption,
  claimFindings,
  immutableDifferences,
} from "../adoption/adoption-check";
import { proposedCost } from "../pricing/proposed-cost";
import { keysInBothFronts, keyWithoutParents, resourceKey } from "../../engine/urn";
import { withoutUndefined } from "../../engine/values";
import type { CostPair } from "../../cost/cost";
import { keepSpelling } from "../kind/changed-fields";
import type { Finding, Props, ResourceKind } from "../kind/kind";
import { costBeforeOf, costProps, lastCost } from "../pricing/cost-in-state";
import { askAboutCreation, creationFindings, roomForCreation, type CreationAnswers } from "../preflight/preflight";
import type { Proposal } from "../pricing/quote-of-creation";
import type { CheckAnswer, ResourceRequest } from "../resource-request";
import { runsReplacementOf } from "../../process/cli-process";
import { begin, getObject, type ObjectRun, type ProposedUpdate } from "../objects/resource-call";
import { lockExisting } from "../recovery/locked-object";
import type { RecoveryRun } from "../recovery/recovery-call";
import type { Run } from "../run/run";
import { wasDeletedFirst } from "./changeable";
import { reportNew } from "./new-resource-row";
import { prefetchAnswers } from "./prefetch-answers";
import { completeInputs, type CompletedInputs } from "./completed-inputs";
import { isFailure } from "../../definition/rule-context";
import { reportWarnings } from "../report-findings";
import { isReplacedRetained, type RunFacts } from "../memory/run-memory";
import { findingsOf, withHowToConfigure } from "./validation";

/**
 * Completes the inputs with defaults and a name, and validates them by all rules. Keeps the earlier spelling of equal
 * values. Asks for the cost of the proposal, so that a preview knows `cost`.
 */
export async function check(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<CheckAnswer> {
  const { urn } = request;
  const facts = await withMissing(kind, run, request, await beginCheck(kind, run, request));
  const completed = await completeInputs(kind, run, request, facts);
  const { adopted, memory } = completed;
  const given = { urn, props: completed.inputs, memory };

  const findings = [...validate(kind, run, completed, facts), ...claimAdopted(kind, run, urn, completed)];
  const wrong = findings.filter(isFailure);
  if (wrong.length > 0) return { state: given, findings: wrong };
  await reportWarnings(run, urn, findings);

  const proposal = noteProposal(kind, run, urn, completed, facts);
  const planned = facts.previous ? undefined : plannedAdoption(proposal, adopted);
  const { pair, objections } = await (facts.previous || adopted
    ? askAboutObject(proposal, facts, adopted?.shown, planned)
    : askAboutNew(proposal, facts));
  run.memory.note(urn, { cost: pair });
  const refused = objections.filter(isFailure);
  if (refused.length > 0) return { state: given, findings: refused };
  await reportWarnings(run, urn, objections);

  // The change of an existing object is reported by diff, which knows whether it is made in place.
  if (!facts.previous) await reportNew(proposal, facts, planned, pair);
  const earlier = adopted ? undefined : (facts.previous ?? facts.replaced);
  const costs = { unpriced: pair.after.unpriced, costBefore: costBeforeOf(pair, earlier && lastCost(earlier)) };
  const props = withoutUndefined({ ...proposal.inputs, ...costProps(pair.after) });
  return { state: { urn, props, memory: { ...memory, ...costs } }, findings: [] };
}

/**
 * Notes the resource for this run's other calls and processes, asks ahead about the next ones, and locks an imported
 * object.
 */
async function beginCheck(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<RunFacts> {
  const { urn, isPreview, mayBeUpdate } = request;
  const facts = run.memory.begin(request);
  if (kind.credential) noteInProgram(run, urn, facts);
  run.prefetch.onPresented(urn, !facts.previous && !facts.replaced, (next, ofNext) =>
    prefetchAnswers(ofNext, run, next, isPreview),
  );
  if (!isPreview || mayBeUpdate) await takeImported(kind, run, request);
  return facts;
}

/**
 * Adds `isMissing` to the facts of a replacement's new object. diff has not looked if it did not ask for the
 * replacement.
 */
async function withMissing(kind: ResourceKind, run: Run, request: ResourceRequest, facts: RunFacts): Promise<RunFacts> {
  const { id, outputs, isMissing: known } = facts;
  if (!facts.replaced || id === undefined || !outputs || known !== undefined) return facts;
  const { urn } = request;
  const isMissing = await wasDeletedFirst({ kind, run, urn, request: { ...request, id }, outputs });
  run.memory.note(urn, { isMissing });
  return { ...facts, isMissing };
}

/**
 * Locks an imported object, as an adoption does. The state already has it, even if this fails or its arguments are then
 * refused.
 */
async function takeImported(kind: ResourceKind, run: RecoveryRun, request: ResourceRequest): Promise<void> {
  const id = run.memory.objects.importedBy(request.urn);
  if (id === undefined) return;
  const call = begin(kind, run, request, "read");
  const get = (): Promise<Props> => getObject({ ...call, inputs: request.last?.props ?? call.inputs }, id);
  const locked = await lockExisting(call, id, get).catch(async (error: unknown) => {
    await run.journal.adoptions.record({ type: kind.type, id }); // without its parts, because it may not have been read
    throw error;
  });
  await locked?.handOver();
}

/**
 * Notes the resource for the other processes: the engine may ask one of them to delete the replaced object, even before
 * the new object exists. If the engine replaces an object without a diff, its resource looks new, and may have moved
 * from another provider or parent.
 */
function noteInProgram({ memory }: ObjectRun, urn: string, { previous, replaced }: RunFacts): void {
  const isNew = !previous && !replaced;
  const known = [urn, previous?.urn ?? urn].map(resourceKey);
  const keys = keysInBothFronts(urn).filter((key) => isNew || known.includes(key));
  memory.objects.noteInProgram(isNew ? [...keys, ...keys.map(keyWithoutParents)] : keys);
}

/** The inputs with the earlier spelling of equal values. Notes for the other calls what the program wants. */
function noteProposal(
  kind: ResourceKind,
  run: Run,
  urn: string,
  { inputs: valid, adopted }: CompletedInputs,
  { previous }: RunFacts,
): Proposal<Run> {
  const inputs = previous ? keepSpelling(kind.fields, previous.props, valid, run.api.now()) : valid;
  run.memory.note(urn, { adoptedId: adopted?.id });
  if (adopted) run.duplicates.noteExisting(kind, adopted.id);
  if (!previous) run.standIns.noteNew(kind, inputs);
  return { kind, run, urn, inputs };
}

interface CheckAnswers {
  readonly pair: CostPair;
  readonly objections: readonly Finding[];
}

/**
 * Asks about an object that exists: its price and, if it is to be adopted, whether that is permitted and what it
 * changes.
 */
async function askAboutObject(
  proposal: Proposal<Run>,
  { isPreview }: RunFacts,
  shown: Props | undefined,
  planned: ProposedUpdate<Run> | undefined,
): Promise<CheckAnswers> {
  const { kind, run, urn, inputs } = proposal;
  const judged = isPreview ? planned : undefined;
  const { changed } = judged ?? { changed: [] };
  const [{ pair }, unpermitted] = await Promise.all([
    proposedCost(proposal, shown),
    changed.length > 0 ? run.permissions.findingsOn(kind, urn, inputs, changed) : [],
  ]);
  return { pair, objections: [...unpermitted, ...(judged ? await adoptionFindings(judged) : [])] };
}

/**
 * Asks about a new object. Quotas, permissions and duplicates are asked for in a preview only: in an update, the
 * creation itself shows them. The duplicates are asked for after the price: if both fail, the first failure explains
 * both.
 */
async function askAboutNew(
  proposal: Proposal<Run>,
  { replaced, outputs, isPreview, isMissing }: RunFacts,
): Promise<CheckAnswers> {
  const { kind, run, urn, inputs } = proposal;
  const ask = async (): Promise<CreationAnswers> =>
    (replaced ? undefined : await run.prefetch.take(urn, inputs)) ?? askAboutCreation(proposal, isPreview);
  const answered = ask();
  // With a forced replacement, the engine shows the replaced resource as a new one.
  const isNew = isPreview && inputs["adopt"] === undefined && !runsReplacementOf(urn);
  const [answers, quotas, unpermitted, duplicated] = await Promise.all([
    answered,
    isPreview
      ? roomForCreation(proposal, isMissing || isReplacedRetained({ replaced, outputs }) ? undefined : replaced?.props)
      : undefined,
    isPreview ? run.permissions.findingsOn(kind, urn, inputs) : [],
    answered.then(() => (isNew ? run.duplicates.findingsOn({ ...proposal, replaced: outputs?.props }) : [])),
  ]);
  const refusals = await creationFindings(proposal, answers, quotas);
  return { pair: answers.proposed.pair, objections: [...unpermitted, ...refusals, ...duplicated] };
}

function plannedAdoption(
  { inputs, ...resource }: Proposal<Run>,
  adopted: CompletedInputs["adopted"],
): ProposedUpdate<Run> | undefined {
  if (!adopted?.shown) return undefined;
  const { id, shown } = adopted;
  const changed = changesOnAdoption(resource.kind, shown, inputs, resource.run.api.now());
  return { ...resource, id, changed, olds: shown, news: inputs, ownParts: "all" };
}

/** All failures and warnings about the inputs. It sends no requests and claims nothing. */
function validate(
  kind: ResourceKind,
  { api, settings }: Pick<Run, "api" | "settings">,
  completed: CompletedInputs,
  { previous, replaced, deleteBeforeReplace }: RunFacts,
): readonly Finding[] {
  const { given, inputs, adopted } = completed;
  const found = findingsOf(kind, inputs, {
    previous: previous?.props,
    adopted: adopted?.shown,
    replaced: replaced?.props,
    deleteBeforeReplace,
    now: api.now(),
  });
  return [
    ...withHowToConfigure(kind, settings, inputs, found),
    ...adoptFindings(given["adopt"]),
    ...adoptedSecretFindings(kind, given["adopt"]),
    ...completed.findings,
    ...(adopted?.findings ?? []),
  ];
}

/**
 * Claims the object to adopt. Failures if another resource owns it, or if the API cannot give it the program's values.
 */
function claimAdopted(
  kind: ResourceKind,
  run: ObjectRun,
  urn: string,
  { given, inputs, adopted }: CompletedInputs,
): readonly Finding[] {
  if (!adopted?.shown) return [];
  return [
    ...claimFindings({ kind, run, urn, inputs: given }, adopted.id),
    ...immutableDifferences(kind, adopted.shown, inputs, run.api.now()),
  ];
}
