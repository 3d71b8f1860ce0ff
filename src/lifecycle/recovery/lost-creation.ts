import { CreationUnderWayError, LostCreationError, messageOf } from "../errors";
import type { Props } from "../kind/kind";
import { isAboutOthers, isOfCommand, shownName, type JournalEntry } from "../../journal/entry";
import { sanitized } from "../../api/errors/error-response";
import type { ResourceCall } from "../objects/resource-call";

/** If an error keeps the run from finding out what a creation made, the message says what a person should look for. */
export async function orLost<T>(
  { kind }: ResourceCall,
  entry: JournalEntry,
  reason: string,
  byHand: string,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof LostCreationError || error instanceof CreationUnderWayError) throw error;
    throw new LostCreationError(
      `${reason} The API may have made the ${kind.noun}. This run could not find out whether it did: ${messageOf(error)} ` +
        leftOpenAdvice(entry, byHand),
      { cause: error },
    );
  }
}

/** Says what an earlier run did. */
export function earlierText({ kind: { noun } }: ResourceCall, entry: JournalEntry): string {
  const { sentAt, isHandedOver } = entry;
  if (isAboutOthers(entry)) return `An earlier run sent the creation of this ${noun} of ${sentAt} several times.`;
  if (isHandedOver) return `An earlier run created this ${noun} at ${sentAt}.`;
  return `An earlier run failed or was interrupted at ${sentAt} while it created this ${noun}.`;
}

/** The end of an error about a creation that this run leaves open. `byHand`: where a person looks for the object. */
export function leftOpenAdvice(entry: JournalEntry, byHand: string): string {
  if (isOfCommand(entry))
    return `No run deletes a command's key: ${byHand}, and delete it with \`cloudinfra doctor --delete <its id>\`.`;
  const [later, before] = entry.isUnwritten
    ? ["The journal cannot be written, so the next run will not look for it.", "run again"]
    : ["The next run on this machine looks again before it creates anything.", "run on another machine"];
  return `${later} Before you ${before}, ${byHand}: adopt it with adopt: "<its id>", or delete it.`;
}

/** The end of an error: names objects that may be ours. Nothing proves that, so the run leaves them alone. */
export function notProvenText(
  { kind }: ResourceCall,
  reason: string,
  candidates: readonly Props[],
  key: string,
): string {
  const ids = candidates.map(idText);
  const [it, them] = ids.length === 1 ? ["it is", "it"] : ["one of them is", "that one"];
  return (
    `${reason} It may have made ${ids.join(" or ")}. Nothing was touched. ` +
    `If ${it} yours, delete ${them}, or adopt ${them} with adopt: "${ids.length === 1 ? ids[0] : "<its id>"}"` +
    `${kind.secretOutputs.length > 0 ? " (its secret was in the lost response)" : ""}, and run again. ` +
    `If not, run \`cloudinfra doctor --forget ${key}\`.`
  );
}

/** Says that the API shows no object that the request may have made, and names those that only seem too old. */
export function noneText({ kind }: ResourceCall, entry: JournalEntry, older: readonly Props[]): string {
  const ids = older.map((wire) => `${idText(wire)} of ${sanitized(String(wire["created_at"]))}`);
  const only = ids.length > 0 ? `, only ${ids.join(" and ")}, before the request of ${entry.sentAt}` : "";
  return `The API shows no new ${kind.noun} named ${shownName(entry)}${only}`;
}

/** Advice on an object that an interrupted run made and that no run takes over. */
export function objectAdvice(id: string): string {
  return `To keep it, adopt it with adopt: "${id}". To delete it, run \`cloudinfra doctor --delete ${id}\`.`;
}

/** The id of an object in a response. */
export function idText(wire: Props): string {
  return typeof wire["id"] === "string" ? wire["id"] : "(no id)";
}
