import { createApi, type Api } from "../api/client";
import { ConfigurationError } from "../api/errors";
import { environmentName, readSettings, type ConfigReader, type Settings } from "../config";
import { collectionAt } from "../lifecycle/calls";
import { version } from "../version";

export { collectionAt };

/** What a function works with. */
export interface Session {
  readonly api: Api;
  readonly settings: Settings;
}

/** By settings: a process can run the programs of several stacks (automation API), each with a credential of its own. */
const sessions = new Map<string, Session>();

/** The session of this process for the settings that are in force now. Throws ConfigurationError. */
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

/** The configured value that stands in for an argument. Throws ConfigurationError, which says the ways to give it. */
export function configuredIn({ settings }: Session, key: "projectId" | "region", what: string): string {
  const value = settings[key];
  if (value !== undefined) return value;
  throw new ConfigurationError(
    `${what} needs a ${key}: give it one, or set it for the stack with "pulumi config set cloudinfra:${key} <value>", ` +
      `or in the environment with ${environmentName(key)}=<value>.`,
  );
}
