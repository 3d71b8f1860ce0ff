import { idKey } from "../../definition/same-id";
import { listed } from "../../text/terminal-text";
import { STACK, type RowLog } from "../../engine/row-log";

/** A warning names at most this many objects. The rows name all of them. */
const NAMED = 5;

/**
 * The objects that the reads and deletions of this run did not find. It warns of several, because they are rarely deleted on purpose:
 * the key or the base URL may be wrong. No call knows that it is the last one, so the warnings come when the engine ends the plugin.
 */
export class MissingObjects {
  /** By URN. */
  readonly #missingOnRead = new Map<string, string>();
  readonly #madeAgain: string[] = [];
  readonly #missingOnDelete = new Map<string, string>();

  /** Notes that a read did not find the object. `name` is the resource: `firewall rule "https"`. */
  noteMissingOnRead(urn: string, name: string): void {
    this.#missingOnRead.set(urn, name);
  }

  /** Notes that this run has created the object of a resource. */
  noteMade(urn: string): void {
    const name = this.#missingOnRead.get(urn);
    if (name === undefined) return;
    this.#missingOnRead.delete(urn);
    this.#madeAgain.push(name);
  }

  noteMissingOnDelete(id: string, name: string): void {
    this.#missingOnDelete.set(idKey(id), name);
  }

  /** True if the API did not show the object that this run was to delete. */
  wasMissing(id: string): boolean {
    return this.#missingOnDelete.has(idKey(id));
  }

  /** Warns under the stack if there are several. */
  async warn(rows: RowLog, baseUrl: () => string): Promise<void> {
    const warn = async (names: readonly string[], text: (count: number, named: string) => string): Promise<void> => {
      const count = names.length;
      if (count < 2) return;
      await rows.line(STACK, "warning", text(count, listed(names, NAMED)));
    };
    const check = (): string => `check that the API key and the base URL (${baseUrl()}) are those of this stack.`;
    await warn(
      this.#madeAgain,
      (count, named) =>
        `The API no longer had ${count} objects of the state, and this run made them again: ${named}. If nobody deleted them, ${check()}`,
    );
    await warn(
      [...this.#missingOnRead.values()],
      (count, named) =>
        `The API no longer has ${count} objects of the state: ${named}. A refresh removes them from the state, and the next ` +
        `"pulumi up" creates them again. If nobody deleted them, run neither. First ${check()}`,
    );
    await warn(
      [...this.#missingOnDelete.values()],
      (count, named) =>
        `The API shows none of ${count} objects that this run was to delete: ${named}. They count as deleted, and the state no ` +
        `longer has them. If neither an interrupted run nor a person has deleted them, they may still exist: ${check()} The row of each has its id. Delete it in ` +
        `the API, or adopt it with adopt: "<id>".`,
    );
  }
}
