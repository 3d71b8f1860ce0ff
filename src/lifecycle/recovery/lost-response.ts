import {
  AbortedError,
  ConfigurationError,
  ConflictError,
  isRefusal,
  RequestError,
  UnauthorizedError,
} from "../../api/errors";
import { isAboutOthers, type JournalEntry, isNamed, isOfCommand, shownName } from "../../journal/entry";
import { deleteNew } from "../objects/deletion";
import { LostCreationError, messageOf, OtherObjectError, RefusedObjectError } from "../errors";
import type { MadeObject } from "../memory/run-memory";
import type { RecoveryCall } from "./recovery-call";
import { objectAdvice, leftOpenAdvice, noneText, notProvenText, orLost } from "./lost-creation";
import { leaveTwins, outcomeOf, unclear, type CreationOutcome } from "./ownership";

/** The longest wait for a late audit log. After that, the next run looks again. */
const LOG_LATE_BY_MS = 15_000;

/**
 * Finds out whether a failed creation of this run has made an object. Only the objects that the audit log shows with
 * its token are ours. Resolves with the object, or with undefined if its secret was in the lost response: the object is
 * then deleted, because no state has it. Rejects with the error if nothing was made, and with LostCreationError if an
 * object of the same name may be ours or if a lost response stays unclear. For a cancelled creation, it rejects with
 * the error: the entry stays superseded, and the next run does not wait for a late log.
 */
export async function afterFailure(
  call: RecoveryCall,
  open: JournalEntry,
  error: unknown,
): Promise<MadeObject | undefined> {
  const { journal } = call.run;
  const isOther = error instanceof OtherObjectError;
  const entry = isOther ? await journal.amend(open, { id: undefined }) : journal.writer.latest(open);
  if (
    error instanceof ConfigurationError ||
    (error instanceof RequestError && error.effect === "none" && !isRefusal(error))
  ) {
    await journal.close(entry); // it was not sent
    throw error;
  }
  if (error instanceof AbortedError) {
    // A creation waits for its next attempt only after refusals, and a cancelled run does not wait for the log. Later
    // runs look.
    await journal.supersede(entry);
    if (isOfCommand(entry) && entry.wasSentAgain)
      throw new LostCreationError(
        `${messageOf(error)} ${leftOpenAdvice(entry, `look for one named ${shownName(entry)}`)}`,
        { cause: error },
      );
    throw error;
  }
  if (!(error instanceof RequestError || error instanceof RefusedObjectError)) throw error;
  const reason = messageOf(error);
  const outcome = await outcomeAfter(call, entry, error);
  switch (outcome.status) {
    case "made":
      return orLost(call, entry, reason, `look at ${outcome.ids.join(" and ")}`, () => own(call, entry, outcome.ids));
    case "nothing":
      await journal.close(entry);
      throw error;
    case "conflict":
      await journal.supersede(entry);
      throw (await earlierCreation(call, entry, error)) ?? error;
    case "unclear": {
      const { candidates, mayShowLater } = outcome;
      if (candidates.length > 0)
        throw new LostCreationError(`${reason} ${notProvenText(call, outcome.reason, candidates, entry.key)}`, {
          cause: error,
        });
      if (isRefusal(error) && !outcome.isMade) {
        // If the log may show more later, a later run looks again silently. Otherwise the entry stays open, and the
        // next run names it.
        if (mayShowLater) await journal.supersede(entry);
        throw error;
      }
      const text =
        `${reason} ${outcome.reason} ${noneText(call, entry, outcome.older)}. ` +
        leftOpenAdvice(entry, `look for one named ${shownName(entry)}`);
      throw (await earlierCreation(call, entry, error)) ?? new LostCreationError(text, { cause: error });
    }
  }
}

/**
 * For a refusal, it looks at the log once, because most refused requests were delivered once. For a lost response, it
 * waits for a late log.
 */
async function outcomeAfter(call: RecoveryCall, entry: JournalEntry, error: Error): Promise<CreationOutcome> {
  if (!isRefusal(error)) {
    const look = (): Promise<CreationOutcome> => outcomeOf(call, entry, LOG_LATE_BY_MS);
    return orLost(call, entry, messageOf(error), `look for one named ${shownName(entry)}`, look);
  }
  return outcomeOf(call, entry).catch((failure: unknown) => {
    if (!(failure instanceof RequestError)) throw failure;
    // The API refuses the key for the log too, so it has refused it for every delivery.
    if (failure instanceof UnauthorizedError && error instanceof UnauthorizedError) return { status: "nothing" };
    return unclear("");
  });
}

/**
 * Takes the first object of the request that nobody has adopted meanwhile, and names the others. If the kind has
 * secrets, it deletes the objects instead, because nobody has their secrets. It only names an object that another
 * process has adopted or locked. Resolves with undefined if it takes none: the caller then makes the resource again.
 */
async function own(call: RecoveryCall, sent: JournalEntry, ids: readonly string[]): Promise<MadeObject | undefined> {
  const { kind, run, urn } = call;
  const { adoptions, writer } = run.journal;
  if (kind.secretOutputs.length === 0) {
    await run.journal.readAgain(urn);
    const id = ids.find((each) => !adoptions.has(each));
    const others = ids.filter((each) => each !== id);
    if (id !== undefined) {
      await leaveTwins(call, sent, others);
      return { id, mutation: { kind: "done" }, entry: await run.journal.accept(sent, id, others) };
    }
  }
  const left: string[] = [];
  for (const each of ids) {
    const { other } = await writer.lock(each, run.clock.timeOfDay());
    await run.journal.readAgain(urn);
    if (other || adoptions.has(each)) left.push(each);
    else await deleteNew(call, each);
    if (!other) await writer.unlock(each);
  }
  if (left.length === 0) {
    await run.journal.close(sent, ids);
    return undefined;
  }
  const text = `The creation of ${sent.sentAt} had made ${left.join(" and ")}, which another process has taken or works on. This run makes a new one.`;
  await run.rows.line(urn, "warning", `${text} If no resource has it: ${left.map(objectAdvice).join(" ")}`);
  await run.journal.supersede(sent, left, ids);
  return undefined;
}

/** For a conflict: an error that names an open earlier creation, which may have taken the name. */
async function earlierCreation(
  { kind, run, urn, inputs }: RecoveryCall,
  { key }: JournalEntry,
  error: Error,
): Promise<LostCreationError | undefined> {
  if (!(error instanceof ConflictError)) return undefined;
  // A state has the object of an entry that was handed over, and that of one about other attempts is known.
  const isUnclear = (each: JournalEntry): boolean => !isAboutOthers(each) && !each.isHandedOver && each.key !== key;
  const earlier = (await run.journal.interrupted(urn)).find((each) => isUnclear(each) && isNamed(each, inputs["name"]));
  if (earlier === undefined) return undefined;
  const [known, adopted] = [earlier.id ?? `a ${kind.noun} named ${shownName(earlier)}`, earlier.id ?? "<its id>"];
  return new LostCreationError(
    `${messageOf(error)} An earlier run failed or was interrupted at ${earlier.sentAt} while it created this ${kind.noun}, and may have made ` +
      `${known}. Run again when the API shows it, or adopt it with adopt: "${adopted}".`,
    { cause: error },
  );
}
