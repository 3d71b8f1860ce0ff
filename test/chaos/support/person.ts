import type { KeptResource, StepFailure } from "../../support/mini-state";
import { codesOf } from "./errors";
import type { Neighbours } from "./neighbours";
import type { Service } from "./service";

/** What a person sees before them. */
export interface Doing {
  readonly service: Service;
  readonly neighbours: Neighbours;
  readonly state: readonly KeptResource[];
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
    if (codes.some((code) => code === "SETTLE_TIMEOUT" || code === "OPERATION_TIMEOUT")) {
      replace.push(name);
      doing.neighbours.places.adoptees.delete(name); // or the new one would be the old one again
    }
    if (doing.isObedient && codes.includes("LOST_CREATION"))
      await deleteNamed(error instanceof Error ? error.message : "", doing);
  }
  return replace;
}

/** Deletes what the message names, by its id or by its name, and what is the person's own. */
export async function deleteNamed(message: string, { service, neighbours, state }: Doing): Promise<void> {
  for (const [id, { path, object }] of service.held()) {
    const isNamed = message.includes(id) || message.includes(JSON.stringify(object.name));
    const isOurs = !neighbours.foreign.has(id) && !state.some((kept) => kept.id === id);
    if (isNamed && isOurs) await service.call("DELETE", path);
  }
}
