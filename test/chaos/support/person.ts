import type { FileJournal } from "../../../src/journal/file-journal";
import type { KeptResource, StepFailure } from "../../support/mini-state";
import { codesOf } from "./errors";
import type { Neighbours } from "./neighbours";
import type { Service } from "./service";

/** What a person sees before them. */
export interface Doing {
  readonly service: Service;
  readonly neighbours: Neighbours;
  readonly state: readonly KeptResource[];
  readonly journal: FileJournal;
  /** Names of objects that the person has said are not theirs: told of them once, nobody tells them again. */
  readonly forgotten: Set<string>;
  /** Whether they do what an error asks for, or only run again. */
  readonly isObedient: boolean;
}

/**
 * What a person does after a run that failed, before running again. What is stuck is replaced by the next run, since waiting
 * leads nowhere; what an error names as possibly made is deleted, if the person does what errors ask for.
 */
export async function afterwards(failures: readonly StepFailure[], doing: Doing): Promise<string[]> {
  const replace: string[] = [];
  for (const { name, error } of failures) {
    const codes = codesOf(error);
    if (hasTimedOut({ name, error })) {
      replace.push(name);
      doing.neighbours.places.adoptees.delete(name); // or the new one would be the old one again
    }
    if (doing.isObedient && codes.includes("LOST_CREATION"))
      await deleteNamed(error instanceof Error ? error.message : "", doing);
  }
  return replace;
}

/** Whether the API had not done by the time limit what it had accepted. */
export function hasTimedOut({ error }: StepFailure): boolean {
  return codesOf(error).some((code) => code === "SETTLE_TIMEOUT" || code === "OPERATION_TIMEOUT");
}

/** Deletes what the message names, by its id or by its name, and what is the person's own; of the rest says that it is not. */
export async function deleteNamed(
  message: string,
  { service, neighbours, state, journal, forgotten }: Doing,
): Promise<void> {
  for (const [id, { path, object }] of service.held()) {
    const isNamed = message.includes(id) || message.includes(JSON.stringify(object.name));
    const isElses = neighbours.foreign.has(id) || neighbours.found.texts.has(id);
    const isOurs = !isElses && !state.some((kept) => kept.id === id);
    if (isNamed && isOurs) await service.call("DELETE", path);
  }
  const keys = Array.from(message.matchAll(/doctor --forget (\S+?)[`.,]/g), ([, key]) => key);
  for (const entry of (await journal.all()).entries) {
    if (!keys.includes(entry.key)) continue;
    await journal.remove(entry);
    forgotten.add(entry.name);
  }
}
