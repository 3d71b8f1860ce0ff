import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSameId } from "../../../src/definition/same-id";
import { openCreations } from "../../../src/cli/doctor/open-creations";
import { FileJournal } from "../../../src/journal/file-journal";
import { journalFolder } from "../../../src/process/user-folders";
import type { KeptResource, StepFailure } from "../../support/mini-state";
import { codesOf, textOfError } from "./answers";
import type { Meddler } from "./meddler";
import type { Neighbours } from "./neighbours";
import type { Habit } from "./schedule";
import type { Service } from "./service";

/** The home folder of the person who runs the programs, with the journal. */
export class Home {
  readonly #folder = mkdtempSync(join(tmpdir(), "cloudinfra-chaos-"));

  get journalFolder(): string {
    return journalFolder(this.#environment) ?? this.#folder;
  }

  get journal(): FileJournal {
    return new FileJournal(this.journalFolder);
  }

  /**
   * The entries that only `cloudinfra doctor` reports. Runs do not report what the engine may have saved, and an empty
   * stack calls no provider. A run must report all others.
   */
  async doctorReport(isStackEmpty: boolean): Promise<string> {
    const { entries } = await this.journal.all();
    // Without a readable entry, the doctor still names the unreadable ones.
    const stacks = [{ project: undefined, stack: undefined, backend: "" }, ...entries.map(({ stack }) => stack)];
    const ofStacks = stacks.map((stack) => openCreations({ environment: this.#environment }, { ...stack, state: [] }));
    const lines = (await Promise.all(ofStacks)).flat();
    const reported = lines.filter(({ subject, isFault }) => (subject === "journal" && !isFault) || isStackEmpty);
    return reported.map(({ finding }) => finding).join("\n");
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #environment(): Readonly<Record<string, string>> {
    return { XDG_STATE_HOME: this.#folder, LOCALAPPDATA: this.#folder };
  }
}

/** What a person knows after a run. */
export interface Situation {
  readonly service: Service;
  readonly neighbours: Neighbours;
  readonly state: readonly KeptResource[];
  readonly journal: FileJournal;
  /** The messages of the last run. */
  readonly messages: readonly string[];
  /** The names of objects that the person has said are not theirs. A run names them once only. */
  readonly forgotten: Set<string>;
}

/** A person adopts ready objects only. */
const READY_MS = 20_000;

/**
 * What a person does after a run, before the next one. Resolves with the resources to replace, and whether to refresh
 * first. Stuck resources are replaced, because waiting does not help. Objects that messages name are deleted or
 * adopted, depending on the person's habit.
 */
export async function afterwards(
  failures: readonly StepFailure[],
  situation: Situation,
  { habit, meddler }: { readonly habit: Habit; readonly meddler: Meddler },
): Promise<{ readonly replace: readonly string[]; readonly refreshes: boolean }> {
  const { state, neighbours, messages, service } = situation;
  const { adoptees } = neighbours.surroundings;
  const isNamed = (adopted: unknown): boolean => typeof adopted === "string" && !neighbours.foreign.has(adopted);
  const replace: string[] = [];
  let refreshes = false;
  for (const { name, error } of failures) {
    const id = state.find((kept) => kept.name === name && !kept.isReplaced)?.id ?? "";
    const isUndone = await meddler.undo(id);
    refreshes ||= isUndone !== undefined;
    if (hasTimedOut({ name, error }) || isUndone === false) {
      replace.push(name);
      adoptees.delete(name); // otherwise the new object would be the old one
    }
    // It differs from the program, so the person deletes it instead.
    if (habit === "deletes what is named" && isNamed(adoptees.get(name))) adoptees.delete(name);
    if (habit === "adopts what is named" && codesOf(error).includes("LOST_CREATION") && !adoptees.has(name)) {
      const adopted = adoptableIn(textOfError(error), situation);
      if (adopted === undefined) continue;
      adoptees.set(name, adopted);
      service.advance(READY_MS);
    }
  }
  const advice = messages.filter((message) => /\bdelete\b|doctor --/.test(message));
  if (habit === "deletes what is named") await deleteNamed(advice.join("\n"), situation);
  return { replace, refreshes };
}

/** True if the API had not finished an accepted request by the time limit. */
export function hasTimedOut({ error }: StepFailure): boolean {
  return codesOf(error).some((code) => code === "READINESS_TIMEOUT" || code === "OPERATION_TIMEOUT");
}

/** Deletes the person's own objects that messages name, by id or by name. Says that the others are not theirs. */
export async function deleteNamed(messages: string, situation: Situation): Promise<void> {
  const { service, journal, forgotten } = situation;
  const { entries } = await journal.all();
  for (const { id, path, name } of unknownOwn(situation)) {
    if (!messages.includes(id) && !messages.includes(JSON.stringify(name))) continue;
    await service.call("DELETE", path);
    // As `cloudinfra doctor --delete` does.
    for (const entry of entries) if (isSameId(entry.id, id)) await journal.remove(entry);
  }
  const keys = Array.from(messages.matchAll(/doctor --forget (\S+?)[`.,]/g), ([, key]) => key);
  for (const entry of entries) {
    if (!keys.includes(entry.key)) continue;
    await journal.remove(entry);
    forgotten.add(entry.name ?? "");
  }
}

/** The one object that a message offers for adoption, if it belongs to the person and no secret of it is lost. */
function adoptableIn(message: string, situation: Situation): string | undefined {
  if (message.includes("its secret was in the lost response")) return undefined;
  const named = Array.from(message.matchAll(/adopt: "([0-9a-fA-F-]{36})"/g), ([, id = ""]) => id);
  return unknownOwn(situation).find(({ id }) => named.some((one) => isSameId(one, id)))?.id;
}

/** The objects that the person's runs have made, and that the state does not have. */
function unknownOwn({ service, neighbours, state }: Situation): { id: string; path: string; name: string }[] {
  const isElses = (id: string): boolean => neighbours.foreign.has(id) || neighbours.found.texts.has(id);
  return Array.from(service.held(), ([id, { path, object }]) => ({ id, path, name: object.name })).filter(
    ({ id }) => !isElses(id) && !state.some((kept) => kept.id === id),
  );
}
