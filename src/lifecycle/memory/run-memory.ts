import { isSameId } from "../../definition/same-id";
import type { Mutation } from "../../api/client";
import type { CostPair } from "../../cost/cost";
import { dynamicUrn, resourceKey } from "../../engine/urn";
import type { JournalEntry } from "../../journal/entry";
import type { Props } from "../kind/kind";
import type { DeclaredResource, ResourceRequest, ResourceState } from "../resource-request";
import { assertShared } from "../errors";
import { KnownObjects, type ObjectsFile } from "./known-objects";
import { MissingObjects } from "./missing-objects";

/** A created object, and its entry in the journal. */
export interface MadeObject {
  readonly id: string;
  /** The API's response. `done` if the response was lost. */
  readonly mutation: Mutation<Props>;
  readonly entry: JournalEntry;
}

export interface RunFacts {
  /** Whether the engine deletes the old object before it makes the new one, as far as diff knows. */
  readonly deleteBeforeReplace: boolean;
  readonly isPreview: boolean;
  /** Whether the program has a cost summary that counts the resource. */
  readonly isSummarized: boolean;
  /** The program's inputs and options, as check received them. */
  readonly program: DeclaredResource;
  /**
   * The inputs of the existing resource, as check received them, with the cost of the object. Undefined for a new
   * resource.
   */
  readonly previous: ResourceState | undefined;
  /** For the new object of a replacement: the inputs of the replaced resource. */
  readonly replaced: ResourceState | undefined;
  /** The id of the existing resource, from diff. */
  readonly id: string | undefined;
  /** Why the resource must be replaced, if its plan says so. */
  readonly reason: string | undefined;
  /** The outputs of the existing resource, from diff. */
  readonly outputs: ResourceState | undefined;
  /** The cost before and after this run, from check. */
  readonly cost?: CostPair | undefined;
  /** Whether the API no longer shows the object that is to be replaced. Undefined if nothing has looked. */
  readonly isMissing: boolean | undefined;
  /** Whether the existing resource changes, from diff. */
  readonly isChanged: boolean;
  /** The id of the object that the resource adopts, whose cost counts as before. */
  readonly adoptedId?: string | undefined;
  /**
   * What a creation of this run has made, or the error of one that may have left something. If a program's hook asks
   * for it, some engines create again after a failure, and then forget the answer to the first call.
   */
  readonly attempt?: MadeObject | Error | undefined;
}

/**
 * True if the option `retainOnDelete` keeps the replaced object. After a failed update, only the outputs have the
 * option.
 */
export function isReplacedRetained({ replaced, outputs }: Pick<RunFacts, "replaced" | "outputs">): boolean {
  return replaced !== undefined && (replaced.memory.retainOnDelete || outputs?.memory.retainOnDelete === true);
}

/**
 * The memory of a run: facts by resource, and objects by id. The engine tells each call little. The check of a
 * replacement's new object looks like that of a new resource, and diff does not know whether it is a preview. So each
 * call leaves its knowledge here for later ones.
 */
export class RunMemory {
  /** By `resourceKey`, as are the dependents. */
  readonly #facts = new Map<string, RunFacts>();
  readonly objects: KnownObjects;
  readonly missing = new MissingObjects();
  /** The resources with a diff and without a check. See `noteCompared`. */
  readonly #dependents = new Map<string, Partial<RunFacts>>();

  constructor(private readonly file?: ObjectsFile) {
    this.objects = new KnownObjects((urn) => this.formerKeysOf(urn), file);
  }

  /** Throws ConfigurationError if the processes of this run cannot share what they know. */
  assertShared(): void {
    assertShared(this.file?.fault());
  }

  /** Called by check: finds out whether this is a new resource, an existing one, or the new object of a replacement. */
  begin({ urn, isPreview, isSummarized, last, inputs, memory }: ResourceRequest): RunFacts {
    const key = resourceKey(urn);
    const before = urn === "" || last ? undefined : (this.#facts.get(key) ?? this.#dependents.get(key));
    const facts: RunFacts = {
      isPreview,
      isSummarized: isSummarized === true,
      program: { props: inputs, memory },
      previous: last,
      replaced: before?.previous,
      id: before?.id,
      reason: before?.reason,
      outputs: before?.outputs,
      isChanged: false,
      deleteBeforeReplace: before?.deleteBeforeReplace === true,
      isMissing: before?.isMissing,
    };
    this.#facts.set(key, facts);
    if (facts.replaced && facts.id !== undefined) this.objects.noteReplaced(facts.id, urn);
    return facts;
  }

  note(urn: string, facts: Partial<Omit<RunFacts, "isPreview" | "isSummarized" | "program" | "replaced">>): void {
    const key = resourceKey(urn);
    const [known, dependent] = [this.#facts.get(key), this.#dependents.get(key)];
    if (known) this.#facts.set(key, { ...known, ...facts });
    else if (dependent) this.#dependents.set(key, { ...dependent, ...facts });
  }

  /**
   * Called by diff, with the program's inputs. With `deleteBeforeReplace`, the engine first calls diff for the
   * dependents of the resource, deletes those that must be replaced too, and then checks them as new resources.
   */
  noteCompared({ urn, id, inputs: props, memory }: ResourceRequest, outputs: ResourceState): void {
    const { isRefreshed } = this.objects.here(id);
    this.objects.noteHere(id, { isRefreshed: false });
    // A refresh compares what it has just read, and has no program. A dependent may be the first resource in its
    // process.
    if (isRefreshed && this.#facts.size === 0) return;
    const key = resourceKey(urn);
    if (this.#facts.has(key)) this.note(urn, { id, outputs });
    else this.#dependents.set(key, { previous: outputs, id, outputs, deleteBeforeReplace: true });
    this.objects.noteHere(id, { program: { props, memory } });
  }

  /**
   * The declared values for the replaced object, also if an earlier run has made the new object, or if an alias has
   * renamed the resource. If the program does not declare the resource, the replaced object's own inputs.
   */
  programForOld({ urn, inputs: props, memory }: ResourceRequest, id: string): DeclaredResource {
    const program = this.objects.here(id).program ?? this.of(urn)?.program ?? { props, memory };
    // If an earlier run has made the successor, retirements since then do not concern this object.
    const { retirements = program.memory.retirements } = this.objects.of(id).successor ?? {};
    return { ...program, memory: { ...program.memory, retirements } };
  }

  /**
   * The facts of the resource. Undefined if check has not run for it, as in a plain refresh. If an alias has renamed
   * the resource, the engine deletes the replaced object under the former URN.
   */
  of(urn: string): RunFacts | undefined {
    const key = resourceKey(urn);
    return this.#facts.get(key) ?? [...this.#facts].find(([own, facts]) => formerKeysIn(own, facts).includes(key))?.[1];
  }

  /**
   * The present URN of the resource that a deletion belongs to. The dynamic provider gets the URN of the last update,
   * and a rename or a move changes it. So the successor is found by the object's id. It may come from an earlier run:
   * then it counts only if no other resource has adopted the object.
   */
  currentUrn({ urn, id, memory }: Pick<ResourceRequest, "urn" | "id" | "memory">): string {
    const { urn: present = urn, generation } = this.objects.of(id).successor ?? {};
    const isOldHalf =
      generation === undefined || (generation === memory.generation + 1 && !memory.object.existedBefore);
    return isOldHalf ? present : urn;
  }

  /** True if the program has the resource and the state does not. The URN may be that of the other provider. */
  isNew(urn: string): boolean {
    const isSame = ([each]: readonly [string, RunFacts]): boolean => dynamicUrn(each) === dynamicUrn(urn);
    const facts = [...this.#facts].find(isSame)?.[1];
    return facts !== undefined && !facts.previous && !facts.replaced;
  }

  /**
   * True if the engine deletes an object because another one replaces it, and not because the resource was removed.
   * Then the program has the resource, or the engine has compared the object with the program. (With
   * `deleteBeforeReplace`, the engine also deletes the dependents first, after a diff without a check.) The URN may be
   * a former one, also that of another provider.
   */
  isReplaced(urn: string, id: string): boolean {
    return this.of(urn) !== undefined || this.objects.here(id).program !== undefined || this.objects.isInProgram(urn);
  }

  /**
   * True if the engine deletes an object that another one replaces, and no process of this run has compared it with the
   * program (`--target-replace`, `replacementTrigger`, `replaceWith`, `pulumi state taint`, or the option `import`), or
   * if an earlier run has replaced it. The new object does not know such an object, unless it is among its retired
   * objects.
   */
  isUnknownToSuccessor(urn: string, id: string): boolean {
    const isCompared = this.objects.here(id).program !== undefined || this.objects.of(id).owner?.decision !== undefined;
    return !isCompared && this.isReplaced(urn, id);
  }

  /** True if the program runs, but the engine has presented no object of this resource, as with `--target`. */
  isLeftOut(urn: string): boolean {
    return this.#facts.size > 0 && this.#facts.get(resourceKey(urn))?.id === undefined;
  }

  /**
   * The keys of the resource in the state, if an alias has renamed it. They come from the inputs: the outputs of an
   * unchanged resource keep a former name, which another resource may have taken since. After a failed update, the
   * inputs are old too, but the outputs have the new name.
   */
  formerKeysOf(urn: string): readonly string[] {
    const key = resourceKey(urn);
    const facts = this.#facts.get(key);
    return facts ? formerKeysIn(key, facts) : [];
  }

  /** True if the resource has the object in the state: as its own, or among those that it has replaced. */
  has(urn: string, id: string): boolean {
    const { id: own, outputs } = this.of(urn) ?? {};
    const retired = outputs?.memory.object.retired ?? [];
    return isSameId(own, id) || retired.some((each) => isSameId(each.id, id));
  }

  /** True if the API no longer shows the object that the resource is to replace. */
  isMissing(urn: string, id: string): boolean {
    const facts = this.of(urn);
    return facts?.isMissing === true && isSameId(facts.id, id);
  }
}

function formerKeysIn(key: string, { previous, replaced, outputs }: RunFacts): readonly string[] {
  if (outputs && resourceKey(outputs.urn) === key) return [];
  return [previous, replaced].flatMap((state) => (state ? resourceKey(state.urn) : []));
}
