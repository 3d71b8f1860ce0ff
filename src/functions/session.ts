import { Api } from "../api/client";
import { readSettings, type ConfigReader, type Settings } from "../settings/config";
import { userAgent } from "../process/version";

export interface Session {
  readonly api: Api;
  readonly settings: Settings;
  /** The advice of errors that functions have already given. */
  readonly explained: Set<string>;
}

/**
 * The sessions by settings, because a process can run the programs of several stacks (Automation API), each with its
 * own credential.
 */
const sessions = new Map<string, Session>();

/** The session for the present settings. Throws ConfigurationError. */
export function sessionFor(config: ConfigReader, onWarning: (message: string) => void): Session {
  const settings = readSettings(config);
  const key = JSON.stringify(settings);
  const known = sessions.get(key);
  if (known) return known;
  const api = new Api({ ...settings, userAgent, onWarning });
  const session = { api, settings, explained: new Set<string>() };
  sessions.set(key, session);
  return session;
}
