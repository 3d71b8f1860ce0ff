import * as pulumi from "../../engine/pulumi-sdk";
import { checkCall } from "../../functions/call-api";
import { forProgram } from "../../program/program-error";
import {
  withoutArguments,
  twinWithoutArguments,
  isSecretAnswer,
  secretTwin,
  twin,
  type Lookup,
  type LookupFunction,
} from "../../functions/lookup";
import { lookups } from "../../functions/lookups/lookup-registry";
import { warnOfMissingPlugin } from "./missing-plugin";
import { nativeToken } from "../../engine/urn";
import { version } from "../../process/version";

/** Every function and its twin, by name. They ask the plugin, with the settings of its provider. */
export const functions: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(lookups).flatMap(([name, lookup]) => functionAndTwin(name, lookup)),
);

function functionAndTwin(name: string, lookup: Lookup): [name: string, value: unknown][] {
  const ask: LookupFunction<object, unknown> = (args, options) => invoke(name, lookup, args, options);
  if (lookup.finds !== "byIdOrName" && Object.keys(lookup.args).length === 0) {
    const function_ = withoutArguments(ask);
    return [
      [name, function_],
      [`${name}Output`, twinWithoutArguments(function_)],
    ];
  }
  return [
    [name, ask],
    [`${name}Output`, isSecretAnswer(lookup) ? secretTwin(ask) : twin(ask)],
  ];
}

/** Rejects with pulumi.RunError, which ends a program with the plugin's message and without a stack. */
async function invoke(
  name: string,
  { finds }: Lookup,
  args: object = {},
  options?: pulumi.InvokeOptions,
): Promise<unknown> {
  checkCall(name, args, options);
  await warnOfMissingPlugin();
  const ask = finds === "all" ? pulumi.invokeSingle : pulumi.invoke;
  try {
    return (await ask(nativeToken(name), { ...args }, { version, ...options })) as unknown;
  } catch (cause) {
    throw forProgram(cause instanceof Error ? cause : new Error(String(cause)));
  }
}
