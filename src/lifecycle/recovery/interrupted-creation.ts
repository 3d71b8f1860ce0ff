import { collectionAt } from "../kind/collection-at";
import { fromWire } from "../../definition/wire";
import { isNamed, shownName, type JournalEntry } from "../../journal/entry";
import { isProvenToRun, waitedForMs } from "../../journal/process-identity";
import { orUndefined } from "../../api/errors";
import { pollUntil } from "../../process/poll";
import { isSameId } from "../../api/same-id";
import { fieldsShownOtherwise } from "../kind/change-policy";
import { isBeingDeleted } from "../../api/schema";
import { CreationUnderWayError, LostCreationError } from "../errors";
import type { Props } from "../kind/kind";
import { callOf } from "../objects/resource-call";
import type { MadeObject, RecoveryCall } from "./recovery-call";
import { onceVisible, VISIBLE_WITHIN_MS } from "../objects/readiness";
import { fingerprintOf, isAdopted, twinOf } from "./journal-entry";
import { adviceOn, idText, notProvenText, orLost } from "./lost-creation";
import { outcomeOf } from "./ownership";
import type { CreationOutcome, MadeByCreation, UnclearCreation } from "./proof";

/** How long after its process was last known to live a cut-off request may be carried out, and enter the audit log. */
const IN_DOUBT_MS = 30_000;
const PAUSE_MS = 1_000;

/**
 * Looks for objects of interrupted runs for this URN, before anything is created. It takes up an object if no state can have it and it
 * is as the program says. It names every other one, and never deletes or changes any. Nothing proven is a LostCreationError. If there is
 * no object, the entry stays until it is proven that the first creation made none.
 */
export async function takeUpInterrupted(call: RecoveryCall): Promise<MadeObject | undefined> {
  let taken: MadeObject | undefined;
  for (const entry of await call.run.journal.interrupted(call.urn)) {
    const current = entry.isHandedOver ? entry : await afterItsProcess(call, entry);
    if (current) taken = (await new InterruptedCreation(call, current).takeUp(taken === undefined)) ?? taken;
  }
  return taken;
}

/**
 * The engine gets an adopted or imported object next. Every entry whose creation made the object, as its id or the log shows, is handed over,
 * so that no stack takes it up. If no log can tell, the person has decided that an object of the same name is the one. What another creation
 * of this resource made, later runs look for: only if it is adopted, because an import may still fail.
 */
export async function handOverFound(call: RecoveryCall, id: string, name: unknown): Promise<void> {
  const { run, urn, kind, verb } = call;
  for (const entry of await run.journal.earlier(urn)) {
    const isOwn = run.journal.isOwn(entry, urn);
    const mayBeIt = entry.id === undefined ? isOwn || entry.isSuperseded !== true : isSameId(entry.id, id);
    if (entry.type !== kind.type || !mayBeIt) continue;
    const sent = await run.journal.sentOf(entry, { ...call.inputs, ...entry.pathInputs });
    const outcome = entry.id === undefined ? await outcomeOf(call, sent, run.clock.now()) : madeOnly(entry.id);
    const isDecided = isOwn && outcome.status === "unclear" && !outcome.mayShowLater && isNamed(entry, name);
    if (isDecided || (outcome.status === "made" && outcome.ids.some((made) => isSameId(made, id)))) {
      await run.journal.handOver(await run.journal.accept(entry, id));
    } else if (verb !== "create") continue;
    else if (outcome.status === "nothing" && isOwn) await run.journal.close(entry);
    else {
      const adoptedIds = [...(entry.adoptedIds ?? []), id];
      const current = outcome.status === "unclear" ? await run.journal.amend(entry, { adoptedIds }) : entry;
      if (isOwn) await run.journal.supersede(current, outcome.status === "made" ? outcome.ids : []);
    }
  }
}

/** The entry when no other active run is creating this resource. Undefined if the entry was closed meanwhile. */
async function afterItsProcess(
  { run, kind, urn }: RecoveryCall,
  entry: JournalEntry,
): Promise<JournalEntry | undefined> {
  const endsAt = run.clock.now() + waitedForMs(entry.sender);
  const current = await pollUntil(
    run.clock,
    { firstPauseMs: PAUSE_MS, longestPauseMs: PAUSE_MS, leftMs: () => endsAt - run.clock.now() },
    () => run.journal.reread(entry),
    (each) => each?.isUnderWay !== true,
    () => run.rows.status(urn, `waiting for another run, which is creating this ${kind.noun}`),
  );
  if (current?.isUnderWay !== true) return current?.entry;
  const process = isProvenToRun(entry.sender) ? `, process ${entry.sender.pid},` : "";
  throw new CreationUnderWayError(
    `Another run of this stack${process} has been creating this ${kind.noun} since ${entry.sentAt}. ` +
      `Nothing was created here. Wait for that run${process === "" ? "" : ", or end that process"}. Then run again.`,
  );
}

const madeOnly = (id: string): MadeByCreation => ({ status: "made", ids: [id] });

class InterruptedCreation {
  readonly #why: string;
  /** The inputs that find the object: the program may have moved the resource since. */
  readonly #there: Props;

  constructor(
    private readonly call: RecoveryCall,
    private readonly entry: JournalEntry,
  ) {
    const { noun } = call.kind;
    this.#why = entry.isHandedOver
      ? `An earlier run created this ${noun} at ${entry.sentAt}.`
      : `An earlier run failed or was interrupted at ${entry.sentAt} while it created this ${noun}.`;
    this.#there = { ...call.inputs, ...entry.pathInputs };
  }

  /** Resolves with the object that is taken up, or undefined. */
  takeUp(mayTake: boolean): Promise<MadeObject | undefined> {
    const { call, entry } = this;
    const byHand = entry.id === undefined ? `look for one named ${shownName(entry)}` : `look at ${entry.id}`;
    return orLost(call, this.#why, byHand, async () => {
      const outcome = await this.#outcome();
      if (outcome.status === "made") return this.#lookAt(outcome, mayTake);
      if (outcome.status === "unclear") return this.#leave(outcome);
      await call.run.journal[outcome.status === "nothing" ? "close" : "supersede"](entry);
      return undefined;
    });
  }

  /**
   * The proof from the log. If the API has told the id, there is no wait for it, and no other proof counts than that the log shows objects:
   * a look at this one says more.
   */
  async #outcome(): Promise<CreationOutcome> {
    const { call, entry } = this;
    const sent = await call.run.journal.sentOf(entry, this.#there);
    const answered = entry.id === undefined ? undefined : { ...madeOnly(entry.id), isFromEntryOnly: !sent.isSameKey };
    if (answered && (entry.isHandedOver || entry.isSuperseded)) return answered;
    const agoMs = call.run.api.serverNow() - sent.livedAt;
    const waitMs = answered || entry.isSuperseded ? 0 : Math.min(IN_DOUBT_MS, IN_DOUBT_MS - agoMs);
    const proven = await outcomeOf(call, sent, call.run.clock.now() + waitMs);
    if (proven.status === "made" || !answered) return proven;
    if (proven.status !== "unclear" || proven.candidates.length === 0) return answered;
    if (proven.candidates.some((each) => isSameId(idText(each), entry.id))) return answered;
    // The answer may have been about another object.
    return { ...proven, candidates: [...proven.candidates, { id: entry.id }] };
  }

  /** The creation made these. Several if the network delivered it several times. */
  async #lookAt({ ids, isFromEntryOnly }: MadeByCreation, mayTake: boolean): Promise<MadeObject | undefined> {
    const { run } = this.call;
    const unknown = ids.filter((id) => !run.journal.knows(id));
    const looks = unknown.map(async (id) => ({ id, object: await this.#shown(id) }));
    const shown = (await Promise.all(looks)).filter(({ object }) => object !== undefined);
    const [first, ...twins] = shown;
    // What is known, the state has, or only refers to: a later run knows.
    if (first?.object === undefined)
      return unknown.length < ids.length ? undefined : this.#leaveUnseen(ids, isFromEntryOnly);
    // A run has named the object, and a person may have adopted it elsewhere.
    if (this.entry.isSuperseded && this.entry.id !== undefined) return undefined;
    const doubt = mayTake ? this.#doubtAbout(first.object) : "and this resource has another one";
    if (doubt === undefined) {
      for (const { id } of twins) {
        await run.journal.supersede(twinOf(this.entry, id));
        await this.#report("warning", `Its request was delivered twice, and had also made ${id}. ${adviceOn(id)}`);
      }
      return this.#take(first.id);
    }
    const named = shown.map(({ id }) => id);
    await run.journal.supersede(this.entry, named);
    const ifNobodyHasIt = named.some((id) => this.#mayBeInState(id)) ? "If no resource has it: " : "";
    const advice = ifNobodyHasIt + named.map(adviceOn).join(" ");
    await this.#report(
      "warning",
      `It had made ${named.join(" and ")}, ${doubt}. This run makes a new one, and leaves that as it is. ${advice}`,
    );
    return undefined;
  }

  #mayBeInState(id: string): boolean {
    return this.entry.isHandedOver === true || isAdopted(this.entry, id);
  }

  /** Why the object is not taken up. */
  #doubtAbout(shown: Props): string | undefined {
    const { kind, run, inputs } = this.call;
    const isUnchanged =
      this.entry.fingerprint === fingerprintOf(kind, inputs) &&
      fieldsShownOtherwise(kind.policies, fromWire(kind, shown), this.#there, run.api.serverNow()).length === 0;
    if (this.#mayBeInState(idText(shown)))
      return "and told Pulumi, so that a state may have it, perhaps under another name";
    if (kind.secretOutputs.length > 0) return "whose secret is lost";
    if (shown["status"] === "error") return "which the API shows as broken";
    return isUnchanged ? undefined : "which differs from what your program says now";
  }

  /** Nothing is proven. If no object can be ours, the resource is made again. */
  async #leave({ candidates, why, mayShowLater }: UnclearCreation): Promise<undefined> {
    const { call, entry } = this;
    if (candidates.length > 0) {
      throw new LostCreationError(`${this.#why} ${notProvenText(call, why, candidates, entry.key)}`);
    }
    if (entry.isSuperseded && (mayShowLater || call.run.journal.hasNamed(entry, call.urn))) return;
    await call.run.journal.supersede(entry);
    if (!mayShowLater) await call.run.journal.noteNamed(entry, call.urn);
    const later = mayShowLater ? "a run names it" : `no run notices: look for one named ${shownName(entry)}`;
    const text = `${why} The API shows no such object, so this run makes a new one. If the first one appears later, ${later}.`;
    await this.#report(mayShowLater ? "info" : "warning", text);
  }

  /** No object is shown. Only to the key that made them that means that they are gone. */
  async #leaveUnseen(ids: readonly string[], isFromEntryOnly = false): Promise<undefined> {
    const { entry, call } = this;
    const text = `It had made ${ids.join(" and ")}, which the API does not show`;
    if (!isFromEntryOnly) {
      if (!entry.isHandedOver) await this.#report("info", `${text}. This run makes a new one.`);
      await call.run.journal.close(entry);
    } else if (!entry.isSuperseded) {
      const advice = ids.map(adviceOn).join(" ");
      await this.#report(
        "warning",
        `${text} to this key. It was sent with another key, perhaps of another account. ${advice}`,
      );
      await call.run.journal.supersede(entry, ids);
    }
  }

  /** The object, if it exists. */
  async #shown(id: string): Promise<Props | undefined> {
    const { call, entry } = this;
    const { run, kind } = call;
    const { livedAt } = await run.journal.sentOf(entry, this.#there);
    const hiddenMs = (waitedMs: number): number =>
      VISIBLE_WITHIN_MS - Math.max(waitedMs, run.api.serverNow() - livedAt);
    const get = (): Promise<Props> => collectionAt(run.api, kind, this.#there, id).get(id, callOf(call));
    const shown = await orUndefined(() => onceVisible({ ...call, hiddenMs }, get));
    return shown && !isBeingDeleted(shown) ? shown : undefined;
  }

  async #take(id: string): Promise<MadeObject> {
    const { run } = this.call;
    run.memory.owners.noteAdopted(id, true); // if the state has it all the same, the old half of this replacement, it is not deleted
    const entry = await run.journal.accept(this.entry, id);
    await this.#report("info", `It had made ${id}. This run takes it over.`);
    return { id, mutation: { kind: "done" }, entry };
  }

  #report(severity: "info" | "warning", text: string): Promise<void> {
    return this.call.run.rows.line(this.call.urn, severity, `${this.#why} ${text}`);
  }
}
