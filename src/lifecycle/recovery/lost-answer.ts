import { collectionAt } from "../kind/collection-at";
import {
  ApiError,
  ConfigurationError,
  ConflictError,
  orUndefined,
  RequestError,
  UnauthorizedError,
} from "../../api/errors";
import { isNamed, shownName } from "../../journal/entry-name";
import { deleteObject } from "../objects/deletion";
import { LostCreationError, messageOf, RefusedObjectError } from "../errors";
import { callOf } from "../objects/resource-call";
import type { RecoveryCall } from "./recovery-call";
import type { Props } from "../kind/kind";
import { onceVisible, VISIBLE_WITHIN_MS } from "../objects/visibility";
import { adviceOn, idText, notProvenText, orLost } from "./lost-creation";
import type { MadeObject, OpenCreation } from "./open-creation";
import { outcomeOf } from "./ownership";
import type { CreationOutcome } from "./proof";

/** The longest wait for a late audit log. After it, the next run looks again. */
const LOG_LATE_BY_MS = 15_000;

/**
 * Finds out what a failed creation of this run has made. If no delivery of the request was carried out, it rejects with the
 * refusal. Otherwise the audit log shows the object of this token, and only that is ours. Resolves with it, or with undefined if its
 * secret was in the lost answer: then this deletes it, because nobody else has it. Rejects with LostCreationError if nothing is proven.
 */
export async function afterFailure(
  call: RecoveryCall,
  creation: OpenCreation,
  error: unknown,
): Promise<MadeObject | undefined> {
  if (
    error instanceof ConfigurationError ||
    (error instanceof RequestError && error.effect === "none" && !(error instanceof ApiError))
  ) {
    await creation.close(); // it was not sent
    throw error;
  }
  if (!(error instanceof RequestError || error instanceof RefusedObjectError)) throw error;
  if (error instanceof ApiError && error.effect === "none") return afterRefusal(call, creation, error);

  const { inputs, run } = call;
  const why = messageOf(error);
  const byHand = `look for one named ${JSON.stringify(inputs["name"])}`;
  const endsAt = run.clock.now() + LOG_LATE_BY_MS;
  const outcome = await orLost(call, why, byHand, async () => outcomeOf(call, await creation.sent(inputs), endsAt));
  switch (outcome.status) {
    case "made":
      return orLost(call, why, `look at ${outcome.ids.join(" and ")}`, () => own(call, creation, outcome.ids, error));
    case "nothing":
      // A conflict may come from an earlier delivery, which the log shows later.
      await (error instanceof ConflictError ? creation.supersede() : creation.close());
      throw error instanceof ConflictError ? await conflictText(call, creation, error) : error;
    case "unclear":
      if (error instanceof ConflictError && outcome.candidates.length === 0) {
        const told = await conflictText(call, creation, error);
        if (told !== error) throw told;
      }
      throw new LostCreationError(
        `${why} ${
          outcome.candidates.length > 0
            ? notProvenText(call, outcome.why, outcome.candidates, creation.key)
            : `${outcome.why} The API has no such object. The next run on this machine looks again before it creates anything.`
        }`,
        { cause: error },
      );
  }
}

/**
 * The API has refused the request. Most refused requests had one delivery, so one look at the log must do. If the log does not show the
 * request yet, a later run looks again without a word. If it may not be read, no run can: the entry stays open, and the next run names it.
 */
async function afterRefusal(
  call: RecoveryCall,
  creation: OpenCreation,
  error: ApiError,
): Promise<MadeObject | undefined> {
  const { run, inputs, urn } = call;
  const look = outcomeOf(call, await creation.sent(inputs), run.clock.now());
  const outcome = await look.catch((failure: unknown) => unreadable(failure, error));
  switch (outcome.status) {
    case "made":
      return orLost(call, error.message, `look at ${outcome.ids.join(" and ")}`, () =>
        own(call, creation, outcome.ids, error),
      );
    case "nothing":
      await creation.close();
      throw error;
    case "unclear":
      if (outcome.candidates.length > 0) {
        const ids = outcome.candidates.map(idText);
        const text = `An earlier delivery of the refused creation may have made ${ids.join(" or ")}. Nothing was touched. ${ids.map(adviceOn).join(" ")}`;
        await run.rows.line(urn, "warning", text);
      }
      if (outcome.candidates.length > 0 || outcome.mayShowLater) await creation.supersede();
      throw error;
  }
}

/** A key that is refused to both was refused to every delivery. */
function unreadable(failure: unknown, refusal: ApiError): CreationOutcome {
  if (!(failure instanceof RequestError)) throw failure;
  if (failure instanceof UnauthorizedError && refusal instanceof UnauthorizedError) return { status: "nothing" };
  return { status: "unclear", candidates: [], why: "", mayShowLater: true };
}

/** The request of this run made these objects, and nobody has them. What cannot be used is deleted and named. */
async function own(
  call: RecoveryCall,
  creation: OpenCreation,
  ids: readonly string[],
  error: Error,
): Promise<MadeObject | undefined> {
  const { kind, run, urn } = call;
  const [id = "", ...twins] = ids;
  await creation.accepted(id);
  const isSecretLost = kind.secretOutputs.length > 0;
  for (const each of isSecretLost ? ids : twins) await deleteNew(call, each, messageOf(error));
  if (twins.length > 0) {
    const text = `The network delivered the creation ${ids.length} times. This run deleted ${twins.join(" and ")}, which the same request had made.`;
    await run.rows.line(urn, "warning", text);
  }
  if (!isSecretLost) return { id, mutation: { kind: "done" }, creation };
  await creation.close();
  return undefined;
}

/** Deletes an object that this run has just made. A 404 only means that it is not visible yet. */
async function deleteNew(call: RecoveryCall, id: string, why: string): Promise<void> {
  const { kind, run, inputs } = call;
  const get = (): Promise<Props> => collectionAt(run.api, kind, inputs, id).get(id, callOf(call));
  const visibly = { ...call, hiddenMs: (waitedMs: number) => VISIBLE_WITHIN_MS - waitedMs };
  if (!(await orUndefined(() => onceVisible(visibly, get)))) {
    throw new LostCreationError(
      `${why} The audit log shows that it made ${kind.noun} ${id}, which the API does not show. The next run on this machine ` +
        `looks again. Before you run on another machine, look for it, and delete it.`,
    );
  }
  await orUndefined(() => deleteObject(call, inputs, id));
}

/** If an earlier creation is open, the name may be that one's. */
async function conflictText(
  { kind, run, urn, inputs }: RecoveryCall,
  { key }: OpenCreation,
  error: ConflictError,
): Promise<Error> {
  const others = (await run.journal.interrupted(urn)).filter((entry) => entry.key !== key);
  const open = others.filter((entry) => isNamed(entry, inputs["name"]));
  const [earlier] = open;
  if (earlier === undefined) return error;
  const [known, adopted] = [earlier.id ?? `a ${kind.noun} named ${shownName(earlier)}`, earlier.id ?? "<its id>"];
  return new LostCreationError(
    `${messageOf(error)} An earlier run failed or was interrupted at ${earlier.sentAt} while it created this ${kind.noun}, and may have made ` +
      `${known}. Run again when the API shows it, or adopt it with adopt: "${adopted}".`,
    { cause: error },
  );
}
