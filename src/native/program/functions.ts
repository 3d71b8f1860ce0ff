import * as pulumi from "../../engine/pulumi-sdk";
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
    const ask = (ifUnknown: () => unknown): ReturnType<typeof functionOf> =>
      functionOf(lookup, async (args, options) => (await invoke(name, lookup, args, options)) ?? ifUnknown());
    return [
      [name, ask(() => refuseUnknown(name))],
      [`${name}Output`, outputForm(ask(() => pulumi.unknown))],
    ];
  }),
);

function refuseUnknown(name: string): never {
  const reason = "asks a provider whose settings come from other resources, and are not known before the update";
  throw forProgram(new Error(`${name} ${reason}. Use ${name}Output, whose result is then unknown too.`));
}

/**
 * The plugin's answer. Undefined in a preview that does not know the settings of the provider: the engine then answers
 * with nothing, without asking the plugin. Rejects with pulumi.RunError, which ends a program with the plugin's message
 * and without a stack.
 */
async function invoke(
  name: string,
  lookup: Lookup,
  args: object,
  options: pulumi.InvokeOptions | undefined,
): Promise<unknown> {
  checkCall(name, args, options);
  await warnOfMissingPlugin();
  try {
    const answer: unknown = await invokeFor(lookup)(nativeToken(name), { ...args }, { version, ...options });
    const isNothing = !Array.isArray(answer) && Object.keys(answer ?? {}).length === 0;
    return pulumi.isDryRun() && isNothing ? undefined : answer;
  } catch (cause) {
    throw forProgram(cause instanceof Error ? cause : new Error(String(cause)));
  }
}
