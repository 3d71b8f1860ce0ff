import { addressOf, isReadBy, isSameStack, mayBeSameStack, pulumiBackend, readerKey } from "../../journal/address";
import { isAboutOthers, isOpen, type JournalEntry, type StackAddress } from "../../journal/entry";
import { isUnread, type Journal, type UnreadableEntry } from "../../journal/journal";
import { isThisProcess, thisProcess } from "../../process/process-identity";
import { isUnderWay } from "../../journal/sender";
import { leftBehindTexts, notPresentedText, unreadableText } from "../../journal/left-behind";
import { isSameId } from "../../definition/same-id";
import { EntryWriter } from "../../journal/entry-writer";
import { Adoptions } from "../../journal/adoptions";
import { entryFor, newEntry, otherAttemptsOf, twinOf, type NewCreation } from "./journal-entry";
import type { ObjectRun } from "../objects/resource-call";
import type { Environment } from "../../process/user-folders";
import { STACK } from "../../engine/row-log";
import { dynamicUrn, urnParts } from "../../engine/urn";

/**
 * The journal of one run: its own creations, and those of earlier runs at the same API or of the same stack that are
 * still in it.
 */
export class RunJournal {
  /** Entries of earlier runs by key, oldest first, also of other stacks, because a stack may have been renamed. */
  #earlier: Promise<Map<string, JournalEntry>> | undefined;
  /** These entries as this run first read them. */
  #atStart: readonly JournalEntry[] = [];
  /** Keys of entries whose process ran when they were read: perhaps that of the other front, in this run. */
  readonly #ofRunning = new Set<string>();
  #warned: Promise<void> | undefined;
  #address: StackAddress | undefined;
  #isEnding = false;
  /** Set if this run updates, refreshes or destroys, so that the engine presents all objects of the state. */
  isUpdate = false;
  readonly writer: EntryWriter;
  readonly adoptions = new Adoptions((object) => this.writer.recordAdoption(object));

  /** `environment`: it says which backend of Pulumi has the state. */
  constructor(
    private readonly run: ObjectRun,
    journal: Journal,
    private readonly environment: Environment,
  ) {
    this.writer = new EntryWriter(journal, run.rows);
  }

  /** Writes the entry of a creation before it is sent. Warns once if the journal cannot be written. */
  async begin(creation: NewCreation): Promise<JournalEntry> {
    const times = { sentAt: this.run.api.now(), sentHereAt: this.run.clock.timeOfDay() };
    const [stack, keyHash] = [this.#addressOf(creation.request.urn), this.run.api.credentials.hash];
    const entry = newEntry(creation, { stack, times, keyHash });
    return (await this.writer.write(entry)) ? entry : this.amend(entry, { isUnwritten: true });
  }

  /** Writes the object's id. Until `handOver`, no state has it. `others`: further known objects of the request. */
  async accept(entry: JournalEntry, id: string, others: readonly string[] = []): Promise<JournalEntry> {
    this.run.memory.objects.noteInState(id);
    const own = entryFor(this.writer.latest(entry), id);
    const answeredAt = new Date(this.run.api.now()).toISOString();
    const accepted = await this.amend(own, { ...own, answeredAt, sender: thisProcess(), isSuperseded: undefined });
    await this.#noteMade(entry, [id, ...others]);
    return accepted;
  }

  /** Writes an entry with changes: another id, for example, if the response was about another object. */
  async amend(entry: JournalEntry, changes: Partial<JournalEntry>): Promise<JournalEntry> {
    const amended = { ...this.writer.latest(entry), ...changes };
    await this.writer.write(amended);
    return amended;
  }

  /**
   * Called before the engine gets the answer. From then on a state may have the object, so no later run takes it over.
   */
  async handOver(entry: JournalEntry): Promise<void> {
    // The engine no longer saves answers, so this one must never come: the entry stays, and the next run takes the
    // object over.
    if (this.#isEnding) await new Promise(() => undefined);
    const latest = this.writer.latest(entry);
    if (await this.writer.write({ ...latest, isHandedOver: true })) return;
    // A full disk still has room for the name of an empty file, and no later run takes over a recorded object.
    if (latest.id !== undefined) await this.adoptions.record({ type: latest.type, id: latest.id });
  }

  /** True if the request of an entry was sent with the key in use. Another key may belong to another account. */
  isSentWithKey({ keyHash, stack, urn }: JournalEntry): boolean {
    return keyHash === this.run.api.credentials.hash && stack.baseUrl === this.#addressOf(urn).baseUrl;
  }

  /** Notes the stack's organization, which only a run with a program knows. */
  noteOrganization(urn: string, organization: string): void {
    this.#address = { ...this.#addressOf(urn), organization };
  }

  /** The entries of earlier runs in all stacks, the latest first, with the changes of this run. */
  async earlier(urn: string): Promise<readonly JournalEntry[]> {
    return Array.from((await this.#earlierOf(urn)).values(), (entry) => this.writer.latest(entry)).reverse();
  }

  /** The entries of earlier runs for a resource, the latest first. */
  async interrupted(urn: string): Promise<readonly JournalEntry[]> {
    return (await this.earlier(urn)).filter((entry) => this.isOwn(entry, urn));
  }

  /** True if the entry belongs to the resource, also under a former URN (an alias, or a move to the other front). */
  isOwn(entry: JournalEntry, urn: string): boolean {
    const urns = [urn, ...this.run.memory.formerKeysOf(urn)].map(dynamicUrn);
    return this.isOfStack(entry, urn) && urns.includes(dynamicUrn(entry.urn));
  }

  isOfStack({ stack }: JournalEntry, urn: string): boolean {
    return isSameStack(stack, this.#addressOf(urn));
  }

  /** True if a run of the resource's stack has named the entry: as an open one, or after a late look. */
  hasWarned({ warned }: JournalEntry, urn: string, as: "open" | "late"): boolean {
    return warned?.includes(`${readerKey(this.#addressOf(urn))}-${as}`) === true;
  }

  /** Records a warning about the entry. Called after the warning, which is repeated if the process ends in between. */
  async recordWarning(entry: JournalEntry, urn: string, as: "open" | "late"): Promise<void> {
    await this.writer.recordWarning(entry, `${readerKey(this.#addressOf(urn))}-${as}`);
  }

  /** Reads the journal again: other processes may have written, changed and closed entries. */
  async readAgain(urn: string): Promise<void> {
    const known = await this.#earlierOf(urn);
    const [before, { entries: now, unreadable }] = [[...known.keys()], await this.#read(urn)];
    for (const key of before) if (!now.has(key) && !isUnread(unreadable, key)) known.delete(key);
    for (const [key, entry] of now) if (!isThisProcess(entry.sender) && !known.has(key)) known.set(key, entry);
  }

  /** The entries as this run first read them, without those that it has closed itself. */
  get atStart(): readonly JournalEntry[] {
    return this.#atStart.filter((entry) => !this.writer.hasEnded(entry));
  }

  /**
   * Notes that the resource is made again. The entries of old objects stay until these no longer exist or a person has
   * decided.
   */
  async supersede(entry: JournalEntry, ids: readonly string[] = [], madeIds = ids): Promise<void> {
    const latest = await this.#noteMade(entry, madeIds);
    const [id = latest.id, ...twins] = ids;
    for (const each of [...twins.map((twin) => twinOf(entry, twin)), entryFor(latest, id)])
      if (!this.writer.hasEnded(each)) await this.#keep({ ...each, isSuperseded: true });
  }

  /** `madeIds`: the objects that end the entry, if nothing proves that its request made no others. */
  async close(entry: JournalEntry, madeIds: readonly string[] = []): Promise<void> {
    const latest = await this.#noteMade(entry, madeIds);
    if (isAboutOthers(latest) && madeIds.length > 0) return;
    (await this.#earlierOf(entry.urn)).delete(entry.key);
    await this.writer.remove(entry);
  }

  /** Keeps an entry about the other attempts of a request that was sent again. Resolves with the entry itself. */
  async #noteMade(entry: JournalEntry, madeIds: readonly string[]): Promise<JournalEntry> {
    const latest = this.writer.latest(entry);
    const others = this.writer.latest(otherAttemptsOf(latest));
    if ((latest.wasSentAgain || isAboutOthers(latest)) && madeIds.length > 0 && !this.writer.hasEnded(others))
      await this.#keep({ ...others, madeIds: [...new Set([...(others.madeIds ?? []), ...madeIds])] });
    return latest;
  }

  async #keep(entry: JournalEntry): Promise<void> {
    (await this.#earlierOf(entry.urn)).set(entry.key, entry);
    await this.writer.write(entry);
  }

  /**
   * Notes that the state has the object, and closes all its entries, also those with another URN or stack. In an
   * import, which may still fail, it closes none and resolves with true. `isReplaced`: superseded entries stay open,
   * because the engine may drop the replaced object from the state without calling the provider.
   */
  async noteInState(urn: string, id: string, isReplaced = false): Promise<boolean> {
    const { objects } = this.run.memory;
    objects.noteInState(id);
    if (!objects.isInState(id)) return true;
    for (const each of await this.earlier(urn))
      if (isSameId(each.id, id) && !(isReplaced && each.isSuperseded)) await this.close(each);
    return false;
  }

  /**
   * Warns once in a run of open earlier creations. Each call of the engine awaits it, because any call may be the
   * first.
   */
  warnOfEarlier(urn: string): Promise<void> {
    return (this.#warned ??= this.#warnOfEarlier(urn));
  }

  /** Called when the engine ends the process. Entries then stay until the engine presents their ids. */
  end(): void {
    this.#isEnding = true;
  }

  /**
   * Called at the end of a run. After an update, names once each handed-over object that the engine has neither
   * presented nor left out.
   */
  async reportNotPresented(isLeftOut: (urn: string) => boolean): Promise<void> {
    const [reader, earlier] = [this.#address, await this.#earlier];
    if (!this.isUpdate || !reader || !earlier) return;
    const notPresented = [...earlier.values()].filter(
      (entry) =>
        entry.isHandedOver &&
        !entry.isSuperseded &&
        !this.#ofRunning.has(entry.key) &&
        mayBeSameStack(entry.stack, reader) &&
        !this.run.memory.objects.isKnown(entry.id ?? "") &&
        !this.hasWarned(entry, entry.urn, "open") &&
        !isLeftOut(entry.urn),
    );
    const text = notPresentedText(notPresented, ({ stack }) => isSameStack(stack, reader));
    if (notPresented.length > 0) await this.run.rows.line(STACK, "info", text);
    for (const entry of notPresented) await this.recordWarning(entry, entry.urn, "open");
  }

  async #warnOfEarlier(urn: string): Promise<void> {
    const { baseUrl } = this.#addressOf(urn);
    const open = (await this.earlier(urn)).filter(
      (entry) => isOpen(entry) && !this.hasWarned(entry, urn, "open") && !isUnderWay(entry, this.run.clock.timeOfDay()),
    );
    for (const text of leftBehindTexts([...open].reverse(), (entry) => this.isOfStack(entry, urn), baseUrl))
      await this.run.rows.line(STACK, "warning", text);
    for (const entry of open) await this.recordWarning(entry, urn, "open");
  }

  #earlierOf(urn: string): Promise<Map<string, JournalEntry>> {
    return (this.#earlier ??= this.#read(urn).then(async ({ entries, unreadable }) => {
      this.#atStart = [...entries.values()];
      if (unreadable.length > 0) await this.run.rows.line(STACK, "warning", unreadableText(unreadable));
      return entries;
    }));
  }

  async #read(urn: string): Promise<{ entries: Map<string, JournalEntry>; unreadable: readonly UnreadableEntry[] }> {
    const [{ entries, adopted, unreadable }, reader] = [await this.writer.read(), this.#addressOf(urn)];
    this.adoptions.noteRead(adopted);
    for (const entry of entries) if (isUnderWay(entry, this.run.clock.timeOfDay())) this.#ofRunning.add(entry.key);
    const open = entries.filter((entry) => isReadBy(reader, entry.stack) && !this.writer.hasEnded(entry));
    return { entries: new Map(open.map((entry) => [entry.key, entry])), unreadable };
  }

  #addressOf(urn: string): StackAddress {
    if (this.#address) return this.#address;
    const { stack, project } = urnParts(urn);
    const { url: backend, folder } = pulumiBackend(this.environment);
    const { baseUrl, provider, stackId } = this.run.settings;
    return (this.#address = addressOf({ backend, baseUrl, project, stack, provider, stackId }, folder));
  }
}
