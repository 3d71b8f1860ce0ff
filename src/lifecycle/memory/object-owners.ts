import { idKey } from "../../api/same-id";
import { urnParts } from "../../engine/urn";
import { runsDestroy } from "../../process/cli-process";
import type { RunFile } from "../../process/run-file";
import type { Finding, Props, ResourceKind } from "../kind/kind";

interface Owner {
  readonly urn: string;
  /** Its URNs in the state: others if an alias has renamed it. */
  readonly formerUrns: readonly string[];
  readonly isCertain: boolean;
  /** The input by which the resource plans to take the object over. */
  readonly plannedBy?: string | undefined;
  /** Whether the engine has compared the object with the program: this run replaces it, or the resource keeps it. */
  readonly fate?: "replaced" | "kept" | undefined;
}

type Claim = Pick<Owner, "plannedBy" | "fate">;

/** The owner of an object, whether this operation has adopted it, or the resource that only reads it. */
type ObjectNote = { readonly id: string } & (
  | { readonly owner: Owner }
  | { readonly isAdopted: boolean }
  | { readonly isRetired: true }
  | { readonly reader: string }
);

/** What the processes of a run tell each other of objects. The ids of all APIs differ. */
export type ObjectsFile = RunFile<ObjectNote>;

/**
 * The owner of each object in this operation, as far as calls have said so. Each provider of a program has its own process, and so have the
 * resources of `pulumi import`, of another version of the package, and of the other front: they tell each other.
 */
export class ObjectOwners {
  /** The objects that this operation adopts, and whether it has them. */
  readonly #adopted = new Map<string, boolean>();
  readonly #owners = new Map<string, Owner>();
  readonly #readers = new Map<string, string>();
  /** The replaced objects that their successors delete. */
  readonly #retired = new Set<string>();
  #isTold = true;

  /** `file`: undefined outside an engine. */
  constructor(
    private readonly formerUrnsOf: (urn: string) => readonly string[],
    private readonly file?: ObjectsFile,
  ) {}

  /** Whether the other processes of the run could be told everything. If not, one of them may delete what another one takes over. */
  get isTold(): boolean {
    return this.#isTold;
  }

  /** Remembers an object that this operation adopts: it must not delete it. */
  noteAdopted(id: string, isDone: boolean): void {
    this.#note({ id: idKey(id), isAdopted: isDone });
  }

  wasAdopted(id: string): boolean {
    this.#readNotes();
    return this.#adopted.has(idKey(id));
  }

  /** Whether this operation was to adopt the object, and could not, or has not yet. */
  isAdoptionOpen(id: string): boolean {
    this.#readNotes();
    return this.#adopted.get(idKey(id)) === false;
  }

  /** Remembers a replaced object that its successor deletes, in this run or in a later one. */
  noteRetired(id: string): void {
    if (!this.isRetired(id)) this.#note({ id: idKey(id), isRetired: true });
  }

  isRetired(id: string): boolean {
    this.#readNotes();
    return this.#retired.has(idKey(id));
  }

  /** Whether a resource of the program that has, or plans to take, an object has this URN, or has had it in the state. */
  isInProgram(urn: string): boolean {
    this.#readNotes();
    return [...this.#owners.values()].some((owner) => owner.urn === urn || owner.formerUrns.includes(urn));
  }

  /** The program refers to the object (`get`). */
  noteReader(id: string, urn: string): void {
    this.#note({ id: idKey(id), reader: urn });
  }

  /** The URN by which the program refers to the object. */
  readerOf(id: string): string | undefined {
    this.#readNotes();
    return this.#readers.get(idKey(id));
  }

  /**
   * Holds an object for the resource, unless another one holds it. Returns the URN of the one that holds it from now on.
   * A resource that has the object (`isCertain`) displaces one that only plans to take it over.
   */
  claim(id: string, urn: string, isCertain: boolean, how: Claim = {}): string {
    this.#readNotes();
    const known = this.#owners.get(idKey(id));
    if (known && known.urn !== urn && (known.isCertain || !isCertain)) return known.urn;
    const owner = {
      urn,
      formerUrns: this.formerUrnsOf(urn),
      isCertain: isCertain || known?.isCertain === true,
      ...how,
    };
    this.#note({ id: idKey(id), owner });
    return urn;
  }

  /** The engine replaces the object of a resource that has claimed it. */
  noteReplaced(id: string, urn: string): void {
    const known = this.#owners.get(idKey(id));
    if (known?.urn === urn) this.#note({ id: idKey(id), owner: { ...known, fate: "replaced" } });
  }

  ownerOf(id: string): string | undefined {
    this.#readNotes();
    return this.#owners.get(idKey(id))?.urn;
  }

  /** Whether the object's owner has had this URN in the state. */
  wasOwner(id: string, urn: string): boolean {
    return this.#owners.get(idKey(id))?.formerUrns.includes(urn) === true;
  }

  /** The fate of the object in this run. Undefined until the engine has compared it with the program. */
  fateOf(id: string): Owner["fate"] {
    this.#readNotes();
    return this.#owners.get(idKey(id))?.fate;
  }

  /** The input by which the owner only plans to take the object over. */
  planOn(id: string): string | undefined {
    return this.#owners.get(idKey(id))?.plannedBy;
  }

  #note(note: ObjectNote): void {
    this.#take(note);
    if (this.file?.append(note) === false) this.#isTold = false;
  }

  /** Reads the notes of the other processes. The latest note counts. */
  #readNotes(): void {
    for (const note of this.file?.readNew() ?? []) this.#take(note);
  }

  #take(note: ObjectNote): void {
    if ("owner" in note) this.#owners.set(note.id, note.owner);
    else if ("reader" in note) this.#readers.set(note.id, note.reader);
    else if ("isRetired" in note) this.#retired.add(note.id);
    else this.#adopted.set(note.id, note.isAdopted);
  }
}

/**
 * Makes a resource the owner of an object for the rest of this run. Returns the reason if another resource owns it: with two owners, the
 * deletion of one would take the object from the other. `isCertain`: the resource has the object, and does not only plan to take it
 * over, which `plannedBy` asks for.
 */
export function claimObject(
  kind: ResourceKind,
  owners: ObjectOwners,
  urn: string,
  id: string,
  isCertain: boolean,
  how: Claim = {},
): string | undefined {
  const { plannedBy } = how;
  const owner = owners.claim(id, urn, isCertain, how);
  if (owner === urn) return undefined;
  const [own, other] = [urn, owner].map((each) => `"${urnParts(each).name}"`);
  if (owners.fateOf(id) === "replaced")
    return (
      `${kind.noun} ${id} belongs to the resource ${other} of this program, which this run replaces: it may be deleted first. ` +
      `Take ${other} out of the program for one run: the object then stays for ${own}. Declare ${other} again afterwards`
    );
  const plan = owners.planOn(id);
  if (plannedBy !== undefined && plan !== undefined)
    return (
      `${own} and ${other} of this program both take over ${kind.noun} ${id}, and it can belong to one resource only. ` +
      `Decide which: remove or correct ${plannedBy} of ${own}, or ${plan} of ${other}`
    );
  // The engine presents a new resource before the one that has the object, if the program does.
  if (plan !== undefined)
    return (
      `the resource ${other} of this program adopts ${kind.noun} ${id}, which belongs to ${own}. ` +
      `${own} keeps it: remove or correct ${plan} of ${other}`
    );
  const advice =
    plannedBy === undefined
      ? "Declare one resource for it, and remove the other one: the object stays"
      : `Remove or correct ${plannedBy} of ${own}`;
  return `${kind.noun} ${id} already belongs to the resource ${other} of this program. ${advice}`;
}

/** The same for check, which only plans. */
export function claimFindings(
  kind: ResourceKind,
  owners: ObjectOwners,
  urn: string,
  id: string,
  { adopt }: Props,
): readonly Finding[] {
  const field = adopt === undefined ? (kind.discovery?.by[0] ?? "") : "adopt";
  const reason = claimObject(kind, owners, urn, id, false, { plannedBy: field }) ?? untoldReason(kind, owners, id);
  return reason === undefined ? [] : [{ severity: "failure", field, reason }];
}

/** Why a resource cannot take an object over that another provider of the run may delete. */
export function untoldReason({ noun }: ResourceKind, owners: ObjectOwners, id: string): string | undefined {
  if (owners.isTold) return undefined;
  return (
    `${noun} ${id} cannot be taken over: the cache folder cannot be written, so another provider of this run might delete it. ` +
    `Set XDG_CACHE_HOME (on Windows LOCALAPPDATA) to a folder that can, and run again`
  );
}

/** The name of another resource that holds the object in this run. A resource that an alias has renamed is no other one. */
export function otherOwner(owners: ObjectOwners, urn: string, id: string): string | undefined {
  const owner = owners.ownerOf(id);
  return owner === undefined || owner === urn || owners.wasOwner(id, urn) ? undefined : urnParts(owner).name;
}

/** The name by which the program only reads an object. A destroy that runs the program reads what it deletes. */
export function readerName(owners: ObjectOwners, id: string): string | undefined {
  const reader = owners.readerOf(id);
  return reader === undefined || runsDestroy() ? undefined : urnParts(reader).name;
}
