import { idKey } from "../../api/same-id";
import { keyWithoutParents, resourceKey, urnParts } from "../../engine/urn";
import { runsDestroy } from "../../process/cli-process";
import type { DeletionOfOld } from "../../definition/capabilities";
import type { RunFile } from "../../process/run-file";
import { assertShared } from "../errors";
import type { Props } from "../kind/kind";

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
   * The engine's decision about the object: this run replaces it, or the resource keeps it. Undefined before the engine has compared
   * it with the program.
   */
  readonly decision?: "replaced" | "kept" | undefined;
  /** For a replaced object: what the program wants for it. The other front may be asked to delete it, also before the new one is made. */
  readonly whenReplaced?: "expires" | "waits" | "deleted" | undefined;
}

/** How a resource owns an object, or plans to. */
export type Claim = Omit<Owner, "key" | "formerKeys">;

/** An adoption in this run. `foundAs`: the former values of the object, as its new owner keeps them. */
interface AdoptionNote {
  readonly isDone: boolean;
  readonly foundAs?: Props | undefined;
}

/** The resource whose new half replaces an object. */
interface SuccessorNote {
  readonly urn: string;
  /** The generation of the new half, if an earlier run has made it. */
  readonly generation?: number | undefined;
  /** Its retirements (see `ResourceMemory`), for the object that it has replaced itself. */
  readonly retirements?: number | undefined;
  /** When the program wants the object to be deleted, if an earlier run has replaced it. */
  readonly deletion?: DeletionOfOld | undefined;
  /** True if this run has made the new half. Its state has those predecessors that stay. */
  readonly isMade?: boolean;
}

/** One note about an object: its owner, its successor, its adoption in this run, its retirement, or the resource that only reads it. */
type ObjectNote = { readonly id: string } & (
  | { readonly owner: Owner }
  | { readonly successor: SuccessorNote }
  | { readonly adoption: AdoptionNote }
  | { readonly isRetired: true }
  | { readonly isKeptOfPair: true }
  | { readonly reader: string }
  | { readonly deletedFirst: string }
);

/** Notes that the program has a resource, by its keys in both fronts (`resourceKey`). */
type ResourceNote = { readonly inProgram: readonly string[] };

/** The file in which the processes of a run share notes about objects. Ids are unique, also across APIs. */
export type ObjectsFile = RunFile<ObjectNote | ResourceNote>;

/**
 * The owner of each object in this run, as far as the calls until now have shown it. Each provider of a program has its own process, and so
 * have the resources of `pulumi import`, of another version of the package, and of the other front. The processes share what they know.
 */
export class ObjectOwners {
  readonly #adopted = new Map<string, AdoptionNote>();
  readonly #owners = new Map<string, Owner>();
  readonly #successors = new Map<string, SuccessorNote>();
  readonly #readers = new Map<string, string>();
  readonly #deletedBeforeReplace = new Map<string, string>();
  /** The keys of the program's resources, as far as `noteInProgram` was called for them. */
  readonly #program = new Set<string>();
  /** The replaced objects that their successors will delete. */
  readonly #retired = new Set<string>();
  /** The old keys of pairs that stay, because one run has made both keys anew. */
  readonly #kept = new Set<string>();

  /** `file`: undefined outside an engine. */
  constructor(
    private readonly formerKeysOf: (urn: string) => readonly string[],
    private readonly file?: ObjectsFile,
  ) {}

  /** Notes an object that this run adopts and therefore must not delete. */
  noteAdopted(id: string, adoption: AdoptionNote): void {
    this.#note({ id: idKey(id), adoption });
  }

  /** Undefined if this run has not adopted the object and was not to. */
  adoptionNoteOf(id: string): AdoptionNote | undefined {
    this.#readNotes();
    return this.#adopted.get(idKey(id));
  }

  /** Notes a replaced object that its successor will delete, in this run or in a later one. */
  noteRetired(id: string): void {
    if (!this.isRetired(id)) this.#note({ id: idKey(id), isRetired: true });
  }

  isRetired(id: string): boolean {
    this.#readNotes();
    return this.#retired.has(idKey(id));
  }

  /** Notes a resource of the program, with the keys that it may have in the state. */
  noteInProgram(keys: readonly string[]): void {
    this.#note({ inProgram: keys });
  }

  /** True if a resource of the program has this URN, or had it in the state, or is new and has its name below another parent. */
  isInProgram(urn: string): boolean {
    this.#readNotes();
    const key = resourceKey(urn);
    const isNoted = [key, keyWithoutParents(urn)].some((each) => this.#program.has(each));
    return isNoted || [...this.#owners.values()].some(({ formerKeys }) => formerKeys.includes(key));
  }

  /** Notes that the program refers to the object (`get`). */
  noteReader(id: string, urn: string): void {
    this.#note({ id: idKey(id), reader: urn });
  }

  /** The URN of the resource that refers to the object. */
  readerOf(id: string): string | undefined {
    this.#readNotes();
    return this.#readers.get(idKey(id));
  }

  /** Notes an object that the engine deletes before it shows the program, because it replaces what the resource depends on. */
  noteDeletedBeforeReplace(id: string, urn: string): void {
    this.#note({ id: idKey(id), deletedFirst: urn });
  }

  /** The URN of the resource whose object the engine deletes before it shows the program. */
  urnDeletedBeforeReplace(id: string): string | undefined {
    this.#readNotes();
    return this.#deletedBeforeReplace.get(idKey(id));
  }

  /**
   * Makes the resource the owner of an object, unless another one owns it. Returns the key of the owner. A resource that has the
   * object (`isCertain`) displaces one that only plans to take it over.
   */
  claim(id: string, urn: string, claim: Claim): string {
    this.#readNotes();
    const known = this.#owners.get(idKey(id));
    const key = resourceKey(urn);
    if (known && known.key !== key && (known.isCertain || !claim.isCertain)) return known.key;
    const isCertain = claim.isCertain || known?.isCertain === true;
    this.#note({ id: idKey(id), owner: { key, formerKeys: this.formerKeysOf(urn), ...claim, isCertain } });
    return key;
  }

  /** Notes that the engine replaces the object. */
  noteReplaced(id: string, urn: string): void {
    const owner = this.#owners.get(idKey(id));
    if (owner?.key === resourceKey(urn)) this.#note({ id: idKey(id), owner: { ...owner, decision: "replaced" } });
    this.noteSuccessor(id, { urn });
  }

  noteSuccessor(id: string, successor: SuccessorNote): void {
    this.#note({ id: idKey(id), successor });
  }

  successorOf(id: string): SuccessorNote | undefined {
    this.#readNotes();
    return this.#successors.get(idKey(id));
  }

  ownerOf(id: string): Owner | undefined {
    this.#readNotes();
    return this.#owners.get(idKey(id));
  }

  /** The objects that existed before the resources of the program that have or read them, each with the URN of that resource. */
  existing(): readonly { readonly id: string; readonly urn: string }[] {
    this.#readNotes();
    const owned = [...this.#owners].filter(([, { existedBefore }]) => existedBefore);
    return [
      ...owned.map(([id, { key }]) => ({ id, urn: key })),
      ...[...this.#readers].map(([id, urn]) => ({ id, urn })),
    ];
  }

  /** Notes an old key of a pair that stays. The other front may be asked to delete it. */
  noteKeptOfPair(id: string): void {
    this.#note({ id: idKey(id), isKeptOfPair: true });
  }

  isKeptOfPair(id: string): boolean {
    this.#readNotes();
    return this.#kept.has(idKey(id));
  }

  #note(note: ObjectNote | ResourceNote): void {
    this.#take(note);
    assertShared(this.file?.append(note));
  }

  /** Reads the new notes of the other processes. The latest note about an object counts. */
  #readNotes(): void {
    for (const note of this.file?.readNew() ?? []) this.#take(note);
  }

  #take(note: ObjectNote | ResourceNote): void {
    if ("inProgram" in note) note.inProgram.forEach((key) => this.#program.add(key));
    else if ("owner" in note) this.#owners.set(note.id, note.owner);
    else if ("successor" in note) this.#successors.set(note.id, note.successor);
    else if ("reader" in note) this.#readers.set(note.id, note.reader);
    else if ("deletedFirst" in note) this.#deletedBeforeReplace.set(note.id, note.deletedFirst);
    else if ("isRetired" in note) this.#retired.add(note.id);
    else if ("isKeptOfPair" in note) this.#kept.add(note.id);
    else this.#adopted.set(note.id, note.adoption);
  }
}

/** The name of another resource that owns the object in this run. The same resource under a former URN does not count. */
export function otherOwner(owners: ObjectOwners, urn: string, id: string): string | undefined {
  const owner = owners.ownerOf(id);
  if (!owner || [owner.key, ...owner.formerKeys].includes(resourceKey(urn))) return undefined;
  return urnParts(owner.key).name;
}

/**
 * The name of a resource that only reads the object (`get`). Undefined in a destroy, which may delete objects that the program reads.
 */
export function readerName(owners: ObjectOwners, id: string): string | undefined {
  const reader = owners.readerOf(id);
  return reader === undefined || runsDestroy() ? undefined : urnParts(reader).name;
}
