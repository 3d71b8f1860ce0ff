import type { Environment } from "../process/user-folders";
import ms from "ms";
import { requireUsable, USUAL_REMEDY, type Credential } from "../api/http/credentials";
import { inferDialect, type Dialect } from "../api/dialect";
import { ConfigurationError } from "../api/errors";
import { parseBaseUrl, withScheme } from "../api/http/base-url";
import {
  CONFIG_KEYS,
  SETTINGS,
  whyUnset,
  environmentName,
  NAMESPACE,
  trimmedText,
  settingName,
  waysToSet,
  type ConfigKey as Key,
} from "../engine/settings-list";
import { outputAsTextFault } from "../text/output-as-text";
import { misspelledVariables } from "./config-faults";
import {
  choiceIn,
  invalid,
  isOn,
  timeoutMsOf,
  valueOf,
  type ConfigReader,
  type Reader,
  type Source,
} from "./setting-value";

export { CONFIG_KEYS, environmentName, type ConfigReader };

/** The default of `operationTimeoutMs`. A kind whose creation waits for its own endpoint has a longer one. */
export const DEFAULT_OPERATION_TIMEOUT_MS = ms(SETTINGS.operationTimeout.default);

/**
 * Reads the settings of this run: those of the stack or of an explicit provider, then the environment. `isSaved`: the
 * last update saved them. Throws a ConfigurationError that names every mistake.
 */
export function readSettings(
  config: ConfigReader,
  environment: Environment = process.env,
  provider?: string,
  isSaved = false,
): Settings {
  const { settings, faults } = settingsOrFaults(config, environment, provider, isSaved);
  if (settings) return settings;
  throw new ConfigurationError(faults.map(({ reason }) => reason).join("\n"));
}

export interface SettingFault {
  readonly key: Key;
  /** The fault, and the ways to set the value. */
  readonly reason: string;
}

/** The values of `SETTINGS`, from the configuration or the environment. */
export type Settings = Readonly<ReturnType<typeof settingsFrom>>;

/** As `readSettings`, but returns the mistakes. If there are any, there are no settings. */
export function settingsOrFaults(
  config: ConfigReader,
  environment: Environment,
  provider?: string,
  isSaved = false,
): { readonly settings: Settings | undefined; readonly faults: readonly SettingFault[] } {
  const source: Source = { config, environment, provider, isSaved };
  const faults: SettingFault[] = [];
  const read = <T>(key: Key, reader: Reader<T>): T => {
    try {
      assertGiven(source, key);
      return reader(source, key);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      faults.push({ key, reason: [error.message, ...misspelledVariables(source, key)].join(" ") });
      return undefined as T; // not used, because settings with a fault are not returned
    }
  };
  const settings = settingsFrom(source, read);
  return { settings: faults.length === 0 ? settings : undefined, faults };
}

function settingsFrom(source: Source, read: <T>(key: Key, reader: Reader<T>) => T) {
  return {
    /** The name of an explicit provider, if the settings are its own and not the stack's. */
    provider: source.provider,
    credential: read("apiKey", credentialOf),
    baseUrl: read("baseUrl", baseUrlOf),
    /** The default of every resource's `projectId`, and of an API key's only project. */
    projectId: read("projectId", valueOf),
    region: read("region", valueOf),
    dialect: read("dialect", dialectOf),
    costQuotes: read("costQuotes", isOn),
    preflight: read("preflight", choiceIn(SETTINGS.preflight.form.values)),
    /** Identifies the objects that the stack creates. See `markOf`. */
    stackId: read("stackId", valueOf),
    /** Needs a `stackId`. */
    adoptOwn: read("adoptOwn", isOn),
    permissions: read("permissions", choiceIn(SETTINGS.permissions.form.values)),
    allowInsecure: read("allowInsecure", isOn),
    requestTimeoutMs: read("requestTimeout", timeoutMsOf),
    operationTimeoutMs: read("operationTimeout", timeoutMsOf),
    /** The settings that the stack or the provider gives as empty texts. */
    empty: CONFIG_KEYS.filter((key) => source.config(key)?.trim() === ""),
    misspelledVariables: CONFIG_KEYS.flatMap((key) => misspelledVariables(source, key)),
  };
}

/** Throws ConfigurationError for an Output in a text, and for an empty value of an explicit provider. */
function assertGiven(source: Source, key: Key): void {
  const { config, provider } = source;
  const given = config(key);
  const outputAsText = outputAsTextFault(given);
  if (outputAsText !== undefined) throw invalid(source, key, outputAsText);
  if (provider === undefined || given === undefined || trimmedText(given) !== undefined) return;
  throw new ConfigurationError(
    `${settingName(key, provider)} is empty. The setting or the output that it comes from may be empty. ` +
      `Give it a value, or leave it out: then ${environmentName(key)} is used.`,
  );
}

function credentialOf(source: Source): Credential {
  const { config, environment, provider } = source;
  const name = environmentName("apiKey");
  const fromConfig = trimmedText(config("apiKey"));
  const fromEnvironment = trimmedText(environment[name]);
  if (fromConfig !== undefined) {
    const hasOther = fromEnvironment !== undefined && fromEnvironment !== fromConfig;
    return requireUsable({ apiKey: fromConfig, ...ownSource(source, hasOther) });
  }
  if (fromEnvironment !== undefined)
    return requireUsable({ apiKey: fromEnvironment, source: `the environment variable ${name}` });
  throw new ConfigurationError(
    provider === undefined
      ? `No API key is configured${whyUnset(source, "apiKey")}. Set it for the stack with "pulumi config set --secret ${NAMESPACE}:apiKey", ` +
          `which asks for it, or in the environment with ${name}=<key>.`
      : `The provider "${provider}" has no API key: give it an apiKey, or set ${name}=<key> in the environment.`,
  );
}

/** The source of a configured key in words, and the advice if the API refuses it. `hasOther`: in the environment. */
function ownSource({ provider, isSaved }: Source, hasOther: boolean): Pick<Credential, "source" | "remedy"> {
  const setting = settingName("apiKey", provider);
  const details = [...(provider === undefined ? [setting] : []), ...(isSaved ? ["as the last update saved it"] : [])];
  const owner = provider === undefined ? "the stack's configuration" : `the provider "${provider}"`;
  const source = details.length === 0 ? owner : `${owner} (${details.join(", ")})`;
  const other =
    hasOther && provider === undefined
      ? ` ${environmentName("apiKey")} has another key, which may belong to another account. To use it, run \`pulumi config rm ${setting}\`${isSaved ? " and add `--run-program`" : ""}.`
      : "";
  if (!isSaved) return { source, remedy: `${USUAL_REMEDY}${other}` };
  const declared = provider === undefined ? "" : " If the program no longer has the provider, declare it again.";
  const remedy =
    `If ${setting} is not a valid key yet, set it to one.${declared} Then run \`pulumi up\` first, or add \`--run-program\`: ` +
    `without it, a refresh or destroy takes the settings that the last update saved.${other}`;
  return { source, remedy };
}

function baseUrlOf(source: Source): string {
  const text = valueOf(source, "baseUrl");
  if (text === undefined) {
    const own = "start your own API with";
    throw new ConfigurationError(
      (source.provider === undefined
        ? `No base URL is configured${whyUnset(source, "baseUrl")}. Set it with ${waysToSet("baseUrl", "<url>")}, or ${own} `
        : `The provider "${source.provider}" has no base URL: give it a baseUrl, set ${environmentName("baseUrl")}=<url>, or ${own} `) +
        `"npx ${NAMESPACE} simulator", which prints one.`,
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    const meant = withScheme(text);
    const rest = meant && `, and is "${text}". Set it with ${waysToSet("baseUrl", meant, source.provider)}`;
    throw invalid(source, "baseUrl", `must be an http or https URL${rest ?? ' such as "https://api.example.com"'}`);
  }
  parseBaseUrl(text, valueOf(source, "allowInsecure") === "true", source.provider);
  return text;
}

function dialectOf(source: Source, key: Key): Dialect {
  if (valueOf(source, key) === undefined) return inferDialect(valueOf(source, "baseUrl") ?? "");
  const remove = source.provider === undefined ? `: "pulumi config rm ${NAMESPACE}:${key}"` : "";
  const advice = `. Without it, the host of the base URL decides${remove}`;
  return choiceIn(SETTINGS.dialect.form.values, advice)(source, key);
}
