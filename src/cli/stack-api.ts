import { Api } from "../api/client";
import { readSettings, type ConfigReader } from "../settings/config";
import { userAgent } from "../process/version";
import { CommandFailure } from "./command-failure";
import type { CliIo } from "./io";
import { readStackConfig, stackWords, type StateResource } from "./pulumi/stack";
import { isRecord } from "../definition/compare-values";
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
 * Opens the API with the settings of the named provider, or of the stack. Throws ConfigurationError if settings are missing or wrong.
 */
export function openApi(config: ConfigReader, { environment, clock, stderr }: CliIo, provider?: string): Api {
  return new Api({
    ...readSettings(config, environment, provider),
    userAgent,
    clock,
    onWarning: (message) => stderr.write(`warning: ${message}\n`),
  });
}

/** Opens the API as a provider would. `provider`: the URN of an explicit one. Rejects with CommandFailure or ConfigurationError. */
export type Connect = (provider: string | undefined) => Promise<Api>;

/**
 * Makes a `Connect`. `secrets`: reads the state with its secrets. It is called at most once, and only for the keys of explicit
 * providers.
 */
export function apiOpener(config: ConfigReader, secrets: () => Promise<readonly StateResource[]>, io: CliIo): Connect {
  let read: Promise<readonly StateResource[]> | undefined;
  return async (provider) => {
    if (provider === undefined) return openApi(config, io);
    return openApi(configOfProvider(await (read ??= secrets()), provider), io, urnParts(provider).name);
  };
}

/**
 * The settings of an explicit provider, as the last update left them in the state. Throws CommandFailure if the state does not have
 * them, or has them encrypted.
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
    if (!isRecord(value)) return value === undefined || value === null ? undefined : JSON.stringify(value);
    if (typeof value["plaintext"] === "string") return String(JSON.parse(value["plaintext"]));
    throw new CommandFailure(
      `The state has the ${key} of the provider "${name}" encrypted. Print it with \`pulumi stack export --show-secrets\`, ` +
        `or name the stack with --stack instead of --state.`,
    );
  };
}
