import { defaultsOf } from "../kind/defaults";
import { keepSpelling, replacingFields } from "../kind/change-policy";
import {
  adoptFindings,
  adoption,
  adoptionFindings,
  adoptionText,
  immutableDifferences,
  readAdopted,
  type Adopted,
  type TakeOver,
} from "../adoption/adoption";
import { discovered } from "../adoption/discovery";
import { claimFindings } from "../memory/owner";
import { tellHowToConfigure } from "./configurable";
import { tellCost } from "../pricing/cost-row";
import { isUnknown, withoutAbsent, withoutUndefined } from "../../engine/values";
import type { CostPair } from "../../cost/cost";
import { namingOf } from "../../definition/names";
import { initialValues } from "../../definition/initial-values";
import type { Finding, Plan, PlanContext, Props, ResourceKind } from "../kind/kind";
import { autoName } from "./names";
import { costBeforeOf, costProps, lastCost } from "../pricing/cost-in-state";
import { creationFindings, opinionOfCreation } from "../preflight/preflight";
import { proposedCost } from "../pricing/proposed-cost";
import {
  type CheckAnswer,
  NO_MEMORY,
  type ResourceMemory,
  type ResourceRequest,
  type ResourceState,
} from "../request/resource-request";
import type { Run } from "../run/run";
import { isFailure, warn } from "../request/findings";
import type { RunFacts } from "../memory/run-memory";
import { timeoutFindings } from "../request/timeouts";
import { findingsOf } from "./validation";

/** The program's inputs, completed. */
interface CompletedInputs {
  /** As the program and the defaults give them. */
  readonly given: Props;
  /** With the name and the plan of the kind. */
  readonly inputs: Props;
  readonly adopted: Adopted | undefined;
  /** Of the plan. */
  readonly findings: readonly Finding[];
  readonly memory: ResourceMemory;
}

/**
 * Completes and validates the inputs: defaults, name, all rules. Keeps the earlier spelling of an equal value. Asks for the
 * cost of the proposal, so that a preview knows `cost`.
 */
export async function check(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<CheckAnswer> {
  const { urn, isPreview } = request;
  const facts = run.memory.begin(request);
  const { previous, replaced } = facts;
  const completed = await complete(kind, run, request, facts);
  const { adopted, memory } = completed;
  const answer = (props: Props, findings: readonly Finding[], remembered = memory): CheckAnswer => ({
    state: { urn, props, memory: remembered },
    findings,
  });

  const findings = validate(kind, run, urn, completed, facts);
  const wrong = findings.filter(isFailure);
  if (wrong.length > 0) return answer(completed.inputs, wrong);
  await warn(run, urn, findings);

  const inputs = previous
    ? keepSpelling(kind.policies, previous.props, completed.inputs, run.api.serverNow())
    : completed.inputs;
  const proposal = { kind, run, urn, inputs };
  run.memory.note(urn, { adopts: adopted !== undefined, isRetained: memory.retainOnDelete });
  if (!previous) run.standIns.noteNew(kind, inputs);
  // In an update the creation itself is the check.
  const isNewInPreview = !previous && !adopted && isPreview;
  const [proposed, opinion] = await Promise.all([
    proposedCost(proposal, adopted?.shown),
    isNewInPreview ? opinionOfCreation(proposal, isRetained(replaced) ? undefined : replaced?.props) : undefined,
  ]);
  const { pair } = proposed;
  run.memory.note(urn, { cost: pair });
  // diff reports a change of an existing object, because only diff knows whether it is made in place.
  if (!previous) {
    const taking = adopted?.shown && { id: adopted.id, urn, shown: adopted.shown, inputs };
    const objections = [
      ...(taking && isPreview ? await adoptionFindings(kind, run, taking) : []),
      ...(opinion ? await creationFindings(proposal, proposed, opinion) : []),
    ];
    const refused = objections.filter(isFailure);
    if (refused.length > 0) return answer(completed.inputs, refused);
    await warn(run, urn, objections);
    await tellNew(kind, run, urn, facts, taking, pair);
  }
  const earlier = previous ?? replaced;
  const costBefore = costBeforeOf(pair, adopted || !earlier ? undefined : lastCost(earlier));
  const { unpriced } = pair.after;
  return answer(withoutUndefined({ ...inputs, ...costProps(pair.after) }), [], { ...memory, unpriced, costBefore });
}

async function complete(
  kind: ResourceKind,
  run: Run,
  request: ResourceRequest,
  facts: RunFacts,
): Promise<CompletedInputs> {
  const { urn, memory } = request;
  const given: Props = { ...defaultsOf(kind, run.settings), ...withoutAbsent(withoutOwn(request.inputs)) };
  const adopting = adoption(kind, given["adopt"], facts);
  const adopted =
    (await readAdopted(kind, run.api, adopting, given, urn)) ?? (await discovered(kind, run.api, given, facts, urn));
  const { name, chosen } =
    "name" in kind.policies ? nameOf(kind, request, given["name"], facts, adopted?.shown?.["name"]) : NAMELESS;
  const plan = await planned(kind, run, urn, { ...given, name }, facts, adopted?.shown);
  return {
    given,
    inputs: withoutUndefined({ ...given, ...plan.inputs, name, adopt: adopting.input }),
    adopted,
    findings: plan.findings,
    memory: {
      ...NO_MEMORY,
      retainOnDelete: memory.retainOnDelete,
      timeouts: memory.timeouts,
      generation: generationOf(facts),
      autoName: chosen,
      adopted: adopting.used ?? (facts.previous ?? facts.replaced)?.memory.adopted,
    },
  };
}

/** The faults of a proposal, and the warnings. It asks the API nothing. */
function validate(
  kind: ResourceKind,
  run: Run,
  urn: string,
  completed: CompletedInputs,
  facts: RunFacts,
): readonly Finding[] {
  const { given, inputs, adopted, memory } = completed;
  const { previous, replaced, deletesFirst } = facts;
  const now = run.api.serverNow();
  const isReplacement =
    previous !== undefined &&
    (adopted !== undefined || replacingFields(kind.policies, previous.props, inputs, now).length > 0);
  const found = findingsOf(kind, inputs, {
    previous: previous?.props,
    adopted: adopted?.shown,
    replaced: replaced?.props,
    isReplacedGone: deletesFirst,
    isReplacement,
    now,
  });
  return [
    ...tellHowToConfigure(kind, run.settings, inputs, found),
    ...adoptFindings(given["adopt"]),
    ...timeoutFindings(memory.timeouts),
    ...completed.findings,
    ...(adopted?.findings ?? []),
    ...(adopted?.shown
      ? [
          ...claimFindings(kind, run.memory, urn, adopted.id, given),
          ...immutableDifferences(kind, adopted.shown, inputs, now),
        ]
      : []),
  ];
}

/** The row of a new resource, of an adoption, or of the new half of a replacement. */
async function tellNew(
  kind: ResourceKind,
  run: Run,
  urn: string,
  { replaced, reason, isPreview, deletesFirst }: RunFacts,
  taking: TakeOver | undefined,
  pair: CostPair,
): Promise<void> {
  const stays = isRetained(replaced);
  const parts = [
    taking && adoptionText(kind, run.api.serverNow(), taking),
    replaced && reason,
    stays && "the replaced object stays (retainOnDelete)",
    // What was never ready has no data.
    replaced && !stays && isPreview && !deletesFirst && kind.replacementLoss,
  ];
  const subject = taking ? "adopted" : replaced && !stays ? "existing" : "new";
  await tellCost(run, urn, isPreview ? pair : undefined, subject, parts);
}

/** The planned inputs of the kind. A reason for a replacement is kept for the check of its new half. */
async function planned(
  kind: ResourceKind,
  run: Run,
  urn: string,
  inputs: Props,
  facts: RunFacts,
  adopted: Props | undefined,
): Promise<Plan> {
  const context: PlanContext = {
    previous: facts.previous?.props,
    adopted,
    replaced: facts.replaced?.props,
    replacedId: facts.replaced && facts.id,
    generation: generationOf(facts),
    serviceTime: () => run.serviceTime(urn),
  };
  const chosen = initialValues(kind, inputs, context);
  const plan = await kind.plan?.({ ...inputs, ...chosen }, context);
  if (facts.previous) run.memory.note(urn, { reason: plan?.reason });
  return { findings: [], ...plan, inputs: { ...chosen, ...plan?.inputs } };
}

/** `ignoreChanges` may put back an input that no program gives. check makes it again. */
function withoutOwn(inputs: Props): Props {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => key !== "cost"));
}

/** Whether the old object of a replacement stays at the service. */
function isRetained(replaced: ResourceState | undefined): boolean {
  return replaced?.memory.retainOnDelete === true;
}

function generationOf({ previous, replaced }: RunFacts): number {
  if (previous) return previous.memory.generation;
  return replaced ? replaced.memory.generation + 1 : 0;
}

/** For a kind whose objects have no name of the program's. */
const NAMELESS = { name: undefined, chosen: undefined };

/** An explicit name is used as it is. A chosen name stays for the object's life; a replacement gets a new one. */
function nameOf(
  kind: ResourceKind,
  { urn, autonaming }: ResourceRequest,
  given: unknown,
  facts: RunFacts,
  adoptedName: unknown,
): { readonly name: unknown; readonly chosen: string | undefined } {
  const earlier = facts.previous ?? facts.replaced;
  const chosen = earlier?.memory.autoName;
  // ignoreChanges puts the present name into inputs without one. The chosen name is still remembered.
  const isExplicit = given !== undefined && !(chosen !== undefined && given === earlier?.props["name"]);
  if (isExplicit || isUnknown(given)) return { name: given, chosen: undefined };
  if (facts.previous && chosen !== undefined) return { name: given ?? chosen, chosen };
  const proposed = autonaming ? autonaming.name : autoName(urn, generationOf(facts), namingOf(kind));
  const name = typeof adoptedName === "string" ? adoptedName : proposed;
  return { name, chosen: name };
}
