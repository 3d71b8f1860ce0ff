import { createApi, type Api } from "../api/client";
import { readSettings, type ConfigReader } from "../settings/config";
import { version } from "../process/version";
import { CommandFailure } from "./command-failure";
import type { CliIo } from "./io";
import { readStackConfig } from "./pulumi/stack-config";
import { stackName } from "./pulumi/stack-state";

/** Reads the configuration of a stack. Rejects with CommandFailure if it cannot be read. */
export async function configOfStack({ cwd, environment }: CliIo, stack: string | undefined): Promise<ConfigReader> {
  const config = await readStackConfig({ cwd, environment, stack });
  switch (config.status) {
    case "read":
      return config.config;
    case "absent":
      return noConfig;
    case "unreadable":
      throw new CommandFailure(`The configuration of ${stackName({ stack })} cannot be read: ${config.reason}.`);
  }
}

/** The configuration without a stack: only the environment counts. */
export const noConfig: ConfigReader = () => undefined;

/**
 * The API, signed in as the provider would be: the named one, or the one with the stack's settings. Throws ConfigurationError
 * if settings are missing or wrong.
 */
export function openApi(config: ConfigReader, { environment, clock, stderr }: CliIo, provider?: string): Api {
  return createApi({
    ...readSettings(config, environment, provider),
    userAgent: `pulumi-cloudinfra/${version}`,
    clock,
    onWarning: (message) => stderr.write(`warning: ${message}\n`),
  });
}

/** The API's time in epoch milliseconds. The regions need no permission: any valid key sees them. */
export async function serviceTimeOf(api: Api): Promise<number> {
  await api.regions.list({ what: "ask for the API's time" })[Symbol.asyncIterator]().next();
  return api.serverNow();
}
