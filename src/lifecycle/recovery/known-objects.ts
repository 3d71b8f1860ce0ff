import { idKey, isSameId } from "../../definition/same-id";

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
