import { findingText } from "../definition/rules";
import { keepSpelling, replacingFields } from "./change-policy";
import {
  adoptFindings,
  adoption,
  adoptionFindings,
  adoptionText,
  immutableDifferences,
  readAdopted,
} from "./adoption/adoption";
import { discovered } from "./adoption/discovery";
import { holdFindings } from "./adoption/holder";
import { tellHowToConfigure } from "./configurable";
import { tellCost } from "./pricing/cost-row";
import { isUnknown, withoutAbsent, withoutUndefined } from "./engine-values";
import type { Finding, Plan, Props, ResourceKind } from "./kind";
import { autoName } from "./names";
import { costBeforeOf, costProps, lastCost } from "./pricing/cost-in-state";
import { creationFindings, opinionOfCreation } from "./preflight/preflight";
import { proposedCost } from "./pricing/proposed-cost";
import {
  type CheckAnswer,
  NO_MEMORY,
  type ResourceMemory,
  type ResourceRequest,
  type ResourceState,
} from "./resource-request";
import type { Run } from "./run";
import type { RunFacts } from "./run-memory";
import { timeoutFindings } from "./timeouts";
import { findingsOf } from "./validation";

/**
 * Completes and validates the inputs: defaults, name, all rules. Keeps the earlier spelling of an equal value. Asks for the
 * cost of the proposal, so that a preview knows `cost`.
 */
export async function check(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<CheckAnswer> {
  const { urn, isPreview, memory } = request;
  const facts = run.memory.begin(request);
  const { previous, replaced } = facts;
  const earlier = previous ?? replaced;
  const { settings } = run;

  const given: Props = { ...kind.defaults(settings), ...withoutAbsent(withoutOwn(request.inputs)) };
  const adopting = adoption(kind, given["adopt"], facts);
  const adopted =
    (await readAdopted(kind, run, adopting, given, urn)) ?? (await discovered(kind, run, given, facts, urn));
  const { name, chosen } =
    "name" in kind.policies ? nameOf(request, given["name"], facts, adopted?.shown?.["name"]) : NAMELESS;
  const plan = await planned(kind, run, urn, { ...given, name }, facts, adopted?.shown);
  const proposed: Props = withoutUndefined({ ...given, ...plan?.inputs, name, adopt: adopting.input });

  const now = run.api.serverNow();
  const findings = [
    ...tellHowToConfigure(
      kind,
      settings,
      proposed,
      findingsOf(kind, proposed, {
        previous: previous?.props,
        adopted: adopted?.shown,
        replaced: replaced?.props,
        isReplacedGone: facts.deletesFirst,
        isReplacement:
          previous !== undefined &&
          (adopted !== undefined || replacingFields(kind.policies, previous.props, proposed, now).length > 0),
        now,
      }),
    ),
    ...adoptFindings(given["adopt"]),
    ...timeoutFindings(memory.timeouts),
    ...(plan?.findings ?? []),
    ...(adopted?.findings ?? []),
    ...(adopted?.shown
      ? [
          ...holdFindings(kind, run, urn, adopted.id, given),
          ...immutableDifferences(kind, adopted.shown, proposed, now),
        ]
      : []),
  ];
  const remembered: ResourceMemory = {
    ...NO_MEMORY,
    retainOnDelete: memory.retainOnDelete,
    timeouts: memory.timeouts,
    generation: generationOf(facts),
    autoName: chosen,
    adopted: adopting.used ?? earlier?.memory.adopted,
  };
  const refused = (found: readonly Finding[]): CheckAnswer | undefined => {
    const failures = found.filter(({ severity }) => severity === "failure");
    return failures.length > 0
      ? { state: { urn, props: proposed, memory: remembered }, findings: failures }
      : undefined;
  };
  const wrong = refused(findings);
  if (wrong) return wrong;

  await warn(run, urn, findings);
  const inputs = previous
    ? keepSpelling(kind.policies, previous.props, proposed, run.api.serverNow())
    : { ...proposed };
  run.memory.note(urn, { adopts: adopted !== undefined, isRetained: memory.retainOnDelete });
  if (!previous) run.standIns.noteNew(kind, inputs);
  // In an update the creation itself is the check.
  const isNewInPreview = !previous && !adopted && isPreview;
  const [proposal, opinion] = await Promise.all([
    proposedCost(kind, run, urn, inputs, adopted?.shown),
    isNewInPreview
      ? opinionOfCreation(kind, run, urn, inputs, isRetained(replaced) ? undefined : replaced?.props)
      : undefined,
  ]);
  const { pair } = proposal;
  run.memory.note(urn, { cost: pair });
  // diff reports a change of an existing object, because only diff knows whether it is made in place.
  if (!previous) {
    const taking = adopted?.shown && { id: adopted.id, urn, shown: adopted.shown, inputs };
    const found =
      taking && isPreview
        ? await adoptionFindings(kind, run, taking)
        : opinion
          ? await creationFindings(kind, run, urn, inputs, proposal, opinion)
          : [];
    const refusedByApi = refused(found);
    if (refusedByApi) return refusedByApi;
    await warn(run, urn, found);
    const stays = isRetained(replaced);
    const parts = [
      taking && adoptionText(kind, run, taking),
      replaced && facts.reason,
      stays && "the replaced object stays (retainOnDelete)",
      // What was never ready has no data.
      replaced && !stays && isPreview && !facts.deletesFirst && kind.replacementLoss,
    ];
    const subject = taking ? "adopted" : replaced && !stays ? "existing" : "new";
    await tellCost(run, urn, isPreview ? pair : undefined, subject, parts);
  }
  const costBefore = costBeforeOf(pair, adopted || !earlier ? undefined : lastCost(earlier));
  const { unpriced } = pair.after;
  return {
    state: {
      urn,
      props: withoutUndefined({ ...inputs, ...costProps(pair.after) }),
      memory: { ...remembered, unpriced, costBefore },
    },
    findings: [],
  };
}

/** The planned inputs of the kind. A reason for a replacement is kept for the check of its new half. */
async function planned(
  kind: ResourceKind,
  run: Run,
  urn: string,
  inputs: Props,
  facts: RunFacts,
  adopted: Props | undefined,
): Promise<Plan | undefined> {
  const plan = await kind.plan?.(inputs, {
    previous: facts.previous?.props,
    adopted,
    replaced: facts.replaced?.props,
    replacedId: facts.replaced && facts.id,
    generation: generationOf(facts),
    serviceTime: () => run.serviceTime(urn),
  });
  if (facts.previous) run.memory.note(urn, { reason: plan?.reason });
  return plan;
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
  const proposed = autonaming ? autonaming.name : autoName(urn, generationOf(facts));
  const name = typeof adoptedName === "string" ? adoptedName : proposed;
  return { name, chosen: name };
}

/** Puts findings that do not stop the preview on the row. */
export async function warn(run: Run, urn: string, findings: readonly Finding[]): Promise<void> {
  for (const finding of findings.filter(({ severity }) => severity === "warning")) {
    await run.rows.line(urn, "warning", findingText(finding));
  }
}
