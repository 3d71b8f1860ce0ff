import { hasSameLetters, nameMeant } from "../text/closest";
import {
  CONFIG_KEYS,
  environmentName,
  findSetting,
  NAMESPACE,
  type ConfigKey,
  type SettingSources,
} from "../engine/settings-list";

/** An entry of a stack's configuration, without its value: `cloudinfra:apiKey`. */
export interface ConfigEntry {
  readonly key: string;
  readonly isSecret: boolean;
}

/** A fault of a stack's configuration. A failure ends the run. */
export interface ConfigFault {
  readonly severity: "failure" | "warning";
  readonly reason: string;
}

/**
 * Finds faults of a stack's configuration: keys that do not exist, and a credential in plain text. A project that is
 * itself called `cloudinfra` may have its own settings in the same namespace.
 */
export function configurationFaults(entries: readonly ConfigEntry[], project?: string): readonly ConfigFault[] {
  return entries
    .filter(({ key }) => key.startsWith(`${NAMESPACE}:`))
    .flatMap(({ key, isSecret }) => {
      const name = key.slice(NAMESPACE.length + 1);
      return name === "apiKey" && !isSecret ? [plainTextKey] : nameFaults([name], project);
    });
}

/** Finds names of settings that do not exist. `names` have no namespace. */
export function nameFaults(names: readonly string[], project?: string, provider?: string): readonly ConfigFault[] {
  return names.flatMap((name): ConfigFault[] => {
    if (provider !== undefined)
      return [{ severity: "failure", reason: `There is no setting ${JSON.stringify(name)}. ${settingMeant(name)}` }];
    if ((CONFIG_KEYS as readonly string[]).includes(name)) return [];
    if (project !== NAMESPACE) return [{ severity: "failure", reason: unknownKey(name) }];
    const isSpelling = CONFIG_KEYS.some((key) => hasSameLetters(key, name));
    return isSpelling ? [{ severity: "warning", reason: unknownKey(name) }] : [];
  });
}

/** Names the environment variables that probably mean a key without a value. */
export function misspelledVariables(given: SettingSources, key: ConfigKey): readonly string[] {
  if (findSetting(given, key)) return [];
  const [prefix, right] = [`${NAMESPACE.toUpperCase()}_`, environmentName(key)];
  return Object.keys(given.environment)
    .filter((name) => name.startsWith(prefix) && name !== right)
    .filter((name) => nameMeant(name.slice(prefix.length), CONFIG_KEYS) === key)
    .map((name) => `No setting has the name ${name}. Did you mean ${right}?`);
}

/**
 * The advice for a setting that does not exist: the closest name, or all names. `prefix` is written before the closest
 * name.
 */
function settingMeant(name: string, prefix = ""): string {
  const meant = nameMeant(name, CONFIG_KEYS);
  return meant === undefined ? `The settings are ${CONFIG_KEYS.join(", ")}.` : `Did you mean ${prefix}${meant}?`;
}

const plainTextKey: ConfigFault = {
  severity: "warning",
  reason:
    `The API key is in plain text in the stack's configuration. Encrypt it with ` +
    `"pulumi config set --secret ${NAMESPACE}:apiKey", which asks for it. ` +
    `If others could read the file, make a new key and delete this one.`,
};

function unknownKey(name: string): string {
  const key = `${NAMESPACE}:${name}`;
  const meant = nameMeant(name, CONFIG_KEYS);
  const [flag, value] = meant === "apiKey" ? ["--secret ", ""] : ["", " <value>"];
  const command = `"pulumi config set ${flag}${NAMESPACE}:${meant ?? ""}${value}"`;
  const remove = `${meant === undefined ? "Remove" : `Set that with ${command}, and remove`} this one with`;
  return `There is no setting ${key}. ${settingMeant(name, `${NAMESPACE}:`)} ${remove} "pulumi config rm ${key}".`;
}
