import type { CostOperation } from "../../cost/resource-cost";
import { dynamicUrn, OWN_PROVIDER } from "../../engine/urn";
import { isReplacedRetained, type RunMemory } from "../memory/run-memory";
import type { CostPair, CostSide } from "../../cost/cost";
import type { RunFile } from "../../process/run-file";
import { lastCost } from "./cost-in-state";

/** The settings of a provider that come from resources that do not exist yet. */
interface UnknownSettings {
  readonly unknown: readonly string[];
}

/** A resource that a refresh of this run has removed from the state. */
interface MissingResource {
  readonly missingUrn: string;
}

/** The file in which the processes of a run share costs. */
export type CostFile = RunFile<CostInRun | UnknownSettings | MissingResource>;

/**
 * The costs of the resources of this run, for a cost summary. Each explicit provider has its own process, and so has
 * the other front. So each process writes its costs to a file of the run, and reads those of the others there. If the
 * file cannot be used, a summary does not know the costs of other processes.
 */
export class RunCosts {
  readonly provider: string;
  readonly #others = new Map<string, CostInRun>();
  readonly #unknown: string[] = [];
  readonly #missing = new Set<string>();

  /** `file`: undefined outside an engine, and for a user without a home. */
  constructor(
    private readonly memory: RunMemory,
    private readonly file: CostFile | undefined,
    provider: string | undefined,
  ) {
    this.provider = provider ?? OWN_PROVIDER;
  }

  /** The cost of a resource whose check and diff have run, in any process of this run. */
  of(urn: string): CostInRun | undefined {
    const own = costInRun(this.memory, urn, this.provider);
    if (own === undefined) this.#readOthers();
    return own ?? this.#others.get(urn);
  }

  /**
   * The settings that a provider of this run does not know yet. The engine does not call such a provider for its
   * resources.
   */
  unknownSettings(): readonly string[] {
    this.#readOthers();
    return this.#unknown;
  }

  /** Shares the cost. Called before the engine gets the answer, so that dependents of the resource can read it. */
  share(urn: string): void {
    const cost = this.file && costInRun(this.memory, urn, this.provider);
    if (cost !== undefined) this.file?.append(cost);
  }

  /** Called by a refresh that does not find the object of a resource. */
  noteMissing(urn: string): void {
    const missingUrn = dynamicUrn(urn);
    this.#missing.add(missingUrn);
    this.file?.append({ missingUrn });
  }

  /**
   * True if a refresh of this run has removed the resource from the state, so that its object costs nothing before the
   * run either.
   */
  isMissing(urn: string): boolean {
    this.#readOthers();
    return this.#missing.has(dynamicUrn(urn));
  }

  end(): void {
    this.file?.remove();
  }

  #readOthers(): void {
    for (const entry of this.file?.readNew() ?? [])
      if ("urn" in entry) this.#others.set(entry.urn, entry);
      else if ("missingUrn" in entry) this.#missing.add(entry.missingUrn);
      else this.#unknown.push(...entry.unknown);
  }
}

/** Tells a cost summary that a provider does not know these settings yet. */
export function shareUnknownSettings(file: CostFile | undefined, unknown: readonly string[]): void {
  if (unknown.length > 0) file?.append({ unknown });
}

/** The cost of a resource, for a cost summary. It has no secrets, because it is written to a file. */
interface CostInRun {
  readonly urn: string;
  /** The name of the resource's explicit provider. Otherwise `default`: the one with the settings of the stack. */
  readonly provider: string;
  readonly operation: CostOperation;
  readonly pair: CostPair;
  /** The URN in the state. It differs if an alias has renamed the resource. Undefined for a new resource. */
  readonly formerUrn?: string | undefined;
  /** The last cost of the replaced object, for the new object of a replacement. */
  readonly replaced?: (CostSide & { readonly isRetained: boolean }) | undefined;
  /** Whether the resource takes over an object, whose cost counts as before. */
  readonly adopts: boolean;
  /** Whether the object stays at the API when the resource is deleted (`retainOnDelete`). */
  readonly isRetained: boolean;
}

/** The cost of a resource of this process. Undefined before its check. */
function costInRun(memory: RunMemory, urn: string, provider: string): CostInRun | undefined {
  const facts = memory.of(urn);
  if (facts?.cost === undefined) return undefined;
  const { program, previous, replaced, cost, adoptedId, isChanged, isMissing } = facts;
  return {
    urn,
    provider,
    operation: replaced ? "replace" : !previous ? "create" : isChanged ? "update" : "same",
    pair: cost,
    formerUrn: (previous ?? replaced)?.urn,
    replaced: replaced && !isMissing ? { ...lastCost(replaced), isRetained: isReplacedRetained(facts) } : undefined,
    adopts: adoptedId !== undefined && !previous,
    isRetained: program.memory.retainOnDelete,
  };
}
