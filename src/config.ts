import ms from "ms";
import { inferDialect, type Dialect } from "./api/dialect";
import { ConfigurationError } from "./api/errors";
import { parseBaseUrl } from "./api/http/base-url";
import {
  CONFIG_KEYS,
  environmentName,
  keyMeantBy,
  misspellingsOf,
  NAMESPACE,
  type SWITCHES,
  waysToSet,
  type ConfigKey as Key,
} from "./config-keys";
import { durationMs } from "./duration";

export { CONFIG_KEYS, environmentName } from "./config-keys";

/** A credential and its source, in words for people. */
export interface SettingsCredential {
  readonly apiKey: string;
  readonly source: string;
}

/** See `Settings.preflight`. */
export type Preflight = "fail" | "warn" | "off";

/** The settings of the configuration namespace `cloudinfra` and its environment twins. */
export interface Settings {
  /** In order of preference: the stack's configuration, then the environment. */
  readonly credentials: readonly SettingsCredential[];
  readonly baseUrl: string;
  /** The default of every resource's `projectId`, and of an API key's only project. */
  readonly projectId: string | undefined;
  /** The default of every resource's `region`. */
  readonly region: string | undefined;
  readonly dialect: Dialect;
  /** False if the provider must not ask for quotes. */
  readonly costQuotes: boolean;
  /** What a preview does if the API refuses a proposal: it fails, warns, or ignores it. */
  readonly preflight: Preflight;
  /** True if `http://` may reach other machines. The credential is then readable on the way. */
  readonly allowInsecure: boolean;
  /** The time limit of one attempt of a request. */
  readonly requestTimeoutMs: number;
  /** The time limit of one operation, from its start to its end. */
  readonly operationTimeoutMs: number;
}

const DEFAULT_OPERATION_TIMEOUT = "10m";

/** The value of `operationTimeoutMs` if nobody sets it. A kind with long operations then has its own default. */
export const DEFAULT_OPERATION_TIMEOUT_MS = ms(DEFAULT_OPERATION_TIMEOUT);

/** Reads one key of the stack's configuration, secrets decrypted. */
export type ConfigReader = (key: string) => string | undefined;
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the settings of a run come from. */
interface Source {
  readonly config: ConfigReader;
  readonly environment: Environment;
  /** The name of an explicit provider, if the settings are its own and not the stack's. */
  readonly provider: string | undefined;
}

/** How each setting is read. They throw ConfigurationError, which says what is missing or wrong, and both ways to set it. */
const readers = {
  apiKey: credentialsOf,
  baseUrl: baseUrlOf,
  projectId: (source) => valueOf(source, "projectId"),
  region: (source) => valueOf(source, "region"),
  dialect: dialectOf,
  costQuotes: (source) => switchOf(source, "costQuotes", "true"),
  preflight: preflightOf,
  allowInsecure: (source) => switchOf(source, "allowInsecure", "false"),
  requestTimeout: (source) => timeoutMs(source, "requestTimeout", "30s"),
  operationTimeout: (source) => timeoutMs(source, "operationTimeout", DEFAULT_OPERATION_TIMEOUT),
} satisfies Readonly<Record<Key, (source: Source) => unknown>>;

/**
 * The settings of this run: the stack's configuration, or that of an explicit provider, then the environment. Throws
 * ConfigurationError for the first mistake.
 */
export function readSettings(
  config: ConfigReader,
  environment: Environment = process.env,
  provider?: string,
): Settings {
  const source: Source = { config, environment, provider };
  return {
    baseUrl: readers.baseUrl(source),
    credentials: readers.apiKey(source),
    projectId: readers.projectId(source),
    region: readers.region(source),
    dialect: readers.dialect(source),
    costQuotes: readers.costQuotes(source),
    preflight: readers.preflight(source),
    allowInsecure: readers.allowInsecure(source),
    requestTimeoutMs: readers.requestTimeout(source),
    operationTimeoutMs: readers.operationTimeout(source),
  };
}

/** All mistakes that `readSettings` would find, one for each key. */
export function settingFaults(
  config: ConfigReader,
  environment: Environment,
  provider?: string,
): readonly { readonly key: Key; readonly reason: string }[] {
  return CONFIG_KEYS.flatMap((key) => {
    try {
      const source = { config, environment, provider };
      readers[key](source);
      if (key === "baseUrl") parseBaseUrl(baseUrlOf(source), valueOf(source, "allowInsecure") === "true");
      return [];
    } catch (error) {
      if (error instanceof ConfigurationError) return [{ key, reason: error.message }];
      throw error;
    }
  });
}

function valueOf({ config, environment }: Pick<Source, "config" | "environment">, key: Key): string | undefined {
  return nonEmpty(config(key)) ?? nonEmpty(environment[environmentName(key)]);
}

function credentialsOf(source: Source): readonly SettingsCredential[] {
  const { config, environment, provider } = source;
  const name = environmentName("apiKey");
  const fromConfig = nonEmpty(config("apiKey"));
  const fromEnvironment = nonEmpty(environment[name]);
  const own = provider === undefined ? `the stack's configuration (${NAMESPACE}:apiKey)` : `the provider "${provider}"`;
  // The key in the environment may be of another account than that of an explicit provider.
  const isOther = fromConfig !== undefined && (provider !== undefined || fromEnvironment === fromConfig);
  const credentials = [
    ...(fromConfig === undefined ? [] : [{ apiKey: fromConfig, source: own }]),
    ...(fromEnvironment === undefined || isOther
      ? []
      : [{ apiKey: fromEnvironment, source: `the environment variable ${name}` }]),
  ];
  if (credentials.length > 0) return credentials;
  throw new ConfigurationError(
    provider === undefined
      ? `No API key is configured. Set it for the stack with "pulumi config set --secret ${NAMESPACE}:apiKey", ` +
          `which asks for it, or in the environment with ${name}=<key>.${misspelling("apiKey", source)}`
      : `The provider "${provider}" has no API key: give it an apiKey, or set ${name}=<key> in the environment.`,
  );
}

function baseUrlOf(source: Source): string {
  const text = valueOf(source, "baseUrl");
  const { provider } = source;
  if (text === undefined) {
    const own = "start an API of your own with";
    throw new ConfigurationError(
      (provider === undefined
        ? `No base URL is configured: set it with ${waysToSet("baseUrl", "<url>")}, or ${own} `
        : `The provider "${provider}" has no base URL: give it a baseUrl, set ${environmentName("baseUrl")}=<url>, or ${own} `) +
        `"npx ${NAMESPACE} simulator", which prints one.${misspelling("baseUrl", source)}`,
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw invalid(source, "baseUrl", 'must be an http or https URL such as "https://api.example.com"');
  }
  return text;
}

function dialectOf(source: Source): Dialect {
  const text = valueOf(source, "dialect");
  if (text === undefined) return inferDialect(valueOf(source, "baseUrl") ?? "");
  if (text === "spec" || text === "nirvana") return text;
  throw invalid(
    source,
    "dialect",
    `must be "spec" or "nirvana", and is ${JSON.stringify(text)}. Without it, the host of the base URL decides` +
      (source.provider === undefined ? `: "pulumi config rm ${NAMESPACE}:dialect"` : ""),
  );
}

function preflightOf(source: Source): Preflight {
  const text = valueOf(source, "preflight") ?? "fail";
  if (text === "fail" || text === "warn" || text === "off") return text;
  throw invalid(source, "preflight", 'must be "fail", "warn" or "off"');
}

function switchOf(source: Source, key: (typeof SWITCHES)[number], otherwise: string): boolean {
  const text = valueOf(source, key) ?? otherwise;
  if (text === "true" || text === "false") return text === "true";
  throw invalid(source, key, `must be "true" or "false", and is ${JSON.stringify(text)}`);
}

/** With a longer time, a timer of Node ends at once. */
const LONGEST_TIMEOUT = "24d";

function timeoutMs(source: Source, key: Key, otherwise: string): number {
  const text = valueOf(source, key) ?? otherwise;
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
  const duration = durationMs(text);
  if (duration === undefined || !Number.isFinite(duration) || duration <= 0) {
    throw invalid(source, key, `must be a duration such as "30s" or "10m", and is ${JSON.stringify(text)}`);
  }
  if (duration > ms(LONGEST_TIMEOUT)) {
    throw invalid(source, key, `must be at most ${LONGEST_TIMEOUT}, and is ${JSON.stringify(text)}`);
  }
  return duration;
}

/** Names settings with nearly the key's name. Empty if there are none. */
function misspelling(key: Key, { config, environment }: Source): string {
  const name = misspellingsOf(key).find((spelling) => nonEmpty(config(spelling)) !== undefined);
  const secret = key === "apiKey" ? "--secret " : "";
  if (name !== undefined) {
    return (
      ` ${NAMESPACE}:${name} is set, but the key is spelled ${NAMESPACE}:${key}: set it with ` +
      `"pulumi config set ${secret}${NAMESPACE}:${key}", and remove the other with "pulumi config rm ${NAMESPACE}:${name}".`
    );
  }
  const prefix = `${NAMESPACE.toUpperCase()}_`;
  const variable = Object.keys(environment).find(
    (each) => each.startsWith(prefix) && each !== environmentName(key) && keyMeantBy(each.slice(prefix.length)) === key,
  );
  return variable === undefined ? "" : ` ${variable} is set, but the variable is called ${environmentName(key)}.`;
}

function invalid({ provider }: Source, key: Key, rule: string): ConfigurationError {
  const setting = provider === undefined ? `${NAMESPACE}:${key}` : `${key} of the provider "${provider}"`;
  return new ConfigurationError(`${setting} (or ${environmentName(key)}) ${rule}.`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
