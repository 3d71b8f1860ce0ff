import * as pulumi from "../engine/pulumi-sdk";
import { CloudinfraError } from "../api/errors/cloudinfra-error";
import { anything } from "../definition/field";
import { isRecord } from "../definition/compare-values";
import { findingText } from "../definition/rule-context";
import { unknownArguments } from "../definition/findings";
import { forProgram } from "../program/program-error";
import { isMocked, checkConfiguration } from "../program/running-program";
import { redacted } from "../text/redaction";
import { nativeToken } from "../engine/urn";
import type * as Session from "./session";
import type { Lookup } from "./lookup-definition";
import type * as RunLookup from "./run-lookup";

/**
 * Calls the API for a function. It runs in the program's process with the stack's configuration, in preview and update.
 * In a unit test, the mocks answer. Rejects with pulumi.RunError, which ends a program with the message and without a
 * stack. Its `cause` is the client's own error.
 */
export async function callApi(
  functionName: string,
  lookup: Lookup,
  args: object,
  options: pulumi.InvokeOptions | undefined,
): Promise<unknown> {
  checkCall(functionName, args, options);
  if (options?.provider !== undefined) {
    throw new pulumi.RunError(
      `${functionName} has an explicit provider. Functions of this package take none, because they use the stack's configuration. ` +
        `Remove the option "provider". For another account or API, make another stack.`,
    );
  }
  if (isMocked()) return invokeFor(lookup)(nativeToken(functionName), { ...args });
  checkConfiguration();
  try {
    // Loads the HTTP client and the schema library at the first call, because most programs call no function. It uses
    // `require`, because `import()` in CommonJS uses the ES module loader, which needs file extensions.
    const { sessionFor } = require("./session") as typeof Session;
    const { runLookup } = require("./run-lookup") as typeof RunLookup;
    const config = new pulumi.Config("cloudinfra");
    const session = sessionFor(
      (key) => config.get(key),
      (message) => void pulumi.log.warn(redacted(message)),
    );
    return await runLookup({ lookup, functionName, session, args: { ...args } });
  } catch (error) {
    throw error instanceof CloudinfraError ? forProgram(error) : error;
  }
}

/**
 * The SDK's call of a provider's function. A list arrives in an object as its only member, and the SDK takes it out.
 */
export function invokeFor({ finds }: Lookup): typeof pulumi.invoke {
  return finds === "all" ? pulumi.invokeSingle : pulumi.invoke;
}

const option = anything();
const OPTIONS = {
  ...{ async: option, dependsOn: option, parent: option },
  ...{ pluginDownloadURL: option, provider: option, version: option },
} satisfies { readonly [Name in keyof Required<pulumi.InvokeOutputOptions & pulumi.InvokeOptions>]: unknown };

/**
 * Throws pulumi.RunError for arguments that are not an object, and for options that do not exist, as plain JavaScript
 * allows them.
 */
export function checkCall(functionName: string, args: unknown, options: object = {}): void {
  if (!isRecord(args)) {
    const given = JSON.stringify(args);
    throw forProgram(
      new Error(`${functionName} takes its arguments in an object, and was given ${given}: ${functionName}({ … }).`),
    );
  }
  const unknown = unknownArguments(functionName, OPTIONS, { ...options }).map(findingText);
  if (unknown.length > 0) throw forProgram(new Error(`The options of ${functionName}: ${unknown.join(" ")}`));
}

/**
 * Makes the result of a function's output form, which waits for its arguments and dependencies. In a preview the result
 * is unknown if one of them is unknown.
 */
export function outputOf<Args, Result>(
  args: Args,
  options: pulumi.InvokeOutputOptions | undefined,
  call: (args: pulumi.Unwrap<Args>, options: pulumi.InvokeOptions) => Promise<Result>,
): pulumi.Output<Result> {
  const { dependsOn, ...others } = options ?? {};
  const ask = (known: pulumi.Unwrap<Args>): Promise<Result> => call(known, others);
  if (dependsOn === undefined) return pulumi.output(args).apply(ask);
  return madeOf(dependsOn).apply(() => pulumi.output(args).apply(ask));
}

/** An output that is known when all the resources exist. */
function madeOf(dependsOn: NonNullable<pulumi.InvokeOutputOptions["dependsOn"]>): pulumi.Output<unknown> {
  const resources = pulumi.output(dependsOn as pulumi.Input<unknown>) as pulumi.Output<
    pulumi.Resource | pulumi.Resource[]
  >;
  return resources.apply((given) => pulumi.all([given].flat().flatMap(idsOf)));
}

/** The ids of a resource or, for a component, of its children. The SDK's own functions wait for these too. */
function idsOf(resource: pulumi.Resource): pulumi.Output<string>[] {
  const { __childResources: children = [] } = resource as { readonly __childResources?: Iterable<pulumi.Resource> };
  const own = pulumi.CustomResource.isInstance(resource) ? resource.id : resource.urn;
  return [own, ...[...children].flatMap(idsOf)];
}
