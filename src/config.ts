import ms, { type StringValue } from "ms";
import { inferDialect, type Dialect } from "./api/dialect";
import { ConfigurationError } from "./api/errors";

/** A credential and where it stands, in words for people. */
export interface SettingsCredential {
  readonly apiKey: string;
  readonly source: string;
}

/** What the configuration namespace `cloudinfra` and its environment twins say. */
export interface Settings {
  /** In order of preference: the stack's configuration, then the environment. */
  readonly credentials: readonly SettingsCredential[];
  readonly baseUrl: string;
  /** Default of every resource's `projectId`, and of an API key's only project. */
  readonly projectId: string | undefined;
  /** Default of every resource's `region`. */
  readonly region: string | undefined;
  readonly dialect: Dialect;
  /** Whether quotes are asked for at all. */
  readonly costQuotes: boolean;
  /** Whether `http://` may reach other machines than this one: the credential then travels in the clear. */
  readonly allowInsecure: boolean;
  /** For one attempt of one request. */
  readonly requestTimeoutMs: number;
  /** For one operation, from its start to its end. */
  readonly operationTimeoutMs: number;
}

/** The keys of the configuration namespace; the environment twin of `apiKey` is `CLOUDINFRA_API_KEY`. */
export const CONFIG_KEYS = [
  "apiKey",
  "baseUrl",
  "projectId",
  "region",
  "dialect",
  "costQuotes",
  "allowInsecure",
  "requestTimeout",
  "operationTimeout",
] as const;
type Key = (typeof CONFIG_KEYS)[number];

/** Reads one key of the stack's configuration, secrets decrypted. */
export type ConfigReader = (key: Key) => string | undefined;
export type Environment = Readonly<Record<string, string | undefined>>;

const NAMESPACE = "cloudinfra";

/** The environment variable that stands for a key: `requestTimeout` is `CLOUDINFRA_REQUEST_TIMEOUT`. */
export function environmentName(key: Key): string {
  return `${NAMESPACE}_${key.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
}

/**
 * The settings of this run. Configuration comes first, the environment where configuration is silent.
 * Throws ConfigurationError, which says what is missing or wrong and both ways to set it.
 */
export function readSettings(config: ConfigReader, environment: Environment = process.env): Settings {
  const value = (key: Key): string | undefined => nonEmpty(config(key)) ?? nonEmpty(environment[environmentName(key)]);
  const baseUrl = baseUrlOf(value("baseUrl"));
  const credentials = credentialsOf(config, environment);
  return {
    credentials,
    baseUrl,
    projectId: value("projectId"),
    region: value("region"),
    dialect: dialectOf(value("dialect"), baseUrl),
    costQuotes: switchOf("costQuotes", value("costQuotes") ?? "true"),
    allowInsecure: switchOf("allowInsecure", value("allowInsecure") ?? "false"),
    requestTimeoutMs: durationMs("requestTimeout", value("requestTimeout") ?? "30s"),
    operationTimeoutMs: durationMs("operationTimeout", value("operationTimeout") ?? "10m"),
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
      `which asks for it, or in the environment with ${name}=<key>.`,
  );
}

function baseUrlOf(text: string | undefined): string {
  if (text === undefined) {
    throw new ConfigurationError(
      `No base URL is configured: set it with "pulumi config set ${NAMESPACE}:baseUrl <url>" or ${environmentName("baseUrl")}=<url>, ` +
        `or start an API of your own with "npx ${NAMESPACE} simulator", which prints one.`,
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw invalid("baseUrl", "must be an http or https URL");
  }
  return text;
}

function dialectOf(text: string | undefined, baseUrl: string): Dialect {
  if (text === undefined) return inferDialect(baseUrl);
  if (text === "spec" || text === "nirvana") return text;
  throw invalid("dialect", 'must be "spec" or "nirvana"');
}

function switchOf(key: Key, text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw invalid(key, 'must be "true" or "false"');
}

function durationMs(key: Key, text: string): number {
  const duration = ms(text as StringValue) as number | undefined; // the types promise a number for every text
  if (duration !== undefined && Number.isFinite(duration) && duration > 0) return duration;
  throw invalid(key, 'must be a duration such as "30s" or "10m"');
}

function invalid(key: Key, rule: string): ConfigurationError {
  return new ConfigurationError(`${NAMESPACE}:${key} (or ${environmentName(key)}) ${rule}.`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
