import ms from "ms";
import { inferDialect, type Dialect } from "./api/dialect";
import { ConfigurationError } from "./api/errors";
import {
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

/**
 * The settings of this run: the stack's configuration, then the environment. Throws ConfigurationError, which says what is
 * missing or wrong, and both ways to set it.
 */
export function readSettings(config: ConfigReader, environment: Environment = process.env): Settings {
  const value = (key: Key): string | undefined => nonEmpty(config(key)) ?? nonEmpty(environment[environmentName(key)]);
  const baseUrl = baseUrlOf(value("baseUrl"), misspelling("baseUrl", config, environment));
  const credentials = credentialsOf(config, environment);
  return {
    credentials,
    baseUrl,
    projectId: value("projectId"),
    region: value("region"),
    dialect: dialectOf(value("dialect"), baseUrl),
    costQuotes: switchOf("costQuotes", value("costQuotes") ?? "true"),
    preflight: preflightOf(value("preflight") ?? "fail"),
    allowInsecure: switchOf("allowInsecure", value("allowInsecure") ?? "false"),
    requestTimeoutMs: timeoutMs("requestTimeout", value("requestTimeout") ?? "30s"),
    operationTimeoutMs: timeoutMs("operationTimeout", value("operationTimeout") ?? DEFAULT_OPERATION_TIMEOUT),
  };
}

function credentialsOf(config: ConfigReader, environment: Environment): readonly SettingsCredential[] {
  const name = environmentName("apiKey");
  const fromConfig = nonEmpty(config("apiKey"));
  const fromEnvironment = nonEmpty(environment[name]);
  const credentials = [
    ...(fromConfig === undefined
      ? []
      : [{ apiKey: fromConfig, source: `the stack's configuration (${NAMESPACE}:apiKey)` }]),
    ...(fromEnvironment === undefined || fromEnvironment === fromConfig
      ? []
      : [{ apiKey: fromEnvironment, source: `the environment variable ${name}` }]),
  ];
  if (credentials.length > 0) return credentials;
  throw new ConfigurationError(
    `No API key is configured. Set it for the stack with "pulumi config set --secret ${NAMESPACE}:apiKey", ` +
      `which asks for it, or in the environment with ${name}=<key>.${misspelling("apiKey", config, environment)}`,
  );
}

function baseUrlOf(text: string | undefined, hint: string): string {
  if (text === undefined) {
    throw new ConfigurationError(
      `No base URL is configured: set it with ${waysToSet("baseUrl", "<url>")}, ` +
        `or start an API of your own with "npx ${NAMESPACE} simulator", which prints one.${hint}`,
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw invalid("baseUrl", 'must be an http or https URL such as "https://api.example.com"');
  }
  return text;
}

function dialectOf(text: string | undefined, baseUrl: string): Dialect {
  if (text === undefined) return inferDialect(baseUrl);
  if (text === "spec" || text === "nirvana") return text;
  throw invalid(
    "dialect",
    `must be "spec" or "nirvana", and is ${JSON.stringify(text)}. Without it, the host of the base URL decides: ` +
      `"pulumi config rm ${NAMESPACE}:dialect"`,
  );
}

function preflightOf(text: string): Preflight {
  if (text === "fail" || text === "warn" || text === "off") return text;
  throw invalid("preflight", 'must be "fail", "warn" or "off"');
}

function switchOf(key: (typeof SWITCHES)[number], text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw invalid(key, `must be "true" or "false", and is ${JSON.stringify(text)}`);
}

/** With a longer time, a timer of Node ends at once. */
const LONGEST_TIMEOUT = "24d";

function timeoutMs(key: Key, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) {
    throw invalid(
      key,
      `is ${JSON.stringify(text)}, a number without a unit. Write "${text}s" for seconds or "${text}ms" for milliseconds: ` +
        `"pulumi config set ${NAMESPACE}:${key} ${text}s". ` +
        `(A refresh or destroy takes the configuration of the last update: add --run-program)`,
    );
  }
  const duration = durationMs(text);
  if (duration === undefined || !Number.isFinite(duration) || duration <= 0) {
    throw invalid(key, `must be a duration such as "30s" or "10m", and is ${JSON.stringify(text)}`);
  }
  if (duration > ms(LONGEST_TIMEOUT)) {
    throw invalid(key, `must be at most ${LONGEST_TIMEOUT}, and is ${JSON.stringify(text)}`);
  }
  return duration;
}

/** Names settings with nearly the key's name. Empty if there are none. */
function misspelling(key: Key, config: ConfigReader, environment: Environment): string {
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

function invalid(key: Key, rule: string): ConfigurationError {
  return new ConfigurationError(`${NAMESPACE}:${key} (or ${environmentName(key)}) ${rule}.`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
