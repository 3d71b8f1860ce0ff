import type { ConfigReader } from "../settings/config";
import { CommandFailure } from "./command-failure";
import type { CliIo } from "./io";
import { encryptedFailure, readStackConfig, stackWords, type StateResource } from "./pulumi/stack";
import { containsSecret } from "../engine/values";
import { urnParts } from "../engine/urn";

/** Reads the configuration of a stack. Rejects with CommandFailure if it cannot be read. */
export async function configOfStack(io: CliIo, stack: string | undefined): Promise<ConfigReader> {
  const config = await readStackConfig(stack, io);
  if (config.status === "unreadable")
    throw new CommandFailure(`The configuration of ${stackWords(stack)} cannot be read: ${config.reason}.`);
  return config.status === "read" ? config.config : noConfig;
}

/** The configuration without a stack, so that only the environment counts. */
export const noConfig: ConfigReader = () => undefined;

/**
 * The settings of an explicit provider, as the last update left them in the state. Throws CommandFailure if the state
 * does not have them, or has them encrypted.
 */
export function configOfProvider(resources: readonly StateResource[], urn: string): ConfigReader {
  const { name } = urnParts(urn);
  const found = resources.filter((resource) => resource.urn === urn);
  const provider = found.find((resource) => resource.delete !== true) ?? found[0];
  if (provider === undefined)
    throw new CommandFailure(`The state does not have the provider "${name}". If it is new, run \`pulumi up\` first.`);
  return (key) => {
    const value = provider.inputs?.[key];
    if (typeof value === "string") return value;
    if (!containsSecret(value)) return value === undefined || value === null ? undefined : JSON.stringify(value);
    throw encryptedFailure(`the ${key} of the provider "${name}"`);
  };
}
