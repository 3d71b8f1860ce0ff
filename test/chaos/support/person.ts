import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSameId } from "../../../src/api/same-id";
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
   * What only `cloudinfra doctor` says of the journal. No run tells what the engine may have saved, and a stack with nothing in it calls
   * no provider. All else has to be told by a run.
   */
  async doctorsWords(isStackEmpty: boolean): Promise<string> {
    const lines = await openCreations({ environment: this.#environment });
    const said = lines.filter(({ verdict }) => verdict === "ok" || isStackEmpty);
    return said.map(({ finding }) => finding).join("\n");
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
  readonly told: readonly string[];
  /** Names of objects that the person has said are not theirs: told of them once, nobody tells them again. */
  readonly forgotten: Set<string>;
}

/** A person adopts only objects that are ready. */
const READY_MS = 20_000;

/**
 * What a person does after a run, before running again: resolves with what the next run is to replace, and whether a refresh comes first. What is stuck is replaced,
 * because waiting does not help. What messages name is deleted or adopted, if that is the person's habit.
 */
export async function afterwards(
  failures: readonly StepFailure[],
  situation: Situation,
  { habit, meddler }: { readonly habit: Habit; readonly meddler: Meddler },
): Promise<{ readonly replace: readonly string[]; readonly refreshes: boolean }> {
  const { state, neighbours, told, service } = situation;
  const { adoptees } = neighbours.places;
  const isNamed = (adopted: unknown): boolean => typeof adopted === "string" && !neighbours.foreign.has(adopted);
  const replace: string[] = [];
  let refreshes = false;
  for (const { name, error } of failures) {
    const id = state.find((kept) => kept.name === name && !kept.isReplaced)?.id ?? "";
    const isUndone = await meddler.undo(id);
    refreshes ||= isUndone !== undefined;
    if (hasTimedOut({ name, error }) || isUndone === false) {
      replace.push(name);
      adoptees.delete(name); // or the new one would be the old one again
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
  const advice = told.filter((message) => /\bdelete\b|doctor --/.test(message));
  if (habit === "deletes what is named") await deleteNamed(advice.join("\n"), situation);
  return { replace, refreshes };
}

/** Whether the API had not done by the time limit what it had accepted. */
export function hasTimedOut({ error }: StepFailure): boolean {
  return codesOf(error).some((code) => code === "SETTLE_TIMEOUT" || code === "OPERATION_TIMEOUT");
}

/** Deletes what messages name, by its id or by its name, and what is the person's own; of the rest says that it is not. */
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

/** The one object that a message offers for adoption, if it is the person's own, and no secret of it is lost. */
function adoptableIn(message: string, situation: Situation): string | undefined {
  if (message.includes("its secret was in the lost answer")) return undefined;
  const named = Array.from(message.matchAll(/adopt: "([0-9a-fA-F-]{36})"/g), ([, id = ""]) => id);
  return unknownOwn(situation).find(({ id }) => named.some((one) => isSameId(one, id)))?.id;
}

/** Objects that the person's runs have made, and that the state does not have. */
function unknownOwn({ service, neighbours, state }: Situation): { id: string; path: string; name: string }[] {
  const isElses = (id: string): boolean => neighbours.foreign.has(id) || neighbours.found.texts.has(id);
  return Array.from(service.held(), ([id, { path, object }]) => ({ id, path, name: object.name })).filter(
    ({ id }) => !isElses(id) && !state.some((kept) => kept.id === id),
  );
}
