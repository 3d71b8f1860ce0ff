import { idKey } from "../../definition/same-id";
import { listed } from "../../text/terminal-text";
import { STACK, type RowLog } from "../../engine/row-log";

/** A warning names at most this many objects. The rows name all of them. */
const NAMED = 5;

/** An object that the API did not show. `isOfAccount`: whether the key's account has ever had it. */
export interface MissingObject {
  /** `firewall rule "https"` */
  readonly name: string;
  readonly isOfAccount: () => Promise<boolean>;
}

/**
 * The objects that the reads and deletions of this run did not find. It warns of several, because they are rarely
 * deleted on purpose: the key or the base URL may be wrong. It warns of one if the account may be another one. No call
 * knows that it is the last one, so the warnings come when the engine ends the plugin.
 */
export class MissingObjects {
  /** By URN, or by id if no resource has the object. */
  readonly #missingOnRead = new Map<string, string>();
  readonly #madeAgain: string[] = [];
  readonly #missingOnDelete = new Map<string, string>();
  /** The maps whose first object may be in another account. */
  readonly #doubtful = new Set<ReadonlyMap<string, string>>();

  /** Notes that a read did not find the object. `key`: the URN, or the id of a replaced object. */
  noteMissingOnRead(key: string, object: MissingObject): Promise<void> {
    return this.#note(this.#missingOnRead, key, object);
  }

  /** Notes that this run has created the object of a resource. */
  noteMade(urn: string): void {
    const name = this.#missingOnRead.get(urn);
    if (name === undefined) return;
    this.#missingOnRead.delete(urn);
    this.#madeAgain.push(name);
  }

  noteMissingOnDelete(id: string, object: MissingObject): Promise<void> {
    return this.#note(this.#missingOnDelete, idKey(id), object);
  }

  /** True if the API did not show the object that this run was to delete. */
  wasMissing(id: string): boolean {
    return this.#missingOnDelete.has(idKey(id));
  }

  /** Asks about the first object only, because a second one is a reason to warn. */
  async #note(missing: Map<string, string>, key: string, { name, isOfAccount }: MissingObject): Promise<void> {
    const isFirst = missing.size === 0;
    missing.set(key, name);
    if (isFirst && !(await isOfAccount())) this.#doubtful.add(missing);
  }

  /** Warns under the stack if reads, or deletions, missed several, or one that may be in another account. */
  async warn(rows: RowLog, baseUrl: () => string): Promise<void> {
    const warn = async (names: readonly string[], text: (objects: string, named: string) => string): Promise<void> => {
      const objects = names.length === 1 ? "1 object" : `${names.length} objects`;
      if (names.length > 0) await rows.line(STACK, "warning", text(objects, listed(names, NAMED)));
    };
    const check = (): string => `check that the API key and the base URL (${baseUrl()}) are those of this stack.`;
    const missing = [...this.#missingOnRead.values()];
    if (this.#madeAgain.length + missing.length > 1 || this.#doubtful.has(this.#missingOnRead)) {
      await warn(
        this.#madeAgain,
        (objects, named) =>
          `The API no longer had ${objects} of the state, which this run made again: ${named}. If nobody deleted any, ${check()}`,
      );
      await warn(
        missing,
        (objects, named) =>
          `The API no longer has ${objects} of the state: ${named}. A refresh removes such objects from the state, and an update ` +
          `creates again what the program still declares. If nobody deleted anything, first ${check()}`,
      );
    }
    if (this.#missingOnDelete.size > 1 || this.#doubtful.has(this.#missingOnDelete)) {
      await warn(
        [...this.#missingOnDelete.values()],
        (objects, named) =>
          `The API does not show ${objects} that this run was to delete: ${named}. Each counts as deleted, and the state no ` +
          `longer has it. If neither an interrupted run nor a person has deleted it, it may still exist: ${check()} Its row ` +
          `has its id. Delete it in the API, or adopt it with adopt: "<id>".`,
      );
    }
  }
}
