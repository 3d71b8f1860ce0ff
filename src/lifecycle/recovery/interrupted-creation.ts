import type { JournalEntry } from "../../journal/journal";
import { waitedForMs } from "../../journal/under-way";
import { isTransitional } from "../../api/operations/lasting-status";
import { isSameId } from "../../api/same-id";
import type { MadeObject } from "./created-object";
import { discard, hasFields, isGoing, notProvenText, onceVisible, orLost, othersText } from "./created-object";
import { CreationUnderWayError, LostCreationError } from "../errors";
import { fingerprintOf } from "./journal-entry";
import type { Props } from "../kind";
import { outcomeOf } from "./ownership";
import type { CreationOutcome, SentCreation } from "./proof";
import type { ResourceCall } from "../resource-call";

/** How long after its process was last known to live a cut-off request may be carried out, and enter the audit log. */
const IN_DOUBT_MS = 30_000;
/** The longest time that a new object may be invisible. */
const VISIBLE_WITHIN_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * Looks for objects of interrupted runs for this URN, before anything is created. It takes over a proven object, or deletes it if
 * its secret is lost or the program has changed. It only names unproven objects (LostCreationError), and objects that a finished
 * run made: some state has those. If there is no object, the entry stays until it is proven that the first creation made none.
 */
export async function takeUpInterrupted(call: ResourceCall): Promise<MadeObject | undefined> {
  let taken: MadeObject | undefined;
  for (const entry of await call.run.journal.interrupted(call.urn)) {
    const interrupted = new InterruptedCreation(call, entry);
    taken = (await interrupted.takeUp(taken === undefined)) ?? taken;
  }
  return taken;
}

/**
 * An object was adopted for a URN. Ends an entry of this URN if the log shows that its creation made this object, or if the log
 * shows nothing and the name is the same. Later runs look for the others.
 */
export async function endByAdoption(call: ResourceCall, id: string, name: unknown): Promise<void> {
  const { run, urn } = call;
  await run.journal.seen(urn, id);
  for (const entry of await run.journal.interrupted(urn)) {
    if (entry.id !== undefined) continue;
    const sent = run.journal.sentOf(entry, { ...call.inputs, ...entry.place });
    const outcome = await outcomeOf(call, sent, run.clock.now());
    const isIt = outcome.status === "made" ? outcome.ids.some((made) => isSameId(made, id)) : entry.name === name;
    if (outcome.status === "nothing" || isIt) await run.journal.close(entry);
    else await run.journal.supersede(entry, outcome.status === "made" ? outcome.ids[0] : undefined);
  }
}

type Unclear = CreationOutcome & { readonly status: "unclear" };

class InterruptedCreation {
  readonly #why: string;
  /** The inputs that find the object: the program may have moved the resource since. */
  readonly #there: Props;
  readonly #isUnchanged: boolean;
  readonly #sent: SentCreation;

  constructor(
    private readonly call: ResourceCall,
    private readonly entry: JournalEntry,
  ) {
    const { kind, run } = call;
    this.#why = `An earlier run was interrupted at ${entry.sentAt} while it created this ${kind.noun}.`;
    this.#there = { ...call.inputs, ...entry.place };
    this.#isUnchanged = entry.fingerprint === fingerprintOf(kind, call.inputs);
    this.#sent = run.journal.sentOf(entry, this.#there);
  }

  /** Resolves with the object that is taken over, or undefined. */
  async takeUp(mayTake: boolean): Promise<MadeObject | undefined> {
    const { call, entry } = this;
    await this.#waitForItsProcess();
    const byHand = entry.id === undefined ? `look for one named ${JSON.stringify(entry.name)}` : `look at ${entry.id}`;
    const outcome = await orLost(call, this.#why, byHand, () => this.#outcome());
    const { id, isHandedOver, isCancelled, isHalfMade } = entry;
    if (id !== undefined && isHandedOver && !isCancelled && !isHalfMade && outcome.status !== "nothing") {
      const isProven = outcome.status === "made"; // the file may be damaged: the log is right
      const [ids, candidates] = isProven ? [outcome.ids, []] : [[id], outcome.candidates];
      return orLost(call, this.#why, byHand, () => this.#leaveToItsState(ids, candidates));
    }
    switch (outcome.status) {
      case "nothing":
        return this.#end();
      case "made":
        return orLost(call, this.#why, byHand, () => this.#dealWith(outcome.ids, mayTake));
      case "unclear":
        if (entry.id !== undefined) {
          return orLost(call, this.#why, byHand, () => this.#dealWithTold(entry.id ?? "", mayTake, outcome));
        }
        return this.#leave(outcome.candidates, outcome.why);
    }
  }

  /** The proof from the log. If the API told the id, there is no wait. */
  #outcome(): Promise<CreationOutcome> {
    const { call, entry } = this;
    const { run } = call;
    const agoMs = run.api.serverNow() - this.#sent.livedAt;
    const waitMs = entry.id !== undefined ? 0 : Math.min(IN_DOUBT_MS, IN_DOUBT_MS - agoMs);
    return outcomeOf(call, this.#sent, run.clock.now() + waitMs);
  }

  /** These are ours. */
  async #dealWith(ids: readonly string[], mayTake: boolean): Promise<MadeObject | undefined> {
    const { call } = this;
    const [id = "", ...twins] = ids;
    const hasSecret = call.kind.secretOutputs.length > 0;
    const surplus = hasSecret ? twins : [];
    for (const twin of surplus) await discard(call, this.#there, twin);
    if (!hasSecret && twins.length > 0) {
      const advice = "Delete what you do not use.";
      await this.#tell(
        "warning",
        `The network delivered its request twice: it had also made ${twins.join(" and ")}. ${advice}`,
      );
    }
    const shown = await this.#look(id);
    if (!shown) return this.#end();
    const isStuck = this.#isStuck(shown);
    if (mayTake && this.#isUnchanged && !hasSecret && !isStuck) return this.#take(id);
    await discard(call, this.#there, id);
    await this.#end();
    const differs = isStuck ? "which is still not ready" : "which differs from what your program says now";
    await this.#tell(
      "info",
      `It had made ${id}, ${hasSecret ? "whose secret is lost" : differs}. This run deletes it and makes a new one.`,
    );
    return undefined;
  }

  /** Only the file says that this object is ours. That is enough to take it over, but not to delete anything. */
  async #dealWithTold(id: string, mayTake: boolean, { candidates, why }: Unclear): Promise<MadeObject | undefined> {
    const { call } = this;
    const shown = await this.#look(id);
    if (!shown) {
      const others = othersText(candidates, [id]);
      if (others !== "")
        await this.#tell("warning", `It had made ${id}, which is gone. This run makes a new one.${others}`);
      return this.#end();
    }
    if (this.#isStuck(shown)) {
      await call.run.journal.supersede(this.entry, id);
      await this.#tell(
        "warning",
        `It had made ${id}, which is still not ready. This run makes a new one. If the state does not have ${id}, delete it.`,
      );
      return undefined;
    }
    const isAsSaid = this.#isUnchanged && hasFields(call, shown, this.#there);
    if (mayTake && isAsSaid && call.kind.secretOutputs.length === 0) return this.#take(id);
    throw new LostCreationError(`${this.#why} ${notProvenText(call, why, [shown], this.entry.key)}`);
  }

  /**
   * Its run ended in good order. So this state has the object (`--target-replace` hides that from a provider), or another
   * state has it after a move.
   */
  async #leaveToItsState(made: readonly string[], candidates: readonly Props[]): Promise<undefined> {
    const shown = await Promise.all(made.map((id) => this.#look(id)));
    const ids = made.filter((_, nth) => shown[nth] !== undefined);
    await this.#end();
    const others = othersText(candidates, made);
    if (ids.length === 0 && others === "") return;
    const { run, urn, kind } = this.call;
    await run.rows.line(
      urn,
      "warning",
      `An earlier run made ${kind.noun} ${made.join(" and ")} for this resource. This run left it alone, because another ` +
        `state may have it, for example if the stack was moved or renamed. If nothing uses it, and this run does not delete it, ` +
        `delete it yourself.${others}`,
    );
  }

  /** Nothing is proven. If no object can be ours, the resource is made again. */
  async #leave(candidates: readonly Props[], why: string): Promise<undefined> {
    const { call, entry } = this;
    if (candidates.length > 0) {
      throw new LostCreationError(`${this.#why} ${notProvenText(call, why, candidates, entry.key)}`);
    }
    if (entry.isSuperseded) return;
    await call.run.journal.supersede(entry);
    await this.#tell(
      "info",
      `${why} The API has no such object, so this run makes a new one. If the first one appears later, a run names it.`,
    );
  }

  /** The object, if it exists and is free: the state does not have it, and it is not being deleted. */
  async #look(id: string): Promise<Props | undefined> {
    const { call } = this;
    const { run } = call;
    if (isSameId(id, run.memory.of(call.urn)?.id) || run.memory.wasAdopted(id)) return undefined;
    const agoMs = run.api.serverNow() - this.#sent.livedAt;
    const endsAt = run.clock.now() + Math.min(VISIBLE_WITHIN_MS, VISIBLE_WITHIN_MS - agoMs);
    const shown = await onceVisible(call, this.#there, id, endsAt);
    return shown && !isGoing(shown) ? shown : undefined;
  }

  /**
   * Whether its run waited for it without success, and its status is the same. The state then probably has it, and the engine
   * asks for a new one without naming it (`--target-replace`). To take it over would mean waiting for ever.
   */
  #isStuck(shown: Props): boolean {
    return this.entry.isHalfMade === true && (isTransitional(shown) || shown["status"] === "error");
  }

  async #take(id: string): Promise<MadeObject> {
    const { run } = this.call;
    const creation = run.journal.resume(this.entry);
    await creation.accepted(id);
    // If the state has it after all, as the replaced object of this run, it must not be deleted.
    run.memory.noteAdopted(id);
    await this.#tell("info", `It had made ${id}. This run takes it over.`);
    return { id, mutation: { kind: "done" }, creation };
  }

  async #end(): Promise<undefined> {
    await this.call.run.journal.close(this.entry);
  }

  #tell(severity: "info" | "warning", what: string): Promise<void> {
    return this.call.run.rows.line(this.call.urn, severity, `${this.#why} ${what}`);
  }

  /** Waits for another active run that is creating this resource. */
  async #waitForItsProcess(): Promise<void> {
    const { call, entry } = this;
    const { run, kind, urn } = call;
    const endsAt = run.clock.now() + waitedForMs(entry.sender);
    while (await run.journal.isUnderWay(entry)) {
      if (run.clock.now() > endsAt) {
        throw new CreationUnderWayError(
          `Another run of this stack, process ${entry.sender.pid}, has been creating this ${kind.noun} since ${entry.sentAt}. ` +
            `Nothing was created here. Wait for that run, or end the process. Then run again.`,
        );
      }
      run.rows.status(urn, `waiting for process ${entry.sender.pid}, which is creating this ${kind.noun}`);
      await run.clock.sleep(PAUSE_MS);
    }
  }
}
