import { collectionAt } from "../../lifecycle/kind/collection-at";
import type { NamedPart } from "../../definition/parts";
import { fromWire } from "../../definition/wire";
import { isDeepStrictEqual } from "node:util";
import { CloudinfraError } from "../../api/errors";
import { undefinedIfNotFound } from "../../api/not-found";
import type { Api } from "../../api/client";
import { isSameId } from "../../definition/same-id";
import type { ConfigReader } from "../../settings/config";
import { isNamed, isOfCommand, type JournalEntry } from "../../journal/entry";
import { ALL_OBJECTS, type JournalContents } from "../../journal/journal";
import { isUnderWay, pidText, touchRegularly } from "../../journal/sender";
import type { Props, ResourceKind } from "../../lifecycle/kind/kind";
import { isDeleted } from "../../lifecycle/objects/deletion";
import type { Run } from "../../lifecycle/run/run";
import { urlSpelling } from "../../journal/address";
import type * as Registry from "../../resources/registry";
import { CommandFailure, orFailure } from "../command-failure";
import type { CliIo } from "../io";
import { isNotOlder, twinOf } from "../../lifecycle/recovery/journal-entry";
import { proofOf, useInStack } from "./evidence";
import { journalOf } from "../command-journal";
import { commandRun } from "../command-run";
import { configOfProvider, configOfStack, noConfig } from "../stack-config";
import { addressOf } from "../../journal/address";
import { urnParts } from "../../engine/urn";
import { backendInUse } from "../pulumi/backend";
import { projectName, stackNames } from "../pulumi/run-pulumi";
import { exportStack, type StateResource } from "../pulumi/stack";

const THEN = "Wait until that process has ended, and run this again.";

/** An object that an interrupted run has left, in the journal, at the API and in the states of the stacks. */
export class LeftObject {
  /** The oldest entry. */
  readonly entry: JournalEntry;
  /** `volume 5a5a…`. */
  readonly title: string;
  private readonly journal: ReturnType<typeof journalOf>;

  private constructor(
    readonly id: string,
    readonly entries: readonly [JournalEntry, ...JournalEntry[]],
    private readonly adopted: JournalContents["adopted"],
    private readonly io: CliIo,
  ) {
    [this.entry] = entries;
    this.title = `${this.entry.noun} ${id}`;
    this.journal = journalOf(io.environment);
  }

  /**
   * Finds the object in open entries: by its id, or by its name if the response with the id was lost. Rejects with
   * CommandFailure if there is none, or if a person may not decide about it.
   */
  static async find(id: string, io: CliIo): Promise<LeftObject> {
    const all = await journalOf(io.environment).all();
    const [byId, ...others] = all.entries.filter((each) => isSameId(each.id, id));
    const found = byId ? new LeftObject(id, [byId, ...others], all.adopted, io) : await LeftObject.#ofName(all, id, io);
    if (found.entries.some(({ foundAs }) => foundAs !== undefined))
      throw found.notDeleted("a run took it over, and did not make it.");
    // Without the id, the object may be what another run is just creating under the same name.
    const possible = all.entries.filter(({ id: known, type }) => !byId && !known && type === found.entry.type);
    if ([...found.entries, ...possible].some((each) => isUnderWay(each, io.clock.timeOfDay())))
      throw found.notDeleted(`the run that creates it, or may create it, has not ended. ${THEN}`);
    return found;
  }

  /**
   * Finds the object by an entry without an id. The object must have the entry's name, and must not be older than the
   * entry. If several entries fit, an entry whose request made the object, as the audit log shows, comes first.
   */
  static async #ofName({ entries, adopted }: JournalContents, id: string, io: CliIo): Promise<LeftObject> {
    const unread: Error[] = [];
    const named: { readonly possible: LeftObject; readonly isProven: boolean | undefined }[] = [];
    for (const entry of entries.filter((each) => each.id === undefined)) {
      const possible = new LeftObject(id, [entry], adopted, io);
      const look = async (run: Run): Promise<void> => {
        const object = await possible.read(run.api);
        if (!isNotOlder(entry, object?.["createdAt"]) || !isNamed(entry, object?.["name"])) return;
        named.push({ possible, isProven: (await proofOf(run, entry)).madeIt(id) });
      };
      const failure = await orFailure(possible.withRun(look));
      if (failure instanceof Error) unread.push(failure);
    }
    const [found] = [true, undefined, false].flatMap((proof) => named.filter(({ isProven }) => isProven === proof));
    if (found) return found.possible;
    const [fault] = unread;
    const doubt = fault
      ? ` One of them may be about this object, but the object could not be read: ${fault.message}`
      : "";
    throw new CommandFailure(
      `No open entry of the journal names ${id}, so it was not deleted: this command deletes only what an interrupted run on this ` +
        `machine has made. \`cloudinfra doctor --all\` lists the entries.${doubt}`,
    );
  }

  notDeleted(reason: string): CommandFailure {
    return new CommandFailure(`${this.title} was not deleted: ${reason}`);
  }

  /** True if a resource has adopted this object or part: a state may have it. */
  isAdopted(id: string, adopted = this.adopted): boolean {
    return adopted.some((each) => isSameId(each.id, id));
  }

  /** True if the journal has exactly these entries of the object, unchanged, and no new adoption of these ids. */
  async isJournalUnchanged(ids: readonly string[]): Promise<boolean> {
    const { entries, adopted } = await this.journal.all();
    const isOfObject = (each: JournalEntry): boolean =>
      isSameId(each.id, this.id) || this.entries.some(({ key }) => key === each.key);
    const isNew = ids.some((id) => this.isAdopted(id, adopted) && !this.isAdopted(id));
    return isDeepStrictEqual(entries.filter(isOfObject), this.entries) && !isNew;
  }

  /**
   * Runs `work` with all objects locked: a run that would take one waits, because the API may delete it with this one.
   */
  async whileLocked(work: () => Promise<void>): Promise<void> {
    const touching = touchRegularly(this.journal);
    try {
      const other = await this.journal.lock(ALL_OBJECTS, this.io.clock.timeOfDay()).catch((error: unknown) => {
        throw this.notDeleted(`nothing can be locked in the journal (${(error as Error).message}).`);
      });
      if (other)
        throw this.notDeleted(
          `another process${pidText(other.process)} works on it, or on an object that its deletion may also delete: ` +
            `a run that takes over an existing object, or this command. ${THEN}`,
        );
      await work();
    } finally {
      clearInterval(touching);
      await this.journal.unlock(ALL_OBJECTS);
    }
  }

  /**
   * Closes the entries. `twins`: other objects of the same request. Each gets a new entry, unless it has one. Resolves
   * with the twins of the new entries that no run has adopted.
   */
  async close(twins: readonly string[]): Promise<readonly string[]> {
    const { entries, adopted } = await this.journal.all();
    const left: string[] = [];
    for (const id of twins.filter((each) => !entries.some((entry) => isSameId(entry.id, each)))) {
      const isAdopted = this.isAdopted(id, adopted);
      const mark = isAdopted ? "isHandedOver" : "isSuperseded";
      await this.journal.write({ ...twinOf(this.entry, id), [mark]: true });
      if (!isAdopted) left.push(id);
    }
    for (const entry of this.entries) await this.journal.remove(entry);
    return left;
  }

  /** The kind of the object. Throws CommandFailure if this version of the package does not have it. */
  get kind(): ResourceKind {
    const { type, noun } = this.entry;
    // Loaded here, because the resources load Pulumi's SDK.
    const { kinds } = require("../../resources/registry") as typeof Registry;
    const kind = kinds.find((each) => each.type === type);
    if (kind) return kind;
    const advice = "Use the version that wrote the entry.";
    throw new CommandFailure(`This version of the package knows no ${noun} (${type}). ${advice}`);
  }

  collection(api: Api): ReturnType<typeof collectionAt> {
    return collectionAt(api, this.kind, this.entry.pathInputs, this.id);
  }

  /** Calls `ask` for the entry's provider. Rejects with CommandFailure if it has another API, or without an answer. */
  async withRun<T>(ask: (run: Run) => Promise<T>): Promise<T> {
    const { provider, project, baseUrl: own } = this.entry.stack;
    try {
      const run = commandRun(await this.#config(), this.io, { provider });
      const baseUrl = urlSpelling(run.settings.baseUrl);
      if (baseUrl !== urlSpelling(own)) {
        throw new CommandFailure(
          `${this.title} is at ${own}, but the settings here are for ${baseUrl}. Run this in the folder of the ` +
            `project ${project}, or set CLOUDINFRA_BASE_URL and CLOUDINFRA_API_KEY.`,
        );
      }
      return await ask(run).finally(() => run.api.close());
    } catch (error) {
      if (!(error instanceof CloudinfraError)) throw error;
      throw new CommandFailure(`${error.message}\nThe entry in the journal stays.`, { cause: error });
    }
  }

  read(api: Api): Promise<Props | undefined> {
    return this.shown(api).then((shown) => (isDeleted(shown) ? undefined : shown));
  }

  /** As `read`, but it also resolves with an object of the status `deleted`. */
  shown(api: Api): Promise<Props | undefined> {
    const call = { purpose: `read ${this.title}` };
    return undefinedIfNotFound(async () => fromWire(this.kind, await this.collection(api).get(this.id, call)));
  }

  /**
   * Looks for the object, and for the parts that the API would delete with it, in the states of all stacks of the
   * backend. Resolves with a sentence for each state that could not be read. Rejects with CommandFailure if a state has
   * one of them, also as a reference.
   */
  async unreadStates(parts: readonly NamedPart[]): Promise<readonly string[]> {
    const isOfStack = !isOfCommand(this.entry); // a stack can have adopted the key of a command
    const { project, backend } = this.entry.stack;
    if (isOfStack && !this.#isReachable()) {
      const elsewhere = `this is not the folder of the project ${project} with the backend ${backend}`;
      return [`No state was looked at, because ${elsewhere}.`];
    }
    const stacks = await stackNames(this.io, ["--all"]);
    if (isOfStack && stacks === undefined) return ["No state was looked at, because `pulumi stack ls --all` fails."];
    const unread: string[] = [];
    for (const stack of stacks ?? []) {
      const { use, failure } = await useInStack(stack, this.id, parts, this.io);
      if (failure) unread.push(failure.message);
      if (use !== undefined) throw this.notDeleted(use);
    }
    return isOfStack ? unread : [];
  }

  /** The settings of the entry's provider, or of the environment without a project. Rejects with CommandFailure. */
  async #config(): Promise<ConfigReader> {
    if (isOfCommand(this.entry)) return configOfStack(this.io, undefined); // the settings that the command used
    if (!this.#isReachable()) return noConfig;
    const { provider } = this.entry.stack;
    const name = await this.#stackName();
    if (provider === undefined) return configOfStack(this.io, name);
    const resources = await exportStack(name, this.io, ["--show-secrets"]);
    const isOwn = ({ urn, type }: StateResource): boolean =>
      type.startsWith("pulumi:providers:") && urnParts(urn).name === provider;
    const urn = resources.find(isOwn)?.urn;
    if (urn === undefined) throw new CommandFailure(`The state no longer has the provider "${provider}" of the entry.`);
    return configOfProvider(resources, urn);
  }

  /** The stack of the entry. Undefined if it was renamed or removed: then the selected one has the settings. */
  async #stackName(): Promise<string | undefined> {
    const { organization, project, stack } = this.entry.stack;
    const known = await stackNames(this.io);
    if (known?.some((name) => name.split("/").at(-1) === stack) === false) return undefined;
    return organization === undefined ? stack : `${organization}/${project}/${stack}`;
  }

  /** True if this folder belongs to the entry's project and has the same backend. */
  #isReachable(): boolean {
    const { stack } = this.entry;
    return projectName(this.io.cwd) === stack.project && backendInUse(this.io) === addressOf(stack).backend;
  }
}
