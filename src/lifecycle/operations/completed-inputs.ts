import { namingOf } from "../../definition/definition";
import { isUnknown, withoutAbsentInside, withoutUndefined } from "../../engine/values";
import { pendingAdoption, readAdopted, usedAdoption, type AdoptionResult } from "../adoption/adoption-check";
import { discoverObject } from "../adoption/discovery";
import { type Finding, type Plan, type PlanContext, type Props, type ResourceKind, defaultsOf } from "../kind/kind";
import type { RunFacts } from "../memory/run-memory";
import type { Proposal } from "../pricing/quote-of-creation";
import { runsReplacementOf } from "../../process/cli-process";
import { NO_MEMORY, type ResourceMemory, type ResourceRequest } from "../resource-request";
import type { Run } from "../run/run";
import type { Definition } from "../../definition/types";
import { autoName } from "../kind/auto-name";

export interface CompletedInputs {
  /** The inputs of the program, and the defaults. */
  readonly given: Props;
  /** `given` with the name and the inputs of the kind's plan. */
  readonly inputs: Props;
  readonly adopted: AdoptionResult | undefined;
  readonly findings: readonly Finding[];
  readonly memory: ResourceMemory;
}

/** Completes the inputs with the defaults, the object to adopt, the name and the plan of the kind. */
export async function completeInputs(
  kind: ResourceKind,
  run: Run,
  request: ResourceRequest,
  facts: RunFacts,
): Promise<CompletedInputs> {
  const { urn, memory } = request;
  // No program gives the cost. `ignoreChanges` may put it back into the inputs; check computes it again.
  const declared: Props = {
    ...defaultsOf(kind, run.settings),
    ...withoutAbsentInside({ ...request.inputs, cost: undefined }),
  };
  const named = (adoptedName?: unknown): ReturnType<typeof nameOf> =>
    "name" in kind.fields ? nameOf(kind, request, declared["name"], facts, adoptedName) : NAMELESS;
  const isNew = !facts.previous && declared["adopt"] === undefined;
  // With a forced replacement, the engine shows the replaced resource as a new one, and its object is not to stay.
  const own =
    isNew && run.settings.adoptOwn && !runsReplacementOf(urn)
      ? await run.duplicates.ownObject({
          kind,
          urn,
          inputs: { ...declared, name: named().name },
          replaced: facts.outputs?.props,
        })
      : undefined;
  const given = withoutUndefined({ adopt: own?.adopt, ...declared });
  const adopting = pendingAdoption(kind, given["adopt"], facts);
  const proposal = { kind, run, urn, inputs: given };
  const adopted = (await readAdopted(proposal, adopting)) ?? (await discoverObject(proposal, facts));
  const { name, chosen } = named(adopted?.shown?.["name"]);
  const plan = await planOf({ ...proposal, inputs: { ...given, name } }, facts, adopted?.shown);
  return {
    given,
    inputs: withoutUndefined({ ...given, ...plan.inputs, name, adopt: adopting.input }),
    adopted,
    findings: [...plan.findings, ...(own?.findings ?? [])],
    memory: {
      ...NO_MEMORY,
      retainOnDelete: memory.retainOnDelete,
      timeouts: memory.timeouts,
      retirements: memory.retirements,
      generation: generationOf(facts),
      lifetimeStart: plan.lifetimeStart,
      autoName: chosen,
      adopted: given["adopt"] === undefined ? facts.previous && usedAdoption(kind, facts.previous) : adopting.used,
    },
  };
}

/**
 * The inputs of the kind's plan. If the plan wants a replacement, its reason is noted for the check of the new object.
 */
async function planOf(
  { kind, run, urn, inputs }: Proposal<Run>,
  facts: RunFacts,
  adopted: Props | undefined,
): Promise<Plan> {
  const context: PlanContext = {
    previous: facts.previous?.props,
    adopted,
    replaced: facts.replaced?.props,
    replacedId: facts.replaced && facts.id,
    generation: generationOf(facts),
    lifetimeStart: facts.previous?.memory.lifetimeStart,
    apiTime: () => run.apiTime(urn),
  };
  const chosen = initialValues(kind, inputs, context);
  const plan = await kind.plan?.({ ...inputs, ...chosen }, context);
  if (facts.previous) run.memory.note(urn, { reason: plan?.reason });
  return { findings: [], ...plan, inputs: { ...chosen, ...plan?.inputs } };
}

function generationOf({ previous, replaced }: RunFacts): number {
  if (previous) return previous.memory.generation;
  return replaced ? replaced.memory.generation + 1 : 0;
}

/** For a kind without an input `name`. */
const NAMELESS = { name: undefined, chosen: undefined };

/**
 * An explicit name is used as it is. An automatic name stays the same for the life of the object. A replacement gets a
 * new one.
 */
function nameOf(
  kind: ResourceKind,
  { urn, autonaming }: ResourceRequest,
  given: unknown,
  facts: RunFacts,
  adoptedName: unknown,
): { readonly name: unknown; readonly chosen: string | undefined } {
  const chosen = (facts.previous ?? facts.replaced)?.memory.autoName;
  // `ignoreChanges` puts the present name into inputs without one. If that is the name that was chosen automatically,
  // it does not count as explicit.
  const present = facts.previous ? facts.previous.props["name"] : chosen;
  const isExplicit = given !== undefined && !(chosen !== undefined && given === present);
  if (isExplicit || isUnknown(given)) return { name: given, chosen: undefined };
  if (facts.previous && chosen !== undefined) return { name: given ?? chosen, chosen };
  const proposed = autonaming ? autonaming.name : autoName(urn, generationOf(facts), namingOf(kind));
  const name = typeof adoptedName === "string" ? adoptedName : proposed;
  return { name, chosen: name };
}

/** Values that a field takes from another field when the object is made, and then keeps. */
function initialValues({ inputs }: Definition, given: Props, { previous, adopted }: PlanContext): Props {
  const values: Record<string, unknown> = {};
  for (const [name, { initially }] of Object.entries(inputs)) {
    if (initially === undefined || given[name] !== undefined) continue;
    values[name] = previous?.[name] ?? adopted?.[name] ?? given[initially];
  }
  return values;
}
