import { isDeepStrictEqual } from "node:util";
import { MAX_CONNECTIONS } from "../../api/http/transport";
import type { Announcement } from "../../process/run-file";
import type { RunFile } from "../../process/run-file";
import type { Props, ResourceKind } from "../kind/kind";
import type { CreationAnswers } from "./preflight";

/** The most resources that the API is asked about at a time: one for each connection of the client. */
const MAX_AT_A_TIME = MAX_CONNECTIONS;
/**
 * After this many new resources in succession, the next ones are probably new too. In a small change, no request is
 * wasted.
 */
const NEW_IN_SUCCESSION = 4;
/** In a stack that has resources, the most resources to ask about before the engine presents them. */
const MAX_AHEAD = 16;

/** The inputs that the API was asked about, and its answers. */
export interface PrefetchedAnswers {
  readonly inputs: Props;
  readonly answers: Promise<CreationAnswers>;
}

type Ask = (next: Announcement, kind: ResourceKind) => Promise<PrefetchedAnswers | undefined>;

/**
 * Asks the API about new resources before the engine presents them. The engine presents one after the other, so a run
 * would wait for each answer. The program announces its resources, but it is not known which of them are new. If the
 * first four are, the stack is probably new, and the API is asked about all. Otherwise the fourth new resource in
 * succession leads to requests for two others, the fifth for four, and so on, up to `MAX_AHEAD`.
 */
export class AdvisoryPrefetch {
  readonly #queue: Announcement[] = [];
  readonly #presented = new Set<string>();
  readonly #answers = new Map<string, Promise<PrefetchedAnswers | undefined>>();
  /** Those that the API was asked about and that the engine has not presented yet. */
  readonly #ahead = new Set<string>();
  #newInARow = 0;
  #underWay = 0;

  /** `file`: undefined if no program announces resources. `kindOf`: undefined for a resource of another process. */
  constructor(
    private readonly file: RunFile<Announcement> | undefined,
    private readonly kindOf: (urn: string) => ResourceKind | undefined = () => undefined,
  ) {}

  /** Called when the engine presents a resource. If it is new, calls `ask` for some resources that follow. */
  onPresented(urn: string, isNew: boolean, ask: Ask): void {
    this.#presented.add(urn);
    this.#ahead.delete(urn);
    this.#newInARow = isNew ? this.#newInARow + 1 : 0;
    if (this.file === undefined || this.#most === 0) return;
    this.#queue.push(...this.file.readNew());
    this.#askMore(ask);
  }

  /** The most resources to ask about ahead. The engine presents resources in any order. */
  get #most(): number {
    if (this.#newInARow < NEW_IN_SUCCESSION) return 0;
    const isNewStack = this.#newInARow === this.#presented.size;
    return isNewStack ? Infinity : Math.min(MAX_AHEAD, 2 ** (this.#newInARow - NEW_IN_SUCCESSION + 1));
  }

  #askMore(ask: Ask): void {
    while (this.#underWay < MAX_AT_A_TIME && this.#ahead.size < this.#most) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const kind = this.kindOf(next.urn);
      if (kind === undefined || this.#presented.has(next.urn)) continue;
      this.#underWay += 1;
      this.#ahead.add(next.urn);
      // check reports the fault when the engine presents the resource.
      const pending = ask(next, kind).catch(() => undefined);
      this.#answers.set(next.urn, pending);
      void pending
        .then((each) => each?.answers)
        .catch(() => undefined)
        .then(() => {
          this.#underWay -= 1;
          this.#askMore(ask);
        });
    }
  }

  /** The answers for exactly these inputs. Undefined if they were not asked for. */
  async take(urn: string, inputs: Props): Promise<CreationAnswers | undefined> {
    const pending = await this.#answers.get(urn);
    this.#answers.delete(urn);
    return pending && isDeepStrictEqual(pending.inputs, inputs) ? pending.answers : undefined;
  }

  end(): void {
    this.file?.remove();
  }
}
