import { CloudinfraError } from "../../api/errors";
import { ApiError, ForbiddenError, isRefusedCredential } from "../../api/errors/api-error";
import type { CredentialCapability } from "../../definition/capabilities";
import { fromWire } from "../../definition/wire";
import { urnParts } from "../../engine/urn";
import { LATE_ANSWER_PAUSES, pollUntil } from "../../time/clock";
import { BrokenCredentialError, messageOf } from "../errors";
import { collectionAt } from "../kind/collection-at";
import { operationName, type Props, type ResourceKind } from "../kind/kind";
import { callOf, type ResourceCall } from "../objects/resource-call";
import { credentialToSucceed, secretOf } from "./own-credential";

/** How long the API may refuse a new credential, because it may be eventually consistent. */
const UNKNOWN_FOR_MS = 10_000;

/** The new or adopted object of a kind with a credential, before it is handed over. */
interface NewCredential {
  readonly id: string;
  readonly outputs: Props;
  readonly wire: Props;
  /** True if the program has given its secret. */
  readonly isAdopted?: boolean;
}

/**
 * Signs in once with a new or adopted credential, before anything depends on it, and reads a list that it should be
 * allowed to read. The row says the result. Rejects with BrokenCredentialError only if the API itself refuses the
 * credential: a missing answer proves nothing.
 */
export async function tryCredential(
  call: ResourceCall,
  { id, outputs, wire, isAdopted = false }: NewCredential,
): Promise<void> {
  const { kind, run, urn, inputs } = call;
  const { credential } = kind;
  const secret = credential && secretOf(credential, outputs);
  if (!credential || secret === undefined) return;
  const say = (text: string): Promise<void> =>
    run.rows.line(urn, "info", `the ${isAdopted ? "adopted" : "new"} ${credential.word} ${id} ${text}`);
  if (!credential.isAccepted(outputs)) return say(`was not tried: the API shows it as ${String(outputs["status"])}`);

  const facts = run.memory.of(urn);
  if (isAdopted && facts?.replaced && facts.outputs && secretOf(credential, facts.outputs.props) === secret)
    throw new BrokenCredentialError(
      `${operationName(call.verb, kind, urn)}: the given secret is that of the ${kind.noun} to be replaced, and not of ${id}. Correct it.`,
    );

  const list = readableList(kind, credential, inputs);
  const source = `${credential.word} ${id} of "${urnParts(urn).name}"`;
  const options = { ...callOf(call), credential: { apiKey: secret, source }, deadlineMs: UNKNOWN_FOR_MS };
  const read = (): Promise<unknown> =>
    list ? collectionAt(run.api, list.of, list.inputs).peek(options) : run.api.signIn(options);
  const failure = await failureOf(call, read);

  const purpose = list ? `read ${list.of.nouns}` : "sign in";
  const shown = credential.reach(fromWire(kind, wire));
  // A refusal of its permissions or address matters here, because the rest of the run would sign in with it.
  const isNeededHere = failure instanceof ForbiddenError && credentialToSucceed(call) !== undefined;
  if (isRefusedCredential(failure) || isNeededHere)
    throw new BrokenCredentialError(
      `${operationName(call.verb, kind, urn)}: the API ${isAdopted ? "refuses the given secret of" : "made"} ${kind.noun} ${id}${isAdopted ? "" : ", and refuses it"}. It should be allowed to ${purpose}, and the answer was ${failure.responseText}. ` +
        `The API shows it with ${shown}.`,
    );
  if (failure) return say(`could not be tried: ${answerOf(failure)}. The API shows it with ${shown}`);
  const untried = list ? "" : ". Its permissions were not tried: the provider has no request that tests them";
  await say(`works: it may ${purpose}${untried}`);
}

/** The first list that the program's permissions allow to read and that needs no parent object. */
function readableList(kind: ResourceKind, credential: CredentialCapability, inputs: Props) {
  return credential.readableLists(inputs).flatMap(({ type, inputs: given }) => {
    const of = kind.siblings.find((each) => each.type === type && !each.path.includes("{"));
    return of ? [{ of, inputs: given }] : [];
  })[0];
}

async function failureOf({ run: { clock } }: ResourceCall, read: () => Promise<unknown>): Promise<Error | undefined> {
  const schedule = { ...LATE_ANSWER_PAUSES, endsAt: clock.now() + UNKNOWN_FOR_MS };
  const attempt = (): Promise<Error | undefined> => read().then(() => undefined, orThrow);
  return pollUntil(clock, schedule, attempt, (failure) => !isRefusedCredential(failure)).catch(orThrow);
}

/**
 * Returns a CloudinfraError, also the error of a cancelled run, because the object exists and the state must get it.
 * Throws any other error.
 */
function orThrow(error: unknown): Error {
  if (error instanceof CloudinfraError) return error;
  throw error;
}

function answerOf(failure: Error): string {
  return (failure instanceof ApiError ? failure.responseText : messageOf(failure)).replace(/\.$/, "");
}
