import { importId, parseImportId } from "../../definition/import-id";
import { ConfigurationError } from "../../api/errors";
import { undefinedIfNotFound } from "../../api/not-found";
import type { CallOptions } from "../../api/http/request";
import { isBeingDeleted } from "../../api/schema";
import { STACK } from "../../engine/row-log";
import { warnOfTrouble, withoutAnswer } from "../report-findings";
import { containsUnknown } from "../../engine/values";
import { markOf } from "../../journal/creation-comment";
import { isTakenOverBy, type JournalEntry } from "../../journal/entry";
import { settingName } from "../../engine/settings-list";
import { collectionAt, parentPath } from "../kind/collection-at";
import type { Finding, Props, ResourceKind } from "../kind/kind";
import { namesakes } from "../kind/auto-name";
import type { ObjectRun } from "../objects/resource-call";
import { DAY_MS } from "../../time/utc";
import {
  doubtFinding,
  duplicatesText,
  lostSecretText,
  notAdoptedText,
  ownFinding,
  severalOwnFinding,
  type Duplicate,
  type MakerOfDuplicate,
} from "./duplicates-text";
import type { AdvisoryRun } from "../pricing/quote-of-creation";

/** By the subject of a request. Each completes "The preview could not …". */
const ATTEMPTS = {
  "audit log": "find out who made the existing objects",
  "lists of objects": "find out whether new resources already exist",
} as const;

/** What the audit log shows about a creation: see `AuditLogView`. */
type CreationInLog = Readonly<{ maker: string; marks: ReadonlyMap<string, string> }>;
type DayOfLog = Readonly<{ isComplete: boolean; creationOf(id: string): CreationInLog | undefined }>;

interface DuplicateTools extends AdvisoryRun, Pick<ObjectRun, "rows" | "memory"> {
  readonly journal: { interrupted(urn: string): Promise<readonly JournalEntry[]> };
  readonly audit: { readDay(since: number, options: CallOptions): Promise<DayOfLog> };
}

/** A resource that a preview is about to create. `replaced`: the object that it replaces. */
interface NewResource {
  readonly kind: ResourceKind;
  readonly urn: string;
  readonly inputs: Props;
  readonly replaced?: Props | undefined;
}

/** `adopt`: undefined if the resource adopts nothing. */
type OwnObject = Readonly<{ adopt: string | undefined; findings: readonly Finding[] }>;
const NO_OWN_OBJECT: OwnObject = { adopt: undefined, findings: [] };

/**
 * Finds existing objects with the names of a preview's new resources. If the state is lost, the update would make them
 * a second time. A collection is listed once in a run, and only for a new resource. The warning comes when the engine
 * ends the plugin, because no call knows that it is the last one. Only then is it known which objects belong to other
 * resources.
 */
export class Duplicates {
  readonly #lists = new Map<string, Promise<readonly Props[]>>();
  readonly #found: Duplicate[] = [];
  /** The ids of existing objects that may be parents of new resources, by the path of their collection. */
  readonly #parents = new Map<string, Set<string>>();
  readonly #new = new Set<string>();
  /** The subjects for which a warning has already said that the API refuses to answer. */
  readonly #refused = new Set<string>();
  /** True after a failure: the engine then presents no further resources. */
  #isStopped = false;

  constructor(private readonly run: DuplicateTools) {}

  /** Finds objects with a new resource's name. A failure, if the audit log proves that this program has made one. */
  async findingsOn(resource: NewResource): Promise<readonly Finding[]> {
    if (this.run.settings.preflight === "off" || resource.kind.discovery) return [];
    this.#new.add(resource.urn);
    const found = await this.#duplicatesOf(resource);
    for (const duplicate of found) {
      if (!this.#hasOwnRow(duplicate)) this.#found.push(duplicate);
      this.noteExisting(resource.kind, String(duplicate.object["id"]));
    }
    const keepsOld = resource.kind.deletionOfOld?.(resource.inputs) === "never"; // a kept old object is no lost state
    // One failure is enough: it says how to see all objects.
    const objections = keepsOld ? [] : found.flatMap((each) => this.#objections(each)).slice(0, 1);
    this.#isStopped ||= objections.length > 0;
    return objections;
  }

  /**
   * Called with the setting `adoptOwn`: the value of `adopt` for the object that this stack has made for a new
   * resource. It finds a failure if several objects are proven, or if none is proven and the log leaves one in doubt.
   * If the secret of an object is lost, it only warns.
   */
  async ownObject(resource: NewResource): Promise<OwnObject> {
    const { stackId, provider, preflight } = this.run.settings;
    const { kind } = resource;
    if (kind.discovery) return NO_OWN_OBJECT;
    if (stackId === undefined) {
      throw new ConfigurationError(
        `${settingName("adoptOwn", provider)} needs the ${settingName("stackId", provider)} with which the stack made its objects. ` +
          `Without one, give each resource its adopt argument: a preview says which.`,
      );
    }
    const found = await this.#duplicatesOf(resource);
    const own = found.filter(({ madeHereAt }) => madeHereAt !== undefined);
    if (kind.secretOutputs.length > 0) {
      for (const { id, urn } of own) await this.run.rows.line(urn, "warning", lostSecretText(kind, id));
      return NO_OWN_OBJECT;
    }
    const ids = own.map(({ id }) => id);
    if (ids.length > 1) return { adopt: undefined, findings: [severalOwnFinding(resource, ids)] };
    if (ids[0] !== undefined) return { adopt: ids[0], findings: [] };
    const doubtful = preflight === "warn" ? [] : found.filter(({ isMakerKnown }) => !isMakerKnown);
    const unmarked = doubtful.length > 0 ? [] : found.filter(({ isUnmarked }) => isUnmarked === true);
    for (const { id, urn } of unmarked) await this.run.rows.line(urn, "warning", notAdoptedText(kind, id));
    return { adopt: undefined, findings: doubtful.map(doubtFinding) };
  }

  async #duplicatesOf({ kind, urn, inputs, replaced }: NewResource): Promise<readonly Duplicate[]> {
    const { name } = inputs;
    if (typeof name !== "string" || containsUnknown(name)) return [];
    const open = await this.run.journal.interrupted(urn);
    const replacedAt = Date.parse(String(replaced?.["createdAt"]));
    // The resource may have replaced an older object before, which stays.
    const isLeft = (object: Props): boolean =>
      !(Date.parse(String(object["created_at"])) <= replacedAt) && !open.some((entry) => isTakenOverBy(entry, object));
    const lists = this.#locations(kind, inputs).map(async (location) => {
      const objects = namesakes(kind, urn, name, (await this.#objects(kind, location)).filter(isLeft));
      return objects.map((object) => ({ kind, urn, id: importId(kind, String(object["id"]), location), object }));
    });
    const found: Duplicate[] = [];
    for (const each of (await Promise.all(lists)).flat())
      if (this.#isKnown(each)) found.push({ ...each, isMakerKnown: true });
      else if (await this.#isShown(each)) found.push({ ...each, ...(await this.#makerOf(each)) });
    return found;
  }

  /** Notes an object that may be a parent of new resources. The engine does not know its id before the update. */
  noteExisting({ path }: ResourceKind, id: string): void {
    this.#parents.set(path, (this.#parents.get(path) ?? new Set()).add(id));
  }

  /** Called once, at the end of the run. After a failure, the warning would count only a part of what exists. */
  async warn(): Promise<void> {
    const { memory, previewRows } = this.run;
    const found = this.#found.filter((each) => !this.#isKnown(each));
    if (found.length === 0 || this.#isStopped) return;
    const text = duplicatesText(found, this.#new.size, (urn) => memory.of(urn)?.cost?.after);
    await previewRows.line(STACK, "warning", text);
  }

  /** False if the object no longer exists, although a late list shows it. */
  async #isShown({ kind, id }: Pick<Duplicate, "kind" | "id">): Promise<boolean> {
    const { id: own, inputs } = parseImportId(kind, id);
    const get = (options: CallOptions): Promise<Props> =>
      collectionAt(this.run.api, kind, inputs, own).get(own, options);
    const isThere = await this.#ask("lists of objects", async (options) => {
      const shown = await undefinedIfNotFound(() => get(options));
      return shown !== undefined && !isBeingDeleted(shown);
    });
    return isThere !== false;
  }

  /** True if another resource of the stack has the object. */
  #isKnown({ object }: Pick<Duplicate, "object">): boolean {
    const id = String(object["id"]);
    const { objects } = this.run.memory;
    return objects.isKnown(id) || objects.of(id).owner !== undefined;
  }

  /** The audit log's answer about a creation. Only a mark proves that this stack made the object for the resource. */
  async #makerOf({ urn, object }: Pick<Duplicate, "urn" | "object">): Promise<MakerOfDuplicate> {
    const since = Date.parse(String(object["created_at"]));
    if (Number.isNaN(since)) return { isMakerKnown: false };
    const day = since - (since % DAY_MS); // rounded, so that objects of one run share a copy of the log
    const log = await this.#ask("audit log", (options) => this.run.audit.readDay(day, options));
    const { maker, marks } = log?.creationOf(String(object["id"])) ?? {};
    const mark = markOf(this.run.settings.stackId, urn);
    const madeHereAt = mark === undefined ? undefined : marks?.get(mark);
    const isForeign = mark !== undefined && madeHereAt === undefined && marks !== undefined && marks.size > 0;
    const known = { isMakerKnown: maker !== undefined, isUnmarked: marks?.size === 0 };
    return { ...known, madeHereAt, maker, isForeign, isLogComplete: log?.isComplete };
  }

  /** Resolves with undefined without an answer. With `adoptOwn`, rejects: an update would make another object. */
  async #ask<T>(
    subject: keyof typeof ATTEMPTS,
    send: (options: CallOptions) => Promise<T>,
    isBelowParent = false,
  ): Promise<T | undefined> {
    if (this.run.settings.adoptOwn) return send({});
    const isSaid = this.#refused.has(subject);
    if (isSaid && subject === "audit log") return undefined; // one log, many lists
    const reply = await this.run.advisory.ask(subject, send);
    if (reply.status === "answered") return reply.answer;
    if (reply.status === "refused") {
      // A list answers 404 if its parent is missing, which the resource's own row says.
      if (isSaid || (isBelowParent && reply.refusal.isAboutPath)) return undefined;
      this.#refused.add(subject);
    }
    await warnOfTrouble(this.run, withoutAnswer(reply), ATTEMPTS[subject]);
    return undefined;
  }

  /** A failure for an object of this stack. Its advice is a preview that only warns, which shows dependents too. */
  #objections(duplicate: Duplicate): readonly Finding[] {
    const { madeHereAt } = duplicate;
    if (madeHereAt === undefined || this.run.settings.preflight === "warn" || this.#hasOwnRow(duplicate)) return [];
    return [ownFinding(duplicate, madeHereAt)];
  }

  /** True for an object that `ownObject` has named. */
  #hasOwnRow({ kind, madeHereAt, isUnmarked }: Duplicate): boolean {
    const isNamed = kind.secretOutputs.length > 0 ? madeHereAt !== undefined : isUnmarked === true;
    return this.run.settings.adoptOwn && isNamed;
  }

  /** The inputs, once for each existing parent that the object may have. A new parent has no objects yet. */
  #locations(kind: ResourceKind, inputs: Props): readonly Props[] {
    const unknown = kind.pathFields.filter((field) => containsUnknown(inputs[field]));
    return unknown.reduce<readonly Props[]>(
      (locations, field) => {
        const ids = [...(this.#parents.get(parentPath(kind, field)) ?? [])];
        return locations.flatMap((location) => ids.map((id) => ({ ...location, [field]: id })));
      },
      [inputs],
    );
  }

  #objects(kind: ResourceKind, location: Props): Promise<readonly Props[]> {
    const key = JSON.stringify([kind.type, ...kind.pathFields.map((field) => location[field])]);
    const listed = this.#lists.get(key) ?? this.#list(kind, location);
    this.#lists.set(key, listed);
    return listed;
  }

  async #list(kind: ResourceKind, location: Props): Promise<readonly Props[]> {
    const list = async (advisory: CallOptions): Promise<readonly Props[]> => {
      const options = { ...advisory, purpose: `look for ${kind.nouns} with the names of new resources` };
      const objects: Props[] = [];
      for await (const object of collectionAt(this.run.api, kind, location).list(options)) objects.push(object);
      return objects.filter((object) => !isBeingDeleted(object));
    };
    return (await this.#ask("lists of objects", list, kind.pathFields.length > 0)) ?? [];
  }
}
