import { addressOf, isSameStack } from "../../journal/address";
import type { Backend } from "../../journal/backend";
import type { Journal, JournalEntry, StackAddress } from "../../journal/journal";
import { isStillUnderWay } from "../../journal/under-way";
import { leftBehindText, unreadableText } from "../../journal/left-behind";
import { thisProcess } from "../../journal/process-identity";
import { idKey, isSameId } from "../../api/same-id";
import { handedOver, isWatched, isWorthTelling, newEntry, type NewCreation } from "./journal-entry";
import type { Props } from "../kind";
import type { OpenCreation } from "./open-creation";
import type { SentCreation } from "./proof";
import { STACK, type RowLog } from "../row-log";
import { dynamicUrn, urnParts } from "../../urn";

/** The place of a run's journal, and the parts of the stack's address that the URN does not have. */
export interface RunJournalParts {
  readonly journal: Journal;
  readonly rows: RowLog;
  readonly provider: string | undefined;
  /** Read at first use. */
  readonly backend: () => Backend;
  /** Throws ConfigurationError if the settings have none. */
  baseUrl(): string;
  /** The API's time in epoch milliseconds. */
  serverNow(): number;
  /** This machine's. */
  now(): number;
}

/** The journal of one run: its own creations, and the open ones of earlier runs of the stack. */
export class RunJournal {
  readonly #own = new Map<string, { entry: JournalEntry; isHandedOver: boolean }>();
  /** Pending writes by key: changes of an entry follow each other, and none follows its end. */
  readonly #changes = new Map<string, Promise<void>>();
  readonly #ended = new Set<string>();
  /** Ids that the state has, or that this run has made. */
  readonly #known = new Set<string>();
  /** One process works for one stack. */
  #earlier: Promise<Map<string, JournalEntry>> | undefined;
  /** Set at once, because the last moment of a process cannot wait. */
  #earlierNow = new Map<string, JournalEntry>();
  #told: Promise<void> | undefined;
  #address: StackAddress | undefined;
  #organization: string | undefined;
  #isUpdate = false;
  #isWritable = true;

  constructor(private readonly parts: RunJournalParts) {}

  /** Adds a creation before it is sent. If the journal cannot be written, it warns once, and the run continues. */
  async begin(creation: NewCreation, sentAt: number): Promise<OpenCreation> {
    const entry = newEntry(creation, this.#addressOf(creation.request.urn), { there: sentAt, here: this.parts.now() });
    await this.#write(entry);
    return this.resume(entry);
  }

  /** Makes an entry of an earlier run this run's own. */
  resume(entry: JournalEntry): OpenCreation {
    const own = { entry, isHandedOver: false };
    this.#own.set(entry.key, own);
    return {
      key: entry.key,
      token: entry.token ?? "",
      sent: (inputs) => this.sentOf(own.entry, inputs),
      accepted: async (id) => {
        this.#own.set(entry.key, own); // it may have been left open before it was found
        this.#known.add(idKey(id));
        const answeredAt = new Date(this.parts.serverNow()).toISOString();
        own.entry = { ...own.entry, id, answeredAt, sender: thisProcess() };
        await this.#write(own.entry);
      },
      handedOver: () => void (own.isHandedOver = true),
      handedOverHalfMade: async () => {
        own.entry = { ...own.entry, isHalfMade: true };
        own.isHandedOver = true;
        await this.#write(own.entry);
      },
      leftOpen: () => void this.#own.delete(entry.key),
      close: () => this.close(own.entry),
    };
  }

  /** The request of an entry; `inputs` have the object's path. */
  sentOf(entry: JournalEntry, inputs: Props): SentCreation {
    const sentAt = Date.parse(entry.sentAt);
    const ofItsProcess = [...this.#earlierNow.values()].filter(
      ({ sender }) => sender.pid === entry.sender.pid && sender.startedAt === entry.sender.startedAt,
    );
    const signs = ofItsProcess.flatMap(({ sentAt: sent, answeredAt = sent }) => [
      Date.parse(sent),
      Date.parse(answeredAt),
    ]);
    const livedAt = Math.max(sentAt, ...signs);
    const sentHereAt = entry.sentHereAt === undefined ? -Infinity : Date.parse(entry.sentHereAt);
    const agoHereMs = this.parts.now() - sentHereAt;
    const isOfThisRun = !this.#earlierNow.has(entry.key);
    return { token: entry.token, name: entry.name, inputs, sentAt, livedAt, agoHereMs, isOfThisRun };
  }

  /** The program says whose stack it is. In a run without a program, nobody does. */
  noteOrganization(organization: string | undefined): void {
    if (organization === undefined || organization === this.#organization) return;
    this.#organization = organization;
    this.#address = undefined;
  }

  /** The open creations of earlier runs for a resource, the latest first. Since then it may have moved to the other provider. */
  async interrupted(urn: string): Promise<readonly JournalEntry[]> {
    return (await this.#ofStack(urn)).filter((entry) => dynamicUrn(entry.urn) === dynamicUrn(urn));
  }

  /** The last entry of an earlier run of the stack that took this object over, for whichever resource. */
  async takenOver(urn: string, id: string): Promise<JournalEntry | undefined> {
    return (await this.#ofStack(urn)).find((entry) => entry.foundAs !== undefined && isSameId(entry.id, id));
  }

  /** The latest first. A refresh before the update may have read those of every organization. */
  async #ofStack(urn: string): Promise<readonly JournalEntry[]> {
    const earlier = [...(await this.#earlierOf(urn)).values()];
    return earlier.filter(({ stack }) => isSameStack(stack, this.#addressOf(urn))).reverse();
  }

  /** The entries of creations that seemed to have made nothing, and whose resource was made again. */
  async superseded(urn: string): Promise<readonly JournalEntry[]> {
    const earlier = await this.#earlierOf(urn);
    return [...earlier.values()].filter(({ id, isSuperseded }) => isSuperseded && id === undefined);
  }

  /** Whether another process is creating it now. */
  isUnderWay(entry: JournalEntry): Promise<boolean> {
    return isStillUnderWay(this.parts.journal, entry, this.parts.now());
  }

  /** The resource is made again. Later runs look for the object of this entry. */
  async supersede(entry: JournalEntry, id?: string): Promise<void> {
    if (this.#ended.has(entry.key)) return;
    const newer: JournalEntry = { ...entry, isSuperseded: true, ...(id !== undefined && { id }) };
    (await this.#earlierOf(entry.urn)).set(entry.key, newer);
    await this.#write(newer);
  }

  async close(entry: JournalEntry): Promise<void> {
    this.#own.delete(entry.key);
    this.#ended.add(entry.key);
    (await this.#earlierOf(entry.urn)).delete(entry.key);
    await this.#change(entry, () => this.parts.journal.remove(entry));
  }

  /** The engine has presented the id, so the state has it, under any URN. */
  async seen(urn: string, id: string): Promise<void> {
    this.#known.add(idKey(id));
    const earlier = await this.#earlierOf(urn);
    for (const entry of [...earlier.values()]) {
      if (entry.id !== undefined && idKey(entry.id) === idKey(id)) await this.close(entry);
    }
  }

  /** Whether the state has the object, or this run has made it. */
  knows(id: string): boolean {
    return this.#known.has(idKey(id));
  }

  /** The run is an update: the engine presents the resources of the state, or deletes them. */
  noteUpdate(): void {
    this.#isUpdate = true;
  }

  /** Warns once of each open creation of earlier runs. Every call of the engine waits for it, because each may be the first. */
  warnOfEarlier(urn: string): Promise<void> {
    return (this.#told ??= this.#warnOfEarlier(urn));
  }

  /**
   * The engine ends the process. All entries stay until the engine presents their ids. Answers that were given with nothing
   * else in flight are marked, so that later runs do not warn at once. If a person has cancelled the run, the engine may not
   * have saved them.
   */
  end(isCancelled: boolean): void {
    const own = [...this.#own.values()];
    if (!own.every(({ isHandedOver }) => isHandedOver)) return;
    const others = [...this.#earlierNow.values()].filter((entry) => !this.#own.has(entry.key));
    const passedOver = this.#isUpdate && !isCancelled ? others.filter(isWatched) : [];
    this.parts.journal.writeNow([
      ...own.map(({ entry }) => handedOver(entry, isCancelled)),
      ...passedOver.map((entry) => ({ ...entry, missed: (entry.missed ?? 0) + 1 })),
    ]);
  }

  async #warnOfEarlier(urn: string): Promise<void> {
    const earlier = await this.#earlierOf(urn);
    const untold = [...earlier.values()].filter((entry) => isWorthTelling(entry, this.parts.now()));
    if (untold.length === 0) return;
    // First the line: if this process ends between the two, the next run warns again.
    await this.parts.rows.line(STACK, "warning", leftBehindText(untold));
    for (const entry of untold) {
      const told: JournalEntry = { ...entry, isTold: true };
      earlier.set(entry.key, told);
      await this.#write(told);
    }
  }

  #earlierOf(urn: string): Promise<Map<string, JournalEntry>> {
    return (this.#earlier ??= this.#readEarlier(urn));
  }

  async #readEarlier(urn: string): Promise<Map<string, JournalEntry>> {
    const { entries, unreadable } = await this.parts.journal.of(this.#addressOf(urn));
    for (const entry of entries) this.#earlierNow.set(entry.key, entry);
    if (unreadable.length > 0) await this.parts.rows.line(STACK, "warning", unreadableText(unreadable));
    return this.#earlierNow;
  }

  #addressOf(urn: string): StackAddress {
    if (this.#address) return this.#address;
    const { stack, project } = urnParts(urn);
    const { url, folder } = this.parts.backend();
    const { provider } = this.parts;
    const [baseUrl, organization] = [this.parts.baseUrl(), this.#organization];
    const address = { backend: url, organization, baseUrl, project, stack, provider };
    return (this.#address = addressOf(address, folder));
  }

  async #write(entry: JournalEntry): Promise<void> {
    await this.#change(entry, async () => {
      if (!this.#ended.has(entry.key)) await this.parts.journal.write(entry);
    });
  }

  #change({ key }: JournalEntry, change: () => Promise<void>): Promise<void> {
    const before = this.#changes.get(key) ?? Promise.resolve();
    const changing = before.then(() => this.#orWarn(change));
    this.#changes.set(key, changing);
    return changing;
  }

  async #orWarn(change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      if (!this.#isWritable) return;
      this.#isWritable = false;
      const { code = "for an unknown reason" } = error as NodeJS.ErrnoException;
      await this.parts.rows.line(
        STACK,
        "warning",
        `the journal of creations cannot be written (${code}): if this run is killed, the next run will not know what it was creating`,
      );
    }
  }
}
