import { createApi, type Api } from "../api/client";
import { ConfigurationError } from "../api/errors";
import { environmentName, readSettings, type ConfigReader, type Settings } from "../config";
import { collectionAt } from "../lifecycle/calls";
import { version } from "../version";

export { collectionAt };

/** The configuration and client of a function. */
export interface Session {
  readonly api: Api;
  readonly settings: Settings;
}

/** By settings, because a process can run the programs of several stacks (Automation API), each with its own credential. */
const sessions = new Map<string, Session>();

/** The session of this process for the present settings. Throws ConfigurationError. */
export function sessionFor(config: ConfigReader, onWarning: (message: string) => void): Session {
  const settings = readSettings(config);
  const key = JSON.stringify(settings);
  const known = sessions.get(key);
  if (known) return known;
  const api = createApi({ ...settings, userAgent: `pulumi-cloudinfra/${version}`, onWarning });
  const session = { api, settings };
  sessions.set(key, session);
  return session;
}

/** The configured default of an argument. Throws ConfigurationError, which says how to give it. */
export function configuredIn({ settings }: Session, key: "projectId" | "region", what: string): string {
  const value = settings[key];
  if (value !== undefined) return value;
  throw new ConfigurationError(
    `${what} needs a ${key}: give it one, or set it for the stack with "pulumi config set cloudinfra:${key} <value>", ` +
      `or in the environment with ${environmentName(key)}=<value>.`,
  );
}
