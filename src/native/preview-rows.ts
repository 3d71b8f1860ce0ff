import { STACK, type RowLog, type Severity } from "../engine/row-log";

type Line = readonly [severity: Severity, text: string];

/**
 * Keeps the lines of a resource's row until it is known whether this run is a preview. The engine does not say so to `check` and
 * `diff`, which find out what there is to tell, but to `create` and `update`, which follow. From then on every call knows.
 */
export class PreviewRows implements RowLog {
  readonly #kept = new Map<string, Line[]>();
  readonly #rows: RowLog;
  #isPreview: boolean | undefined;

  constructor(rows: RowLog) {
    this.#rows = rows;
  }

  /** Undefined until the first call that says so. */
  get isPreview(): boolean | undefined {
    return this.#isPreview;
  }

  /** For lines that an update does not have, not even under the stack. */
  readonly ofPreview: RowLog = {
    line: async (urn, severity, text) => {
      if (this.#isPreview === undefined) this.#keep(urn, [severity, text]);
      else if (this.#isPreview) await this.#rows.line(urn, severity, text);
    },
    status: (urn, text) => this.status(urn, text),
  };

  /** Under the stack, previews and updates say the same. So nothing waits there: perhaps no call follows that says which it is. */
  async line(urn: string, severity: Severity, text: string): Promise<void> {
    if (urn === STACK || this.#isPreview !== undefined) return this.#rows.line(urn, severity, text);
    this.#keep(urn, [severity, text]);
  }

  status(urn: string, text: string): void {
    this.#rows.status(urn, text);
  }

  /** A call has said which it is. In an update people have seen the lines of the preview. */
  async know(isPreview: boolean, urn: string): Promise<void> {
    this.#isPreview = isPreview;
    if (isPreview) return this.showAll(urn);
    this.#kept.delete(STACK);
    this.#kept.delete(urn);
  }

  /** Tells what is kept of a resource that nothing follows for. */
  async show(urn: string): Promise<void> {
    const lines = this.#kept.get(urn) ?? [];
    this.#kept.delete(urn);
    for (const [severity, text] of lines) await this.#rows.line(urn, severity, text);
  }

  /** The same, with what is kept of the stack: the resource has failed, so perhaps nothing follows at all. */
  async showAll(urn: string): Promise<void> {
    await this.show(STACK);
    await this.show(urn);
  }

  #keep(urn: string, line: Line): void {
    this.#kept.set(urn, [...(this.#kept.get(urn) ?? []), line]);
  }
}
