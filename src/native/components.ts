import * as pulumi from "@pulumi/pulumi";
import { ConfigurationError } from "../api/errors";
import { isRecord } from "../definition/compare-values";
import { nativeToken } from "../engine/urn";
import type { MovedInKeyArgs, RotatingApiKeyArgs } from "../resources/rotating-api-key";
import { RotatingApiKey } from "./program/plugin-classes";

/** Makes a component from the arguments of a program in any language. */
type MakeComponent = (
  name: string,
  args: pulumi.Inputs,
  options: pulumi.ComponentResourceOptions,
) => Promise<{ readonly urn: pulumi.Output<pulumi.URN>; readonly outputs: pulumi.Inputs }>;

/** The components, by their types: the same classes that programs in TypeScript use. */
export const components: Readonly<Record<string, MakeComponent>> = {
  RotatingApiKey: async (name, { slotA, ...args }, options) => {
    const movedIn = slotA === undefined ? {} : { slotA: await movedInKey(name, slotA) };
    const component = new RotatingApiKey(name, { ...args, ...movedIn } as unknown as RotatingApiKeyArgs, options);
    const { urn, current, previous, nextRotation } = component;
    // The language host of YAML loses a secret inside an object, so the whole object is secret.
    return { urn, outputs: { current: pulumi.output(current), previous: pulumi.output(previous), nextRotation } };
  },
};

/** The engine must know aliases when a resource is registered. */
async function movedInKey(name: string, given: unknown): Promise<MovedInKeyArgs> {
  const slotA: unknown = pulumi.Output.isInstance(given) ? await valueOf(given) : given;
  const aliases: unknown = isRecord(slotA) ? slotA["aliases"] : undefined;
  const areAliases = Array.isArray(aliases) && aliases.every((alias) => typeof alias === "string" || isRecord(alias));
  if (areAliases && aliases.some((alias) => typeof alias === "string" && !alias.startsWith("urn:pulumi:")))
    throw new ConfigurationError(
      `RotatingApiKey "${name}": slotA.aliases must be URNs such as "urn:pulumi:dev::my-infra::${nativeToken("ApiKey")}::deployer". ` +
        "`pulumi stack --show-urns` lists them.",
    );
  if (isRecord(slotA) && areAliases && slotA["expiresAt"] !== undefined) return slotA as unknown as MovedInKeyArgs;
  throw new ConfigurationError(
    `RotatingApiKey "${name}": slotA must have aliases, a list of URNs, and expiresAt, and the preview must know both.`,
  );
}

/** The value of an output. Undefined if it is not known before the update. The SDK's function for this is not in its types. */
export function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return (output as unknown as { promise(): Promise<Value> }).promise();
}
