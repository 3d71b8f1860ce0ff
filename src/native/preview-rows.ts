import { STACK, type RowLog, type Severity } from "../engine/row-log";

type PreviewLine = readonly [severity: Severity, text: string];

/**
 * Holds the lines of a resource's row back until it is known whether this run is a preview. `check` and `diff` write
 * the lines, but the engine says only in `create` and `update` whether it is a preview. After the first of these, lines
 * are written at once.
 */
export class PreviewRows implements RowLog {
  /** The lines of each resource whose check began, or that had a line, before it was known. */
  readonly #kept = new Map<string, PreviewLine[]>();
  #isPreview: boolean | undefined;

  constructor(private readonly rows: RowLog) {}

  /** Undefined until a call shows it. */
  get isPreview(): boolean | undefined {
    return this.#isPreview;
  }

  /** Forgets the former run, in a plugin that somebody debugs. */
  forget(): void {
    this.#isPreview = undefined;
    this.#kept.clear();
  }

  /** For lines that only a preview shows, also under the stack. */
  readonly ofPreview: RowLog = {
    line: async (urn, severity, text) => {
      if (this.#isPreview === undefined) this.#keep(urn, [severity, text]);
      else if (this.#isPreview) await this.rows.line(urn, severity, text);
    },
    status: (urn, text) => this.status(urn, text),
  };

  /**
   * Called when the check of a resource begins. Before it ends, a call for another resource may show whether this is a
   * preview.
   */
  begin(urn: string): void {
    if (this.#isPreview === undefined) this.#kept.set(urn, this.#kept.get(urn) ?? []);
  }

  /**
   * Lines under the stack are the same in previews and updates, so they are written at once. (Perhaps no later call
   * shows whether this is a preview.)
   */
  async line(urn: string, severity: Severity, text: string): Promise<void> {
    const isHeld = this.#isPreview === undefined || this.#kept.has(urn);
    if (urn === STACK || !isHeld) return this.rows.line(urn, severity, text);
    this.#keep(urn, [severity, text]);
  }

  status(urn: string, text: string): void {
    this.rows.status(urn, text);
  }

  /**
   * Called when a call has shown whether this is a preview. In an update, the lines of this resource and of the stack
   * are dropped, because the preview has shown them.
   */
  async know(isPreview: boolean, urn: string): Promise<void> {
    this.#isPreview = isPreview;
    if (isPreview) return this.showAll(urn);
    this.#kept.delete(STACK);
    this.#kept.delete(urn);
  }

  /** Writes the lines that were held back for a resource. */
  async show(urn: string): Promise<void> {
    const lines = this.#kept.get(urn) ?? [];
    this.#kept.delete(urn);
    for (const [severity, text] of lines) await this.rows.line(urn, severity, text);
  }

  /**
   * Also writes the lines held back for the stack. Called when a resource fails, because the engine may make no further
   * call.
   */
  async showAll(urn: string): Promise<void> {
    await this.show(STACK);
    await this.show(urn);
  }

  #keep(urn: string, line: PreviewLine): void {
    this.#kept.set(urn, [...(this.#kept.get(urn) ?? []), line]);
  }
}
