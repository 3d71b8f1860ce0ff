import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError } from "../api/errors";
import { listMember, type Lookup } from "../functions/lookup";
import { runLookup } from "../functions/run-lookup";
import { LookupError } from "../functions/lookup-definition";
import { lookups } from "../functions/lookups/lookup-registry";
import { toolsOf } from "../functions/session";
import { isRecord } from "../definition/compare-values";
import { asSecret, containsUnknown, isSecret, UNKNOWN, withoutAbsent, withoutUndefined } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";
import type { Run } from "../lifecycle/run/run";
import { typeOfToken } from "../engine/urn";
import { version } from "../process/version";
import { failureMessage } from "./engine-answers";
import { fillMessage, hasSecret, messages, recordOf, structOf } from "./messages";

/** Answers a function call of a program in any language. A wrong argument is a failure on that argument. Anything else is an error. */
export async function invoke(request: wire.InvokeRequest, run: () => Run): Promise<wire.InvokeResponse> {
  const [name, lookup] = lookupOf(request);
  const args = withoutAbsent(recordOf(request.getArgs())); // the wire format has null for what a program leaves out
  if (containsUnknown(args)) return deferredInvoke(request);
  try {
    const answer = await runLookup({ lookup, functionName: name, tools: toolsOf(run(), name), args });
    const shown = lookup.finds === "all" ? { [listMember(name)]: answer } : withSecrets(lookup, answer);
    return returned(hasSecret(request.getArgs()) ? allSecret(shown) : shown);
  } catch (error) {
    if (!(error instanceof LookupError) || error.faults.length === 0) throw error;
    return refused(error.faults);
  }
}

/** The answer if an argument or a setting is unknown before the update. All its members are unknown. */
export function deferredInvoke(request: wire.InvokeRequest): wire.InvokeResponse {
  const [name, lookup] = lookupOf(request);
  const members = lookup.finds === "all" ? [listMember(name)] : Object.keys(lookup.result.fields);
  const unknown = Object.fromEntries(members.map((member) => [member, UNKNOWN]));
  const shown = lookup.finds === "all" ? unknown : withSecrets(lookup, unknown);
  return returned(hasSecret(request.getArgs()) ? allSecret(shown) : shown);
}

/** Throws ConfigurationError for a function that this version of the package does not have. */
function lookupOf(request: wire.InvokeRequest): readonly [name: string, lookup: Lookup] {
  const name = typeOfToken(request.getTok()) ?? "";
  const lookup = Object.hasOwn(lookups, name) ? lookups[name] : undefined;
  if (lookup !== undefined) return [name, lookup];
  throw new ConfigurationError(
    `This version of the provider (${version}) has no function ${request.getTok()}. Known are ${Object.keys(lookups).sort().join(", ")}.`,
  );
}

function withSecrets({ result: { fields } }: Lookup, answer: unknown): Props {
  const entries = Object.entries(isRecord(answer) ? answer : {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name, fields[name]?.secret === true ? asSecret(value) : value]),
  );
}

/** Marks the whole answer as secret, because the API may repeat a secret argument anywhere in it. */
function allSecret(answer: Props): Props {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      value === undefined || isSecret(value) ? value : asSecret(value),
    ]),
  );
}

function returned(answer: Props): wire.InvokeResponse {
  return fillMessage(new messages.InvokeResponse(), { return: structOf(withoutUndefined(answer)) });
}

function refused(faults: LookupError["faults"]): wire.InvokeResponse {
  // Each SDK shows the property after the reason.
  const failuresList = faults.map(({ field, reason }) => failureMessage({ property: field, reason }));
  return fillMessage(new messages.InvokeResponse(), { failuresList });
}
