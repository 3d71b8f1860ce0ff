import * as pulumi from "@pulumi/pulumi";
import {
  alone,
  aloneTwin,
  bare,
  bareTwin,
  isSecretAnswer,
  secretTwin,
  twin,
  type Lookup,
  type LookupFunction,
} from "../../functions/lookup";
import { lookups } from "../../functions/lookups";
import { nativeToken } from "../../type-tokens";
import { version } from "../../version";

/** Every function and its twin, by name. They ask the plugin, with the settings of its provider. */
export const functions: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(lookups).flatMap(([name, lookup]) => functionAndTwin(name, lookup)),
);

function functionAndTwin(name: string, lookup: Lookup): [name: string, value: unknown][] {
  const ask: LookupFunction<object, unknown> = (args, options) => invoke(name, lookup, args, options);
  if (lookup.finds !== "sought" && Object.keys(lookup.args).length === 0) {
    const alone = bare(ask);
    return [
      [name, alone],
      [`${name}Output`, bareTwin(alone)],
    ];
  }
  if (lookup.alone !== undefined) {
    const function_ = alone(ask as (args: never) => Promise<unknown>, lookup.alone);
    return [
      [name, function_],
      [`${name}Output`, aloneTwin(function_)],
    ];
  }
  return [
    [name, ask],
    [`${name}Output`, isSecretAnswer(lookup) ? secretTwin(ask) : twin(ask)],
  ];
}

/** Rejects with pulumi.RunError, which ends a program with the plugin's sentence and without a stack. */
async function invoke(
  name: string,
  { finds }: Lookup,
  args: object = {},
  options?: pulumi.InvokeOptions,
): Promise<unknown> {
  const ask = finds === "all" ? pulumi.runtime.invokeSingle : pulumi.runtime.invoke;
  try {
    return (await ask(nativeToken(name), { ...args }, { version, ...options })) as unknown;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const error = new pulumi.RunError(message, { cause });
    error.stack = message; // where nothing awaits the promise, the stack is printed all the same
    throw error;
  }
}
