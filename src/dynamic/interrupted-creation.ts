import type { JournalEntry } from "../journal/journal";
import {
  adoptText,
  discard,
  hasFields,
  idText,
  isGoing,
  objectsWith,
  orLost,
  orUndefined,
  secretLostText,
  severalText,
} from "./created-object";
import { LostCreationError } from "./errors";
import { visibleOf } from "./hidden-inputs";
import type { Props } from "./kind";
import type { Made } from "./lost-creation";
import { fingerprintOf } from "./run-journal";
import { callOf, type Doing } from "./settle";

/** A request that was cut off can still be carried out a little later. */
const ARRIVES_WITHIN_MS = 10_000;
const PAUSE_MS = 1_000;

/**
 * Looks for what interrupted runs have made for this URN, before anything is created. What is provably ours, by the id that the
 * API told or by the name that check chose, is taken over; where its secret is lost, or the program says something else by now,
 * it is deleted, and a new one is made. What could be ours but may be somebody else's is named in a LostCreationError and never
 * touched; with that the matter is in the user's hands, and the entry is closed.
 */
export async function takeUpInterrupted(doing: Doing, props: Props): Promise<Made | undefined> {
  let taken: Made | undefined;
  for (const entry of await doing.run.journal.interrupted(doing.urn)) {
    const interrupted = new InterruptedCreation(doing, props, entry);
    taken = (await interrupted.takeUp(taken === undefined)) ?? taken;
  }
  return taken;
}

class InterruptedCreation {
  readonly #why: string;
  /** The inputs that find what was made: the program may have moved the resource since. */
  readonly #there: Props;
  readonly #isUnchanged: boolean;

  constructor(
    private readonly doing: Doing,
    props: Props,
    private readonly entry: JournalEntry,
  ) {
    const { kind } = doing;
    this.#why = `An earlier run was interrupted at ${entry.sentAt} while it created this ${kind.noun}.`;
    this.#there = { ...visibleOf(props), ...entry.place };
    this.#isUnchanged = entry.fingerprint === fingerprintOf(kind, props);
  }

  /** Resolves with what is taken over; undefined where nothing is (left). */
  async takeUp(mayTake: boolean): Promise<Made | undefined> {
    const { doing, entry } = this;
    const { kind, run } = doing;
    const byHand = `look for one named ${JSON.stringify(entry.name)}`;
    const found = await orLost(doing, this.#why, byHand, () => this.#find());
    const [first, second] = found;
    if (first === undefined) {
      await run.journal.close(entry);
      return undefined;
    }
    const id = idText(first);
    const hasSecret = kind.secretOutputs.length > 0;
    if (second !== undefined) return this.#name(severalText(found));
    const isOurs = entry.isChosenName || entry.id !== undefined;
    if (!isOurs && !this.#isUnchanged) return this.#name(notProvenText(id));
    if (mayTake && this.#isUnchanged && !hasSecret) return this.#take(id, first);
    if (!isOurs || (hasSecret && !entry.isChosenName)) return this.#name(secretLostText(doing, id));
    await orLost(doing, this.#why, `look at ${id}`, () => discard(doing, this.#there, id));
    await run.journal.close(entry);
    await this.#tell(
      `It had made ${id}, ${hasSecret ? "whose secret is lost" : "which differs from what your program says now"}: deleted, and made anew.`,
    );
    return undefined;
  }

  async #take(id: string, resource: Props): Promise<Made> {
    const { run } = this.doing;
    const creation = run.journal.resume(this.entry);
    await creation.accepted(id);
    // Should the state know it after all, as what is replaced in this run, then it must not be deleted.
    run.memory.noteAdopted(id);
    await this.#tell(`It had made ${id}, which is taken over.`);
    return { mutation: { kind: "resource", resource }, creation };
  }

  async #name(what: string): Promise<never> {
    await this.doing.run.journal.close(this.entry);
    throw new LostCreationError(`${this.#why} ${what}`);
  }

  #tell(what: string): Promise<void> {
    return this.doing.run.rows.line(this.doing.urn, "info", `${this.#why} ${what}`);
  }

  /** What the creation could have made. */
  async #find(): Promise<readonly Props[]> {
    const { doing, entry } = this;
    const { kind, run, urn } = doing;
    if (entry.id !== undefined) {
      const { id } = entry;
      const wire = await orUndefined(() => kind.handler(run.api).get(id, this.#there, callOf(doing)));
      return wire === undefined || !this.#isFree(wire) ? [] : [wire];
    }
    const traces = { name: entry.name, from: Date.parse(entry.sentAt), until: Date.parse(entry.sentUntil) };
    for (;;) {
      const objects = (await orUndefined(() => objectsWith(doing, this.#there, traces))) ?? [];
      const found = objects.filter((wire) => this.#isFree(wire) && this.#matches(wire));
      const sinceMs = run.api.serverNow() - traces.from;
      if (found.length > 0 || sinceMs < 0 || sinceMs >= ARRIVES_WITHIN_MS) return found;
      run.rows.status(urn, "looking for what an interrupted run may have made");
      await run.clock.sleep(PAUSE_MS);
    }
  }

  /** Not what the state has for this resource, nor for another one, and not on its way out. */
  #isFree(wire: Props): boolean {
    const { memory } = this.doing.run;
    return idText(wire) !== memory.of(this.doing.urn)?.id && !memory.wasAdopted(idText(wire)) && !isGoing(wire);
  }

  /** With the program's own name, and a program that says what it said then, every field has to be the same. */
  #matches(wire: Props): boolean {
    return this.entry.isChosenName || !this.#isUnchanged || hasFields(this.doing, wire, this.#there);
  }
}

function notProvenText(id: string): string {
  return (
    `The API has ${id}, of the name that your program gives and made at that time, and your program says something else by now: ` +
    `whether it is yours cannot be told, so it was not touched. Delete it, or take it over with ${adoptText(id)}, and run again.`
  );
}
