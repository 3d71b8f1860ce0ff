import type * as pulumi from "@pulumi/pulumi";
import { checkCall, invokeFor } from "../../functions/call-api";
import { forProgram } from "../../program/program-error";
import { functionOf, outputForm, type Lookup } from "../../functions/lookup";
import { lookups } from "../../functions/lookups/lookup-registry";
import { warnOfMissingPlugin } from "./missing-plugin";
import { nativeToken } from "../../engine/urn";
import { version } from "../../process/version";

/** Every function and its output form, by name. They ask the plugin, with the settings of its provider. */
export const functions: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(lookups).flatMap(([name, lookup]): [string, unknown][] => {
    const ask = functionOf(lookup, (args, options) => invoke(name, lookup, args, options));
    return [
      [name, ask],
      [`${name}Output`, outputForm(ask)],
    ];
  }),
);

/** Rejects with pulumi.RunError, which ends a program with the plugin's message and without a stack. */
async function invoke(
  name: string,
  lookup: Lookup,
  args: object,
  options: pulumi.InvokeOptions | undefined,
): Promise<unknown> {
  checkCall(name, args, options);
  await warnOfMissingPlugin();
  try {
    return (await invokeFor(lookup)(nativeToken(name), { ...args }, { version, ...options })) as unknown;
  } catch (cause) {
    throw forProgram(cause instanceof Error ? cause : new Error(String(cause)));
  }
}
