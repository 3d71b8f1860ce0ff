import { idKey } from "../api/same-id";
import type { CostPair } from "../cost/cost";
import type { Props } from "./kind";
import type { ResourceRequest, ResourceState } from "./request";

/** What this engine operation knows of one resource. */
export interface RunFacts {
  /** Whether the operation is a preview. */
  readonly isPreview: boolean;
  /** The inputs of the existing resource, as check got them; absent for a new one. */
  readonly previous: ResourceState | undefined;
  /** For the new half of a replacement: the inputs of the resource that is replaced. */
  readonly replaced: ResourceState | undefined;
  /** The id of the existing resource, once diff has told it. */
  readonly id: string | undefined;
  /** Why the resource is to be replaced, where its plan says so. */
  readonly reason: string | undefined;
  /** The outputs of the existing resource, once diff has told them. */
  readonly outputs: ResourceState | undefined;
  /** What the resource costs before and after this run, once check has found out. */
  readonly cost: CostPair | undefined;
  /** Whether something of the existing resource changes, once diff has found out. */
  readonly isChanged: boolean;
  /** Whether the object stays at the service when its resource goes (`retainOnDelete`). */
  readonly isRetained: boolean;
  /** The mark of the program that is running, for outputs that tell of one run. */
  readonly mark: string | undefined;
  /** Whether it takes an existing object over, which costs what it has cost. */
  readonly adopts: boolean;
}

/**
 * The engine tells each call little: the check of a replacement's new half looks like that of a new resource, and diff
 * does not know whether it is a preview. What an earlier call of the same operation knew is kept here by URN.
 */
export class RunMemory {
  readonly #facts = new Map<string, RunFacts>();
  readonly #adopted = new Set<string>();
  readonly #shown = new Set<string>();

  /** Called by check: works out whether this is a new resource, an existing one, or the new half of a replacement. */
  begin({ urn, isPreview, previous }: ResourceRequest): RunFacts {
    const before = urn === "" || previous ? undefined : this.#facts.get(urn);
    const facts: RunFacts = {
      isPreview,
      previous,
      replaced: before?.previous,
      id: before?.id,
      reason: before?.reason,
      outputs: before?.outputs,
      cost: undefined,
      isChanged: false,
      isRetained: false,
      mark: undefined,
      adopts: false,
    };
    this.#facts.set(urn, facts);
    return facts;
  }

  /** Adds what a later call learnt. */
  note(
    urn: string,
    facts: Partial<
      Pick<RunFacts, "id" | "reason" | "outputs" | "cost" | "isChanged" | "isRetained" | "mark" | "adopts">
    >,
  ): void {
    const known = this.#facts.get(urn);
    if (known) this.#facts.set(urn, { ...known, ...facts });
  }

  /** What is known of the resource; undefined where check has not run for it, as in a plain refresh. */
  of(urn: string): RunFacts | undefined {
    return this.#facts.get(urn);
  }

  /** Remembers an object that this operation brought under management: it deletes none of those. */
  noteAdopted(id: string): void {
    this.#adopted.add(idKey(id));
  }

  /** Remembers that the API was asked what a resource with these inputs would cost, and so what it has against them. */
  noteShown(urn: string, inputs: Props): void {
    this.#shown.add(shownKey(urn, inputs));
  }

  wasShown(urn: string, inputs: Props): boolean {
    return this.#shown.has(shownKey(urn, inputs));
  }

  wasAdopted(id: string): boolean {
    return this.#adopted.has(idKey(id));
  }
}

/** Without the name: the new half of a replacement gets another one, chosen in the same way. */
function shownKey(urn: string, inputs: Props): string {
  return JSON.stringify([urn, { ...inputs, name: undefined }]);
}
