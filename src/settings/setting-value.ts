import type { Environment } from "../process/user-folders";
import ms from "ms";
import { ConfigurationError } from "../api/errors";
import {
  defaultOf,
  environmentName,
  findSetting,
  NAMESPACE,
  settingName,
  type ConfigKey as Key,
} from "../engine/settings-list";
import { durationMs } from "../time/duration";

/** Reads one key of the stack's configuration, with secrets decrypted. */
export type ConfigReader = (key: string) => string | undefined;

/** Where the values of settings come from. */
export interface Source {
  readonly config: ConfigReader;
  readonly environment: Environment;
  readonly provider: string | undefined;
  /** True if the settings are those that the last update saved. */
  readonly isSaved: boolean;
}

/** Returns the value of a key. Throws ConfigurationError for a mistake. */
export type Reader<T> = (source: Source, key: Key) => T;

export function valueOf(source: Source, key: Key): string | undefined {
  return findSetting(source, key)?.value;
}

export const isOn: Reader<boolean> = (source, key) => choiceIn(["true", "false"])(source, key) === "true";

export function choiceIn<Choice extends string>(choices: readonly Choice[], advice = ""): Reader<Choice> {
  return (source, key) => {
    const text = valueOf(source, key) ?? defaultOf(key);
    const choice = choices.find((each) => each === text);
    if (choice !== undefined) return choice;
    const quoted = choices.map((each) => JSON.stringify(each));
    const listed = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1) ?? ""}`;
    throw invalid(source, key, `must be ${listed}, and is ${JSON.stringify(text)}${advice}`);
  };
}

/** A timer of Node with a longer time would end at once. */
const MAX_TIMEOUT = "24d";

export function timeoutMsOf(source: Source, key: Key): number {
  const text = valueOf(source, key) ?? defaultOf(key) ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) {
    throw invalid(
      source,
      key,
      `is ${JSON.stringify(text)}, a number without a unit. Write "${text}s" for seconds or "${text}ms" for milliseconds` +
        (source.provider === undefined
          ? `: "pulumi config set ${NAMESPACE}:${key} ${text}s". ` +
            `(A refresh or destroy takes the configuration of the last update: add --run-program)`
          : ""),
    );
  }
  const duration = durationMs(text) ?? 0;
  if (duration > 0 && duration <= ms(MAX_TIMEOUT)) return duration;
  const rule = `must be a duration such as "30s" or "10m", at most ${MAX_TIMEOUT}`;
  throw invalid(source, key, `${rule}, and is ${JSON.stringify(text)}`);
}

export function invalid({ provider }: Source, key: Key, rule: string): ConfigurationError {
  return new ConfigurationError(`${settingName(key, provider)} (or ${environmentName(key)}) ${rule}.`);
}
