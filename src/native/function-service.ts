import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError } from "../api/errors";
import { listMember, type Lookup } from "../functions/lookup";
import { runLookup } from "../functions/run-lookup";
import { LookupError } from "../functions/lookup-definition";
import { lookups } from "../functions/lookups/lookup-registry";
import { isRecord } from "../definition/compare-values";
import { asSecret, containsUnknown, UNKNOWN, withoutAbsent, withoutUndefined } from "../engine/values";
import type { Run } from "../lifecycle/run/run";
import { typeOfToken } from "../engine/urn";
import { version } from "../process/version";
import { failureMessage } from "./engine-answers";
import { fillMessage, hasSecret, messages, recordOf, structOf } from "./messages";

/**
 * Answers a function call of a program in any language. A wrong argument is a failure on that argument. Anything else
 * is an error.
 */
export async function invoke(request: wire.InvokeRequest, run: () => Run): Promise<wire.InvokeResponse> {
  const [name, lookup] = lookupOf(request);
  const args = withoutAbsent(recordOf(request.getArgs())); // the wire format has null for what a program leaves out
  if (containsUnknown(args)) return deferredInvoke(request);
  try {
    return returned(request, await runLookup({ lookup, functionName: name, session: run(), args }));
  } catch (error) {
    if (!(error instanceof LookupError) || error.faults.length === 0) throw error;
    // Each SDK shows the property after the reason.
    const failuresList = error.faults.map(({ field, reason }) => failureMessage({ property: field, reason }));
    return fillMessage(new messages.InvokeResponse(), { failuresList });
  }
}

/** The answer if an argument or a setting is unknown before the update. All its members are unknown. */
export function deferredInvoke(request: wire.InvokeRequest): wire.InvokeResponse {
  const [, { finds, result }] = lookupOf(request);
  const members = Object.keys(result.fields).map((member) => [member, UNKNOWN]);
  return returned(request, finds === "all" ? UNKNOWN : Object.fromEntries(members));
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

/**
 * The answer with its secrets marked. If an argument is secret, all of it is, because the API may repeat the argument
 * anywhere.
 */
function returned(request: wire.InvokeRequest, answer: unknown): wire.InvokeResponse {
  const [name, { finds, result }] = lookupOf(request);
  const isSecretAsked = hasSecret(request.getArgs());
  const members = finds === "all" ? { [listMember(name)]: answer } : withoutUndefined(isRecord(answer) ? answer : {});
  const shown = Object.entries(members).map(([member, value]) => {
    const isMarked = isSecretAsked || (finds !== "all" && result.fields[member]?.secret === true);
    return [member, isMarked ? asSecret(value) : value] as const;
  });
  return fillMessage(new messages.InvokeResponse(), { return: structOf(Object.fromEntries(shown)) });
}
