import { idKey, isSameId } from "../../definition/same-id";
import type { AdoptedObject } from "../../journal/journal";

/** The objects of this run: those that the engine has presented, that were read, and that this run has made or taken up. */
export class KnownObjects {
  readonly #known = new Set<string>();
  readonly #inState = new Set<string>();
  /** The ids that were read without a state, for a reference or for an import, which may fail. By the URN of their reader. */
  readonly #references = new Map<string, string>();

  /** Notes that a resource has the object, or that this run has made it. */
  noteInState(id: string): void {
    this.#known.add(idKey(id));
    this.#inState.add(idKey(id));
  }

  /** Notes that an object is read. A state may have it or only refer to it, so its entries stay, but no creation takes it up. */
  noteRead(urn: string, id: string, isReference: boolean): void {
    this.#known.add(idKey(id));
    if (isReference) this.#references.set(urn, id);
  }

  /** True if a resource or a reference has the object, or if this run has made it. */
  has(id: string): boolean {
    return this.#known.has(idKey(id));
  }

  /** True if a resource in the state has the object, or if this run has made it. A reference, an import or a refresh alone is not enough. */
  isInState(id: string): boolean {
    return this.#inState.has(idKey(id)) && ![...this.#references.values()].some((each) => isSameId(each, id));
  }

  /** The object that a resource imports. Called in its check, which a reference does not have. */
  importedBy(urn: string): string | undefined {
    return this.#references.get(urn);
  }
}

/**
 * The objects that resources have adopted while the journal had entries, with their parts: those of this run, and those that the journal has
 * shown to it. A state may have them, so no run takes them up or deletes them.
 */
export class Adoptions {
  /** By the key of the id. `isNew`: another process has adopted it since this run first read the journal. */
  readonly #objects = new Map<string, AdoptedObject & { readonly isNew: boolean }>();
  #isRead = false;

  constructor(private readonly write: (object: AdoptedObject) => Promise<unknown>) {}

  /** Called before the engine gets the object. */
  async note(object: AdoptedObject): Promise<void> {
    this.#objects.set(idKey(object.id), { ...object, isNew: false });
    await this.write(object);
  }

  /** Called when this run has read the journal. */
  noteRead(objects: readonly AdoptedObject[]): void {
    const isNew = this.#isRead;
    for (const each of objects) if (!this.has(each.id)) this.#objects.set(idKey(each.id), { ...each, isNew });
    this.#isRead = true;
  }

  has(id: string): boolean {
    return this.#objects.has(idKey(id));
  }

  /** True if another process has adopted the object since this run first read the journal. */
  isNew(id: string): boolean {
    return this.#objects.get(idKey(id))?.isNew === true;
  }

  /** The ids of the adopted objects of a kind. */
  idsOf(type: string): readonly string[] {
    return [...this.#objects.values()].filter((each) => each.type === type).map(({ id }) => id);
  }
}
