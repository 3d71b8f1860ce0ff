import { fromWire } from "../../definition/wire";
import { isAboutOthers, isOpen, shownName, type JournalEntry } from "../../journal/entry";
import { undefinedIfNotFound } from "../../api/not-found";
import { isSameId } from "../../definition/same-id";
import { partIdsOf } from "../kind/collection-at";
import { isBeingDeleted } from "../../api/schema";
import { LostCreationError } from "../errors";
import { differingFields } from "../kind/changed-fields";
import type { Props } from "../kind/kind";
import { otherOwner, readerName } from "../memory/known-objects";
import { getObject } from "../objects/resource-call";
import type { MadeObject } from "../memory/run-memory";
import type { RecoveryCall } from "./recovery-call";
import { pollUntilVisible, LONGEST_HIDDEN_MS } from "../objects/readiness";
import { fingerprintOf, isOnlyNamed } from "./journal-entry";
import { earlierText, objectAdvice, idText, noneText, notProvenText, orLost } from "./lost-creation";
import { awaitSender, lockObject } from "./object-lock";
import {
  leaveTwins,
  outcomeOf,
  sentOf,
  madeOnly,
  type CreationOutcome,
  type MadeByCreation,
  type SentCreation,
  type UnclearCreation,
} from "./ownership";

/**
 * After the last sign of life of its process, the API may still carry out an interrupted request for this long, and log
 * it.
 */
const MAY_STILL_RUN_MS = 30_000;

/**
 * Looks for objects that interrupted runs made for this URN, before anything is created. It takes an object over if no
 * state can have it and it matches the program. It names all others, and never deletes or changes one. Rejects with
 * LostCreationError if an object may be ours but that is not proven. If there is no object, the entry stays until it is
 * proven that the first creation made none.
 */
export async function takeOverInterrupted(call: RecoveryCall): Promise<MadeObject | undefined> {
  let taken: MadeObject | undefined;
  const entries = await call.run.journal.interrupted(call.urn);
  // The creation that has an answer comes before its other attempts.
  for (const entry of entries.toSorted((one, other) => Number(isAboutOthers(one)) - Number(isAboutOthers(other)))) {
    // Another process of this run may have written the entry, to name an old key. Its end need not be awaited.
    const current = await awaitSender(call, entry, isOnlyNamed);
    if (!current) continue;
    const sent = await sentOf(call.run, current);
    const made = await new InterruptedCreation(call, current, sent).takeOver(taken === undefined);
    taken ??= made;
  }
  return taken;
}

class InterruptedCreation {
  readonly #reason: string;
  /** The inputs for the object's path at the time of the creation. The program may have changed them since. */
  readonly #there: Props;

  constructor(
    private readonly call: RecoveryCall,
    private readonly entry: JournalEntry,
    private readonly sent: SentCreation,
  ) {
    this.#reason = earlierText(call, entry);
    this.#there = { ...call.inputs, ...entry.pathInputs };
  }

  /** Resolves with the object if it is taken over, otherwise with undefined. */
  takeOver(mayTake: boolean): Promise<MadeObject | undefined> {
    const { call, entry } = this;
    const byHand = entry.id === undefined ? `look for one named ${shownName(entry)}` : `look at ${entry.id}`;
    return orLost(call, entry, this.#reason, byHand, async () => {
      const outcome = await this.#outcome();
      if (outcome.status === "made")
        return isOnlyNamed(entry) ? this.#lookAt(outcome, mayTake) : this.#lockAndLookAt(outcome, mayTake);
      if (outcome.status === "unclear") return this.#leave(outcome);
      await call.run.journal[outcome.status === "nothing" ? "close" : "supersede"](entry);
      return undefined;
    });
  }

  /**
   * What the creation made. If the entry has the id from the API's response, that id counts, unless the audit log shows
   * other objects. With an id, it does not wait for a late log.
   */
  async #outcome(): Promise<CreationOutcome> {
    const { call, entry, sent } = this;
    const answered = entry.id === undefined ? undefined : { ...madeOnly(entry.id), isFromEntryOnly: !sent.isSameKey };
    if (answered && isOnlyNamed(entry)) return answered;
    const agoMs = call.run.api.now() - sent.livedAt;
    const waitMs = answered || entry.isSuperseded ? 0 : Math.min(MAY_STILL_RUN_MS, MAY_STILL_RUN_MS - agoMs);
    const proven = await outcomeOf(call, entry, waitMs);
    if (proven.status === "made" || !answered) return proven;
    if (proven.status !== "unclear" || proven.candidates.length === 0) return answered;
    if (proven.candidates.some((each) => isSameId(idText(each), entry.id))) return answered;
    // The response may have been about another object.
    return { ...proven, candidates: [...proven.candidates, { id: entry.id }] };
  }

  /** Locks the objects first. Another process may have taken or deleted them before, and may have closed the entry. */
  async #lockAndLookAt(made: MadeByCreation, mayTake: boolean): Promise<MadeObject | undefined> {
    const { call, entry } = this;
    const locked: string[] = [];
    let taken: MadeObject | undefined;
    try {
      for (const id of made.ids.filter((each) => !call.run.journal.adoptions.has(each))) {
        await lockObject(call, id);
        locked.push(id);
      }
      const now = await awaitSender(call, entry, isOnlyNamed);
      if (!now) return undefined;
      const current = new InterruptedCreation(call, now, await sentOf(call.run, now));
      // If the entry has changed, another process has found the objects meanwhile: begin again with the entry as it is
      // now.
      const isSame = now.id === entry.id && now.isSuperseded === entry.isSuperseded;
      taken = await (isSame ? current.#lookAt(made, mayTake) : current.takeOver(mayTake));
      return taken;
    } finally {
      for (const id of locked) if (id !== taken?.id) await call.run.journal.writer.unlock(id);
    }
  }

  /**
   * Looks at the objects that the creation made. There are several if the network delivered the request several times.
   */
  async #lookAt({ ids, isFromEntryOnly }: MadeByCreation, mayTake: boolean): Promise<MadeObject | undefined> {
    const { run } = this.call;
    const isAnswer = (id: string): boolean => isSameId(id, this.entry.id);
    const { objects } = run.memory;
    const all = [...ids.filter(isAnswer), ...ids.filter((id) => !isAnswer(id))].filter((id) => !objects.isKnown(id));
    const free = all.filter((id) => !run.journal.adoptions.has(id) && !otherOwner(objects, this.call.urn, id));
    const unknown = free.length > 0 ? free : all; // adopted objects are only named
    const looks = unknown.map(async (id) => ({ id, object: await this.#shown(id) }));
    const shown = (await Promise.all(looks)).filter(({ object }) => object !== undefined);
    const [first] = shown;
    if (first?.object === undefined)
      return unknown.length < ids.length ? this.#leaveKnown(ids) : this.#leaveInvisible(ids, isFromEntryOnly);
    // An earlier run has already named the object, and a person may have adopted it elsewhere.
    if (this.entry.isSuperseded && this.entry.id !== undefined) return undefined;
    const doubt = mayTake ? this.#doubtAbout(first.object) : "and this resource has another one";
    const named = shown.map(({ id }) => id);
    // Write the entries of the other objects first: once this entry names its object, no run looks for more in the log.
    const adopted = ids.filter((id) => run.journal.adoptions.has(id) && !named.includes(id));
    await leaveTwins(this.call, this.entry, doubt === undefined ? [...named.slice(1), ...adopted] : adopted);
    if (doubt === undefined) return this.#take(first.id, [...named.slice(1), ...adopted]);
    // If the state has it, the engine may delete it in this run, as the replaced object.
    const mayBeInState = named.some((id) => this.#mayBeInState(id));
    const then = mayBeInState ? ". If no resource has it: " : ", and leaves that as it is. ";
    const text = `It had made ${named.join(" and ")}, ${doubt}. This run makes a new one`;
    await this.#report("warning", text + then + named.map(objectAdvice).join(" "));
    await run.journal.supersede(this.entry, named);
    return undefined;
  }

  /** Called if the state has the objects, or if the program only reads them. A later run decides. */
  async #leaveKnown(ids: readonly string[]): Promise<undefined> {
    const read = ids.find((id) => readerName(this.call.run.memory.objects, id) !== undefined);
    if (read === undefined) return;
    const text = `It had made ${read}, which the program only reads (get). This run makes a new one.`;
    await this.#report("warning", `${text} ${objectAdvice(read)}`);
  }

  #mayBeInState(id: string): boolean {
    return this.entry.isHandedOver === true || this.call.run.journal.adoptions.has(id);
  }

  /** The reason not to take the object over, as a relative clause. Undefined if there is none. */
  #doubtAbout(shown: Props): string | undefined {
    const { kind, run, inputs } = this.call;
    const isUnchanged =
      this.entry.fingerprint === fingerprintOf(kind, inputs) &&
      differingFields(kind.shownFields, fromWire(kind, shown), this.#there, run.api.now()).length === 0;
    if (run.journal.adoptions.has(idText(shown)))
      return "which a resource has adopted, imported or received, so that a state may have it, perhaps under another name";
    if (this.#mayBeInState(idText(shown)))
      return "and Pulumi received it, so that a state may have it, perhaps under another name";
    const taker = otherOwner(run.memory.objects, this.call.urn, idText(shown));
    if (taker !== undefined) return `which the resource "${taker}" adopts`;
    const part = partIdsOf(kind, shown)?.find((each) => run.journal.adoptions.has(each));
    if (part !== undefined) return `whose part ${part} a resource has adopted`;
    if (kind.secretOutputs.length > 0) return "whose secret is lost";
    if (shown["status"] === "error") return "which the API shows as broken";
    return isUnchanged ? undefined : "which differs from what your program says now";
  }

  /**
   * Called if nothing is proven. Throws LostCreationError if an object may be ours. Otherwise the resource is made
   * again.
   */
  async #leave({ candidates, older, reason, mayShowLater }: UnclearCreation): Promise<undefined> {
    const { call, entry } = this;
    if (isAboutOthers(entry)) return; // later runs look, and name what it may have made
    if (candidates.length > 0)
      throw new LostCreationError(`${this.#reason} ${notProvenText(call, reason, candidates, entry.key)}`);
    if (entry.isSuperseded && (mayShowLater || call.run.journal.hasWarned(entry, call.urn, "late"))) return;
    const later = mayShowLater ? "a run names it" : `no run notices: look for one named ${shownName(entry)}`;
    const adoptedIds = call.run.journal.adoptions.idsOf(entry.type);
    const adopted =
      adoptedIds.length > 0 ? ` Resources have adopted ${adoptedIds.join(" and ")}: it may be one of these.` : "";
    const text = `${reason} ${noneText(call, entry, older)}, so this run makes a new one.${adopted} If the first one appears later, ${later}.`;
    await this.#report(mayShowLater ? "info" : "warning", text);
    await call.run.journal.supersede(entry);
    if (!mayShowLater) await call.run.journal.recordWarning(entry, call.urn, "late");
  }

  /** Called if the API shows none of the objects. With the API key that made them, they are deleted. */
  async #leaveInvisible(ids: readonly string[], isFromEntryOnly = false): Promise<undefined> {
    const { entry, call } = this;
    const text = `It had made ${ids.join(" and ")}, which the API does not show`;
    if (!isFromEntryOnly) {
      if (isOpen(entry)) await this.#report("info", `${text}. This run makes a new one.`);
      await call.run.journal.close(entry, ids);
    } else if (!entry.isSuperseded) {
      const advice = ids.map(objectAdvice).join(" ");
      await this.#report(
        "warning",
        `${text} to this key. It was sent with another key, perhaps of another account. ${advice}`,
      );
      await call.run.journal.supersede(entry, ids);
    }
  }

  /** The object. Undefined if it does not exist or is being deleted. */
  async #shown(id: string): Promise<Props | undefined> {
    const [{ call }, { livedAt }] = [this, this.sent];
    const hiddenMs = (waitedMs: number): number => LONGEST_HIDDEN_MS - Math.max(waitedMs, call.run.api.now() - livedAt);
    const there = { ...call, inputs: this.#there, hiddenMs };
    const shown = await undefinedIfNotFound(() => pollUntilVisible(there, () => getObject(there, id)));
    return shown && !isBeingDeleted(shown) ? shown : undefined;
  }

  async #take(id: string, others: readonly string[]): Promise<MadeObject> {
    const { run } = this.call;
    // So that this run does not delete it, even if the state has it as the replaced object of this replacement.
    run.memory.objects.note(id, { adoption: { isDone: true } });
    // So that no other resource of the program adopts it.
    run.memory.objects.claim(id, this.call.urn, { isCertain: true, existedBefore: false });
    const entry = await run.journal.accept(this.entry, id, others);
    await this.#report("info", `It had made ${id}. This run takes it over.`);
    return { id, mutation: { kind: "done" }, entry };
  }

  #report(severity: "info" | "warning", text: string): Promise<void> {
    return this.call.run.rows.line(this.call.urn, severity, `${this.#reason} ${text}`);
  }
}
