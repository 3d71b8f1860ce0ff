import { keepSpelling, replacingFields } from "./change-policy";
import { adoption, adoptionFindings, adoptionText, immutableDifferences, readAdopted } from "./adoption/adoption";
import { tellHowToConfigure } from "./configurable";
import { tellCost } from "./pricing/cost-row";
import { isUnknown, withoutAbsent, withoutUndefined } from "./engine-values";
import { hiddenOf, hiddenToProps, visibleOf } from "./hidden-inputs";
import type { Finding, Plan, Props, ResourceKind } from "./kind";
import { autoName } from "./names";
import { pairProps } from "./outputs";
import { creationFindings } from "./pricing/preflight";
import { lastCost, proposedCost } from "./pricing/proposed-cost";
import type { Run } from "./run";
import type { Seen } from "./run-memory";
import { timeoutFindings } from "./timeouts";
import { findingsOf } from "./validation";

/** What check answers to the engine. */
export interface CheckAnswer {
  readonly inputs: Record<string, unknown>;
  readonly failures: { readonly property: string; readonly reason: string }[];
}

/**
 * Completes and validates the inputs: defaults, name, every rule at once; keeps the earlier spelling where it means the
 * same; and asks what the proposal would cost, so that `cost` is known in preview.
 */
export async function check(kind: ResourceKind, run: Run, olds: Props, news: Props): Promise<CheckAnswer> {
  const { urn, dryRun, retainOnDelete, timeouts } = hiddenOf(news);
  const seen = run.memory.begin(urn, olds, dryRun);
  const earlier = seen.previous ?? seen.replaced;
  const { settings } = run;

  const given: Props = { ...kind.defaults(settings), ...withoutAbsent(withoutOwn(visibleOf(news))) };
  const adopting = adoption(kind, given["adopt"], seen);
  const adopted = await readAdopted(kind, run, adopting, given, urn);
  const { name, chosen } = nameOf(urn, given["name"], seen, adopted?.shown?.["name"]);
  const plan = await planned(kind, run, urn, { ...given, name }, seen, adopted?.shown);
  const proposed: Props = withoutUndefined({ ...given, ...plan?.inputs, name, adopt: adopting.input });

  const { previous, replaced } = seen;
  const now = run.api.serverNow();
  const findings = [
    ...tellHowToConfigure(
      kind,
      settings,
      proposed,
      findingsOf(kind, proposed, {
        previous,
        adopted: adopted?.shown,
        replaced,
        isReplacement:
          previous !== undefined &&
          (adopted !== undefined || replacingFields(kind.policies, previous, proposed, now).length > 0),
        now,
      }),
    ),
    ...timeoutFindings(timeouts),
    ...(plan?.findings ?? []),
    ...(adopted?.findings ?? []),
    ...(adopted?.shown ? immutableDifferences(kind, adopted.shown, proposed, now) : []),
  ];
  const hidden = hiddenToProps({
    urn,
    dryRun,
    retainOnDelete,
    generation: generationOf(seen),
    autoName: chosen,
    adopted: adopting.used ?? hiddenOf(earlier ?? {}).adopted,
    halfMade: false,
    retired: [],
    timeouts,
    unpriced: undefined,
  });
  const refused = (found: readonly Finding[]): CheckAnswer | undefined => {
    const failures = found.filter(({ severity }) => severity === "failure").map(failureOf);
    return failures.length > 0 ? { inputs: { ...proposed, ...hidden }, failures } : undefined;
  };
  const wrong = refused(findings);
  if (wrong) return wrong;

  await warn(run, urn, findings);
  const inputs = previous ? keepSpelling(kind.policies, previous, proposed, run.api.serverNow()) : { ...proposed };
  run.memory.note(urn, { adopts: adopted !== undefined, isRetained: retainOnDelete });
  const proposal = await proposedCost(kind, run, urn, inputs, adopted?.shown);
  const { pair } = proposal;
  run.memory.note(urn, { cost: pair });
  // A change of what is there is diff's to tell of: only diff knows whether it is made in place.
  if (!previous) {
    const taking = adopted?.shown && { id: adopted.id, urn, shown: adopted.shown, inputs };
    // In an update the creation itself is the check.
    const found = !dryRun
      ? []
      : taking
        ? await adoptionFindings(kind, run, taking)
        : await creationFindings(kind, run, urn, inputs, proposal);
    const refusedByApi = refused(found);
    if (refusedByApi) return refusedByApi;
    await warn(run, urn, found);
    const stays = replaced !== undefined && hiddenOf(replaced).retainOnDelete;
    const parts = [
      taking && adoptionText(kind, run, taking),
      replaced && seen.reason,
      stays && "the replaced object stays (retainOnDelete)",
    ];
    const subject = taking ? "adopted" : replaced && !stays ? "existing" : "new";
    await tellCost(run, urn, dryRun ? pair : undefined, subject, parts);
  }
  return {
    inputs: withoutUndefined({
      ...inputs,
      ...hidden,
      ...pairProps(pair, adopted || !earlier ? undefined : lastCost(earlier)),
    }),
    failures: [],
  };
}

/** What the kind makes of the inputs by itself; a reason for a replacement is kept for the check of its new half. */
async function planned(
  kind: ResourceKind,
  run: Run,
  urn: string,
  inputs: Props,
  seen: Seen,
  adopted: Props | undefined,
): Promise<Plan | undefined> {
  const plan = await kind.plan?.(inputs, {
    previous: seen.previous,
    adopted,
    replaced: seen.replaced,
    replacedId: seen.replaced && seen.id,
    generation: generationOf(seen),
    serviceTime: () => run.serviceTime(urn),
  });
  if (seen.previous) run.memory.note(urn, { reason: plan?.reason });
  return plan;
}

/** What `ignoreChanges` may put back although no program gives it: check makes it anew. */
function withoutOwn(inputs: Props): Props {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => key !== "cost"));
}

function generationOf(seen: Seen): number {
  if (seen.previous) return hiddenOf(seen.previous).generation;
  return seen.replaced ? hiddenOf(seen.replaced).generation + 1 : 0;
}

/** An explicit name is taken as it is; a chosen one is kept for the object's life; a replacement gets a new one. */
function nameOf(
  urn: string,
  given: unknown,
  seen: Seen,
  adoptedName: unknown,
): { readonly name: unknown; readonly chosen: string | undefined } {
  const earlier = seen.previous ?? seen.replaced;
  const chosen = earlier && hiddenOf(earlier).autoName;
  // ignoreChanges puts the present name where the program has none: what was chosen is still remembered.
  const isExplicit = given !== undefined && !(chosen !== undefined && given === earlier?.["name"]);
  if (isExplicit || isUnknown(given)) return { name: given, chosen: undefined };
  if (seen.previous && chosen !== undefined) return { name: given ?? chosen, chosen };
  const name = typeof adoptedName === "string" ? adoptedName : autoName(urn, generationOf(seen));
  return { name, chosen: name };
}

/** The path stands in the reason: with a property, the engine would print the property's value, secret or not. */
export function failureOf({ field, reason }: Finding): { readonly property: string; readonly reason: string } {
  return { property: "", reason: field === "" ? reason : `${field}: ${reason}` };
}

/** What does not stop the preview, on the row. */
export async function warn(run: Run, urn: string, findings: readonly Finding[]): Promise<void> {
  for (const { field, reason } of findings.filter(({ severity }) => severity === "warning")) {
    await run.rows.line(urn, "warning", field === "" ? reason : `${field}: ${reason}`);
  }
}
