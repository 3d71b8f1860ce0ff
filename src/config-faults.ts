import { CONFIG_KEYS, keyMeantBy, keyNearestTo, NAMESPACE, type ConfigKey } from "./config-keys";

/** An entry of a stack's configuration, without its value: `cloudinfra:apiKey`. */
export interface ConfigEntry {
  readonly key: string;
  readonly isSecret: boolean;
}

/**
 * Faults of a stack's configuration: keys that do not exist, and a credential in plain text. A project that is itself called
 * `cloudinfra` has its own settings under the same names.
 */
export function configurationFaults(entries: readonly ConfigEntry[], project?: string): readonly string[] {
  return entries
    .filter(({ key }) => key.startsWith(`${NAMESPACE}:`))
    .flatMap(({ key, isSecret }) => {
      const name = key.slice(NAMESPACE.length + 1);
      return name === "apiKey" && !isSecret ? [plainTextKey()] : nameFaults([name], project);
    });
}

/** Faults of the names alone, without the namespace. */
export function nameFaults(names: readonly string[], project?: string): readonly string[] {
  return names.flatMap((name) => {
    if ((CONFIG_KEYS as readonly string[]).includes(name)) return [];
    const key = `${NAMESPACE}:${name}`;
    const meant = keyMeantBy(name);
    if (meant !== undefined) return [misspelt(key, meant)];
    return project === NAMESPACE ? [] : [unknown(key, keyNearestTo(name))];
  });
}

function plainTextKey(): string {
  return (
    `The API key is in plain text in the stack's configuration. Encrypt it with ` +
    `"pulumi config set --secret ${NAMESPACE}:apiKey", which asks for it. ` +
    `If others could read the file, make a new key and delete this one.`
  );
}

function misspelt(key: string, meant: ConfigKey): string {
  const [flag, value] = meant === "apiKey" ? ["--secret ", ""] : ["", " <value>"];
  return (
    `${key} is ignored: the key is spelled ${NAMESPACE}:${meant}. Set it with ` +
    `"pulumi config set ${flag}${NAMESPACE}:${meant}${value}", and remove the other with "pulumi config rm ${key}".`
  );
}

function unknown(key: string, nearest: ConfigKey | undefined): string {
  const advice =
    nearest === undefined
      ? `The settings of ${NAMESPACE} are ${CONFIG_KEYS.join(", ")}.`
      : `Did you mean ${NAMESPACE}:${nearest}?`;
  return `${key} is ignored: there is no such setting. ${advice} Remove it with "pulumi config rm ${key}".`;
}
