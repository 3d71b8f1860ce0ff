import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError } from "../api/errors";
import { text } from "../definition/field";
import { argumentsSchema } from "../definition/schemas";
import { answerOf, listMember, type Lookup } from "../functions/lookup";
import { LookupError } from "../functions/lookup-error";
import { lookups } from "../functions/lookups";
import { toolsOf } from "../functions/session";
import { asSecret, isRecord, isSecret, withoutUndefined } from "../lifecycle/engine-values";
import type { Props } from "../lifecycle/kind";
import type { Run } from "../lifecycle/run";
import { typeOfToken } from "../type-tokens";
import { version } from "../version";
import { messages, recordOf, structOf } from "./messages";
import { hasSecret } from "./secret-marks";

interface Failure {
  readonly property: string;
  readonly reason: string;
}

/** Answers a function of a program in any language. What is wrong with an argument is a failure on it; all else is an error. */
export async function invoke(request: wire.InvokeRequest, run: () => Run): Promise<wire.InvokeResponse> {
  const name = typeOfToken(request.getTok()) ?? "";
  const lookup = Object.hasOwn(lookups, name) ? lookups[name] : undefined;
  if (lookup === undefined) {
    throw new ConfigurationError(
      `This version of the provider (${version}) has no function ${request.getTok()}. Known are ${Object.keys(lookups).sort().join(", ")}.`,
    );
  }
  const args = withoutNull(recordOf(request.getArgs()));
  const failures = failuresOf(lookup, args);
  if (failures.length > 0) return refused(failures);
  try {
    const answer = await answerOf(name, lookup, args, toolsOf(run(), name));
    const shown = lookup.finds === "all" ? { [listMember(name)]: answer } : withSecrets(lookup, answer);
    return returned(hasSecret(request.getArgs()) ? allSecret(shown) : shown);
  } catch (error) {
    if (!(error instanceof LookupError) || error.argument === undefined) throw error;
    return refused([{ property: error.argument, reason: error.message }]);
  }
}

/** The wire format has null for what a program leaves out. */
function withoutNull(args: Props): Props {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function failuresOf({ args, finds }: Lookup, given: Props): readonly Failure[] {
  const fields = finds === "sought" ? { ...args, id: text(), name: text() } : args;
  const { error } = argumentsSchema(fields).safeParse(given);
  return (error?.issues ?? []).map(({ path, message }) => ({ property: path.join("."), reason: message }));
}

function withSecrets({ result: { fields } }: Lookup, answer: unknown): Props {
  const entries = Object.entries(isRecord(answer) ? answer : {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name, fields[name]?.secret === true ? asSecret(value) : value]),
  );
}

/** The API may repeat an argument anywhere in its answer. */
function allSecret(answer: Props): Props {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      value === undefined || isSecret(value) ? value : asSecret(value),
    ]),
  );
}

function returned(answer: Props): wire.InvokeResponse {
  const response = new messages.InvokeResponse();
  response.setReturn(structOf(withoutUndefined(answer)));
  return response;
}

function refused(failures: readonly Failure[]): wire.InvokeResponse {
  const response = new messages.InvokeResponse();
  response.setFailuresList(
    failures.map(({ property, reason }) => {
      const failure = new messages.CheckFailure();
      failure.setProperty(property);
      failure.setReason(reason);
      return failure;
    }),
  );
  return response;
}
