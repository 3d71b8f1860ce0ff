import { isDeepStrictEqual } from "node:util";
import type { Announcement } from "../../process/run-file";
import type { RunFile } from "../../process/run-file";
import type { Props } from "../kind/kind";
import type { CreationAnswers } from "./preflight";

/** The most resources to ask about before the engine presents them. */
const MOST_AHEAD = 16;
/** After this many new resources in a row, the next ones are probably new too. In a small change, no request is wasted. */
const ROW = 4;

/** The inputs that the API was asked about, and its answers. */
export interface AskedAhead {
  readonly inputs: Props;
  readonly answers: Promise<CreationAnswers>;
}

/**
 * Asks the API about new resources before the engine presents them. The engine presents one after the other, so a run would wait for
 * each answer. The program announces its resources, but it is not known which of them are new. So the fourth new resource in a row
 * leads to requests for two others, and each further one doubles that number.
 */
export class ReadAhead {
  readonly #queue: Announcement[] = [];
  readonly #presented = new Set<string>();
  readonly #asked = new Map<string, Promise<AskedAhead | undefined>>();
  #newInARow = 0;

  /** `file`: undefined if no program announces resources. */
  constructor(private readonly file: RunFile<Announcement> | undefined) {}

  /** Called when the engine presents a resource. If it is new, calls `ask` for some resources that follow. */
  present(urn: string, isNew: boolean, ask: (next: Announcement) => Promise<AskedAhead | undefined>): void {
    this.#presented.add(urn);
    this.#newInARow = isNew ? this.#newInARow + 1 : 0;
    if (this.file === undefined || this.#newInARow < ROW) return;
    this.#queue.push(...this.file.readNew());
    const isWaiting = (asked: string): boolean => !this.#presented.has(asked);
    const most = Math.min(MOST_AHEAD, 2 ** (this.#newInARow - ROW + 1));
    let ahead = [...this.#asked.keys()].filter(isWaiting).length;
    for (let next; ahead < most && (next = this.#queue.shift()) !== undefined;) {
      if (!isWaiting(next.urn)) continue;
      ahead += 1;
      // check reports the fault when the engine presents the resource.
      this.#asked.set(
        next.urn,
        ask(next).catch(() => undefined),
      );
    }
  }

  /** The answers for exactly these inputs. Undefined if they were not asked for. */
  async take(urn: string, inputs: Props): Promise<CreationAnswers | undefined> {
    const asked = await this.#asked.get(urn);
    this.#asked.delete(urn);
    return asked && isDeepStrictEqual(asked.inputs, inputs) ? asked.answers : undefined;
  }

  end(): void {
    this.file?.remove();
  }
}
