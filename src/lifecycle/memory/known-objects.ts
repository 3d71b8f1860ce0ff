import { idKey, isSameId } from "../../definition/same-id";
import { keyWithoutParents, resourceKey, urnParts } from "../../engine/urn";
import { runsDestroy } from "../../process/cli-process";
import type { DeletionOfOld } from "../../definition/capabilities";
import type { RunFile } from "../../process/run-file";
import { assertShared } from "../errors";
import type { Props } from "../kind/kind";
import type { DeclaredResource } from "../resource-request";

interface Owner {
  /** See `resourceKey`. */
  readonly key: string;
  /** Its keys in the state. They differ from `key` if an alias has renamed the resource. */
  readonly formerKeys: readonly string[];
  /** True if the resource already has the object. Otherwise it plans to take it over. */
  readonly isCertain: boolean;
  /** See `ObjectMemory`. */
  readonly existedBefore: boolean;
  /** The input with which the resource plans to take the object over. Undefined if it already has the object. */
  readonly plannedBy?: string | undefined;
  /**
   * The engine's decision about the object: this run replaces it, or the resource keeps it. Undefined before the engine
   * has compared it with the program.
   */
  readonly decision?: "replaced" | "kept" | undefined;
  /** What the program wants for a replaced object. The other front may delete it, even before the new one is made. */
  readonly whenReplaced?: "expires" | "waits" | "deleted" | undefined;
}

/** How a resource owns an object, or plans to. */
export type Claim = Omit<Owner, "key" | "formerKeys">;

/** The resource whose new object replaces an object. */
interface Successor {
  readonly urn: string;
  /** The generation of the new object, if an earlier run has made it. */
  readonly generation?: number | undefined;
  /** Its retirements (see `ResourceMemory`), for the object that it has replaced itself. */
  readonly retirements?: number | undefined;
  /** When the program wants the object to be deleted, if an earlier run has replaced it. */
  readonly deletion?: DeletionOfOld | undefined;
  /** True if this run has made the new object. Its state has those predecessors that stay. */
  readonly isMade?: boolean;
}

/** What the processes of this run know of an object. */
interface ObjectFacts {
  readonly owner?: Owner;
  readonly successor?: Successor;
  /**
   * A finished or planned adoption in this run. Then nothing deletes the object. `foundAs`: its former values, as its
   * new owner keeps them.
   */
  readonly adoption?: { readonly isDone: boolean; readonly foundAs?: Props | undefined };
  /** The URN of the resource that only reads it (`get`). */
  readonly reader?: string;
  /**
   * The URN of its resource, if the engine deletes the object before it calls check for the resource: the resource
   * depends on one that is replaced with `deleteBeforeReplace`.
   */
  readonly deletedFirst?: string;
  /** True if its successor deletes it, in this run or in a later one. */
  readonly isRetired?: true;
  /** True for an old key of a pair that stays, because one run has made both keys anew. */
  readonly isKeptOfPair?: true;
}

/** What this process knows of an object and does not write to the file. */
interface FactsHere {
  /** True if a resource or a reference has the object, or if this run has made it. */
  readonly isKnown?: true;
  /** True if a resource in the state has the object, or if this run has made it. */
  readonly isInState?: true;
  /** True if a refresh has read it, and no diff has compared it since. */
  readonly isRefreshed?: boolean;
  /** The values that the program declares for it, if the engine has compared it with the program. */
  readonly program?: DeclaredResource;
  /** True if this run has deleted it. The state may still have it, as a replaced object. */
  readonly isDeleted?: true;
  /** If a resource adopts the object with this part and does not name the part: the warning for its row. */
  readonly unnamed?: { readonly urn: string; readonly text: string };
}

/** Notes that the program has a resource, by the keys that it may have in the state (see `noteInProgram`). */
type ResourceNote = { readonly inProgram: readonly string[] };
type ObjectNote = ObjectFacts & { readonly id: string };

/** The file in which the processes of a run share notes about objects. Ids are unique, also across APIs. */
export type ObjectsFile = RunFile<ObjectNote | ResourceNote>;

/**
 * What the calls until now have shown of each object, such as its owner in this run. Each provider of a program has its
 * own process, and so have the resources of `pulumi import`, of another version of the package, and of the other front.
 * The processes share what they know.
 */
export class KnownObjects {
  readonly #objects = new Map<string, ObjectFacts>();
  readonly #here = new Map<string, FactsHere>();
  /** The ids that were read without a state, for a reference or an import, which may fail. By their reader's URN. */
  readonly #references = new Map<string, string>();
  /** The keys of the program's resources, as far as `noteInProgram` was called for them. */
  readonly #program = new Set<string>();

  /** `file`: undefined outside an engine. */
  constructor(
    private readonly formerKeysOf: (urn: string) => readonly string[],
    private readonly file?: ObjectsFile,
  ) {}

  /** What this run knows of an object. Empty if it knows nothing. */
  of(id: string): ObjectFacts {
    this.#readNotes();
    return this.#objects.get(idKey(id)) ?? {};
  }

  /** Notes facts about an object. Those that are left out stay as they are. */
  note(id: string, facts: ObjectFacts): void {
    this.#note({ id: idKey(id), ...facts });
  }

  /** What this process alone knows of an object. */
  here(id: string): FactsHere {
    return this.#here.get(idKey(id)) ?? {};
  }

  noteHere(id: string, facts: FactsHere): void {
    this.#here.set(idKey(id), { ...this.here(id), ...facts });
  }

  /** Notes that a resource has the object, or that this run has made it. */
  noteInState(id: string): void {
    this.noteHere(id, { isKnown: true, isInState: true });
  }

  /**
   * Notes that an object is read. A state may have it or only refer to it, so its entries stay, but no creation takes
   * it over.
   */
  noteRead(urn: string, id: string, isReference: boolean): void {
    this.noteHere(id, isReference ? { isKnown: true } : { isKnown: true, isRefreshed: true });
    if (isReference) this.#references.set(urn, id);
  }

  /** True if a resource or a reference has the object, or if this run has made it. Then no creation takes it over. */
  isKnown(id: string): boolean {
    return this.here(id).isKnown === true;
  }

  /**
   * True if a resource in the state has the object, or if this run has made it. A reference, an import or a refresh
   * alone is not enough.
   */
  isInState(id: string): boolean {
    return this.here(id).isInState === true && ![...this.#references.values()].some((each) => isSameId(each, id));
  }

  /** The object that a resource imports. Called in its check, which a reference does not have. */
  importedBy(urn: string): string | undefined {
    return this.#references.get(urn);
  }

  /** The warnings about parts that no resource has, as far as this run knows. */
  unnamed(): readonly { readonly urn: string; readonly text: string }[] {
    return [...this.#here].flatMap(([id, { unnamed }]) => (unnamed && !this.of(id).owner ? [unnamed] : []));
  }

  noteRetired(id: string): void {
    if (!this.of(id).isRetired) this.note(id, { isRetired: true });
  }

  /** Notes a resource of the program, with the keys that it may have in the state. */
  noteInProgram(keys: readonly string[]): void {
    this.#note({ inProgram: keys });
  }

  /** True if a resource of the program has or had this URN, or if it is new and has this name under any parent. */
  isInProgram(urn: string): boolean {
    this.#readNotes();
    const key = resourceKey(urn);
    const isNoted = [key, keyWithoutParents(urn)].some((each) => this.#program.has(each));
    return isNoted || [...this.#objects.values()].some(({ owner }) => owner?.formerKeys.includes(key));
  }

  /**
   * Makes the resource the owner of an object, unless another one owns it. Returns the key of the owner. A resource
   * that has the object (`isCertain`) displaces one that only plans to take it over.
   */
  claim(id: string, urn: string, claim: Claim): string {
    const { owner: known } = this.of(id);
    const key = resourceKey(urn);
    if (known && known.key !== key && (known.isCertain || !claim.isCertain)) return known.key;
    const isCertain = claim.isCertain || known?.isCertain === true;
    this.note(id, { owner: { key, formerKeys: this.formerKeysOf(urn), ...claim, isCertain } });
    return key;
  }

  /** Notes that the engine replaces the object. */
  noteReplaced(id: string, urn: string): void {
    const { owner } = this.of(id);
    const isOwn = owner?.key === resourceKey(urn);
    this.note(id, { successor: { urn }, ...(isOwn && { owner: { ...owner, decision: "replaced" } }) });
  }

  /**
   * The objects that existed before the resources of the program that have or read them, each with the URN of that
   * resource. Without those that the run replaces: then their resources no longer need them.
   */
  existing(): readonly { readonly id: string; readonly urn: string }[] {
    this.#readNotes();
    return [...this.#objects].flatMap(([id, { owner, reader }]) => {
      const isKept = owner?.existedBefore === true && owner.decision !== "replaced";
      return [isKept ? owner.key : undefined, reader].flatMap((urn) => (urn === undefined ? [] : [{ id, urn }]));
    });
  }

  #note(note: ObjectNote | ResourceNote): void {
    this.#take(note);
    assertShared(this.file?.append(note));
  }

  /** Reads the new notes of the other processes. Of each fact, the latest note counts. */
  #readNotes(): void {
    for (const note of this.file?.readNew() ?? []) this.#take(note);
  }

  #take(note: ObjectNote | ResourceNote): void {
    if ("inProgram" in note) {
      note.inProgram.forEach((key) => this.#program.add(key));
      return;
    }
    const { id, ...facts } = note;
    this.#objects.set(id, { ...this.#objects.get(id), ...facts });
  }
}

/**
 * The name of another resource that owns the object in this run. The same resource under a former URN does not count.
 */
export function otherOwner(objects: KnownObjects, urn: string, id: string): string | undefined {
  const { owner } = objects.of(id);
  if (!owner || [owner.key, ...owner.formerKeys].includes(resourceKey(urn))) return undefined;
  return urnParts(owner.key).name;
}

/** A resource that only reads the object (`get`). Undefined in a destroy, which may delete what a program reads. */
export function readerName(objects: KnownObjects, id: string): string | undefined {
  const { reader } = objects.of(id);
  return reader === undefined || runsDestroy() ? undefined : urnParts(reader).name;
}
