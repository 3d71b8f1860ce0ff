import { STACK, type RowLog } from "./row-log";

/** The number of named objects. The rows of a refresh name all. */
const NAMED = 5;

/**
 * The objects that this run's reads found gone. Many at once are rarely deleted on purpose. No read knows that it is the last
 * one, so the warning comes when the engine ends the plugin.
 */
export class GoneObjects {
  readonly #whats: string[] = [];

  /** `what` names the resource: `firewall rule "https"`. */
  note(what: string): void {
    this.#whats.push(what);
  }

  /** Warns under the stack if there are several. */
  async tell(rows: RowLog, baseUrl: () => string): Promise<void> {
    const count = this.#whats.length;
    if (count < 2) return;
    const rest = count > NAMED ? `, and ${count - NAMED} more` : "";
    await rows.line(
      STACK,
      "warning",
      `The API no longer has ${count} objects of the state: ${this.#whats.slice(0, NAMED).join(", ")}${rest}. ` +
        `A refresh removes them from the state, and the next "pulumi up" creates them again. If nobody deleted them, do not ` +
        `run it. First check that the API key and the base URL (${baseUrl()}) are those of this stack.`,
    );
  }
}
