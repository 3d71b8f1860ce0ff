import { createHash, randomUUID } from "node:crypto";
import type { Journal, JournalEntry, StackAddress } from "../journal/journal";
import { isUnderWay, leftBehindText } from "../journal/left-behind";
import { hiddenOf, visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import type { RowLog } from "./row-log";
import { urnParts } from "../urn";

/** Where a run's journal is kept, and which stack's it is beside what the URN says. */
export interface RunJournalParts {
  readonly journal: Journal;
  readonly rows: RowLog;
  /** Read at first use. */
  readonly backend: string;
  /** Throws ConfigurationError where the settings have none. */
  baseUrl(): string;
}

/** A creation under way, as the journal has it. */
export interface OpenCreation {
  /** The API has told the id. */
  accepted(id: string): Promise<void>;
  /** The engine gets the answer now: it saves it, unless it dies first. */
  handedOver(): void;
  /** It has failed, and may have made something all the same: the next run looks. */
  leftOpen(): void;
  /** Nothing of it is left to look after. */
  close(): Promise<void>;
}

/** The journal as one run sees it: its own creations, and what earlier runs of the stack have left open. */
export class RunJournal {
  readonly #own = new Map<string, { entry: JournalEntry; isHandedOver: boolean }>();
  /** One process works for one stack. */
  #earlier: Promise<Map<string, JournalEntry>> | undefined;
  #told: Promise<void> | undefined;
  #isWritable = true;

  constructor(private readonly parts: RunJournalParts) {}

  /** Enters a creation, before it is sent. A journal that cannot be written is warned of once, and fails nothing. */
  async begin(kind: ResourceKind, props: Props, sentAt: number, sentUntil: number): Promise<OpenCreation> {
    const { urn, autoName, generation } = hiddenOf(props);
    const entry: JournalEntry = {
      version: 1,
      key: randomUUID(),
      stack: this.#addressOf(urn),
      urn,
      type: kind.type,
      noun: kind.noun,
      name: String(props["name"]),
      isChosenName: autoName !== undefined,
      generation,
      place: placeOf(kind, props),
      fingerprint: fingerprintOf(kind, props),
      sentAt: new Date(sentAt).toISOString(),
      sentUntil: new Date(sentUntil).toISOString(),
      pid: process.pid,
    };
    await this.#write(entry);
    return this.resume(entry);
  }

  /** Goes on with an entry: from here on it is this run's. */
  resume(entry: JournalEntry): OpenCreation {
    const own = { entry, isHandedOver: false };
    this.#own.set(entry.key, own);
    return {
      accepted: async (id) => {
        this.#own.set(entry.key, own); // it may have been left open before it was found
        own.entry = { ...own.entry, id, pid: process.pid };
        await this.#write(own.entry);
      },
      handedOver: () => void (own.isHandedOver = true),
      leftOpen: () => void this.#own.delete(entry.key),
      close: () => this.close(own.entry),
    };
  }

  /** What earlier runs have left open for a URN, the latest first. */
  async interrupted(urn: string): Promise<readonly JournalEntry[]> {
    const earlier = await this.#earlierOf(urn);
    return [...earlier.values()].filter((entry) => entry.urn === urn).reverse();
  }

  async close(entry: JournalEntry): Promise<void> {
    this.#own.delete(entry.key);
    (await this.#earlierOf(entry.urn)).delete(entry.key);
    await this.#orWarn(() => this.parts.journal.remove(entry));
  }

  /** The engine has presented the id: the state has it, under whichever URN. */
  async seen(urn: string, id: string): Promise<void> {
    const earlier = await this.#earlierOf(urn);
    for (const entry of [...earlier.values()]) if (entry.id === id) await this.close(entry);
  }

  /** An object was taken over for a URN: what an earlier run had begun to create for it needs no looking for, if it is that. */
  async adopted(urn: string, id: string, name: unknown): Promise<void> {
    await this.seen(urn, id);
    for (const entry of await this.interrupted(urn)) if (entry.name === name) await this.close(entry);
  }

  /** Warns of what earlier runs have left open, each once. Every call of the engine's waits for it, since it may be the first. */
  warnOfEarlier(urn: string): Promise<void> {
    return (this.#told ??= this.#warnOfEarlier(urn));
  }

  /**
   * The engine ends the process in good order: it has saved what it was given. Where creations are still in flight, it is a
   * second Ctrl-C, after which it saves nothing more: then all entries stay.
   */
  endInOrder(): void {
    const own = [...this.#own.values()];
    if (own.every(({ isHandedOver }) => isHandedOver)) this.parts.journal.removeNow(own.map(({ entry }) => entry));
  }

  async #warnOfEarlier(urn: string): Promise<void> {
    const earlier = await this.#earlierOf(urn);
    const untold = [...earlier.values()].filter((entry) => entry.isTold !== true && !isUnderWay(entry));
    if (untold.length === 0) return;
    for (const entry of untold) {
      const told: JournalEntry = { ...entry, isTold: true };
      earlier.set(entry.key, told);
      await this.#write(told);
    }
    await this.parts.rows.line("", "warning", leftBehindText(untold));
  }

  #earlierOf(urn: string): Promise<Map<string, JournalEntry>> {
    this.#earlier ??= this.parts.journal
      .of(this.#addressOf(urn))
      .then((entries) => new Map(entries.map((entry) => [entry.key, entry])));
    return this.#earlier;
  }

  #addressOf(urn: string): StackAddress {
    const { stack, project } = urnParts(urn);
    return { backend: this.parts.backend, baseUrl: this.parts.baseUrl(), project, stack };
  }

  async #write(entry: JournalEntry): Promise<void> {
    await this.#orWarn(() => this.parts.journal.write(entry));
  }

  async #orWarn(change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      if (!this.#isWritable) return;
      this.#isWritable = false;
      const { code = "for an unknown reason" } = error as NodeJS.ErrnoException;
      await this.parts.rows.line(
        "",
        "warning",
        `the journal of creations cannot be written (${code}): if this run is killed, the next one does not know what it was making`,
      );
    }
  }
}

/** The inputs that say where an object is. */
function placeOf(kind: ResourceKind, props: Props): Props {
  return Object.fromEntries((kind.place ?? []).map((field) => [field, props[field]]));
}

/** Equal where the inputs of a kind are equal. */
export function fingerprintOf(kind: ResourceKind, props: Props): string {
  const inputs = visibleOf(props);
  const values = Object.keys(kind.policies).map((field) => inputs[field] ?? null);
  return createHash("sha256").update(JSON.stringify(values)).digest("hex");
}
