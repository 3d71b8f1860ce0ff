import { idKey } from "../../api/same-id";

/** The objects of this run: those that the engine has presented, that were read, and that this run has made or taken up. */
export class KnownObjects {
  readonly #known = new Set<string>();
  /** The keys of ids that were read without a state, for a reference or for an import, which may fail. By the URN of their reader. */
  readonly #references = new Map<string, string>();

  add(id: string): void {
    this.#known.add(idKey(id));
  }

  /** Notes that an object is read. A state may have it or only refer to it, so its entries stay, but no creation takes it up. */
  noteRead(urn: string, id: string, isReference: boolean): void {
    this.add(id);
    if (isReference) this.#references.set(urn, idKey(id));
  }

  /** True if a resource or a reference has the object, or if this run has made it. */
  has(id: string): boolean {
    return this.#known.has(idKey(id));
  }

  /** The same, but not for a reference or an import. */
  isInState(id: string): boolean {
    return this.has(id) && ![...this.#references.values()].includes(idKey(id));
  }

  /** The object that a resource imports. Called in its check, which a reference does not have. */
  importedBy(urn: string): string | undefined {
    return this.#references.get(urn);
  }
}
