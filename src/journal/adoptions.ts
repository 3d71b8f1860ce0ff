import { idKey } from "../definition/same-id";
import type { AdoptedObject } from "./journal";

/**
 * The objects that resources have adopted while the journal had entries, with their parts, and those that the engine
 * has received although the journal could not be written: of this run, and those that the journal has shown to it. A
 * state may have them, so no run takes them over or deletes them.
 */
export class Adoptions {
  /** By the key of the id. `isNew`: another process has recorded it since this run first read the journal. */
  readonly #objects = new Map<string, AdoptedObject & { readonly isNew: boolean }>();
  #isRead = false;

  constructor(private readonly write: (object: AdoptedObject) => Promise<unknown>) {}

  /** Called before the engine gets the object. */
  async record(object: AdoptedObject): Promise<void> {
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

  /** True if another process has recorded the object since this run first read the journal. */
  isNew(id: string): boolean {
    return this.#objects.get(idKey(id))?.isNew === true;
  }

  idsOf(type: string): readonly string[] {
    return [...this.#objects.values()].filter((each) => each.type === type).map(({ id }) => id);
  }
}
