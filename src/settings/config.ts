import type { Environment } from "../process/environment";
import ms from "ms";
import { inferDialect, type Dialect } from "../api/dialect";
import { ConfigurationError } from "../api/errors";
import { parseBaseUrl } from "../api/http/base-url";
import {
  CONFIG_KEYS,
  DEFAULTS,
  environmentName,
  misspelledVariable,
  NAMESPACE,
  settingName,
  type SWITCHES,
  waysToSet,
  type ConfigKey as Key,
} from "../engine/config-keys";
import { ownSource, type CredentialSource } from "./credential-source";
import { durationMs } from "./duration";

export { CONFIG_KEYS, environmentName } from "../engine/config-keys";

export interface SettingsCredential extends CredentialSource {
  readonly apiKey: string;
}

const PREFLIGHTS = ["strict", "fail", "warn", "off"] as const;
export type Preflight = (typeof PREFLIGHTS)[number];

/** The settings of the configuration namespace `cloudinfra` and its environment twins. */
export interface Settings {
  /** The name of an explicit provider, if the settings are its own and not the stack's. */
  readonly provider: string | undefined;
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

/** The value of `operationTimeoutMs` if nobody sets it. A kind with long operations then has its own default. */
export const DEFAULT_OPERATION_TIMEOUT_MS = ms(DEFAULTS.operationTimeout);

/** Reads one key of the stack's configuration, secrets decrypted. */
export type ConfigReader = (key: string) => string | undefined;

interface Source {
  readonly config: ConfigReader;
  readonly environment: Environment;
  readonly provider: string | undefined;
  /** Whether they are those that the last update saved. */
  readonly isSaved?: boolean;
}

/** How each setting is read. They throw ConfigurationError, which says what is missing or wrong, and both ways to set it. */
const readers = {
  apiKey: credentialsOf,
  baseUrl: baseUrlOf,
  projectId: (source) => valueOf(source, "projectId"),
  region: (source) => valueOf(source, "region"),
  dialect: dialectOf,
  costQuotes: (source) => switchOf(source, "costQuotes"),
  preflight: preflightOf,
  allowInsecure: (source) => switchOf(source, "allowInsecure"),
  requestTimeout: (source) => timeoutMs(source, "requestTimeout"),
  operationTimeout: (source) => timeoutMs(source, "operationTimeout"),
} satisfies Readonly<Record<Key, (source: Source) => unknown>>;

/**
 * The settings of this run: the stack's configuration, or that of an explicit provider, then the environment. `isSaved`: the
 * engine has them from the last update. Throws ConfigurationError, which names every mistake.
 */
export function readSettings(
  config: ConfigReader,
  environment: Environment = process.env,
  provider?: string,
  isSaved = false,
): Settings {
  const source: Source = { config, environment, provider, isSaved };
  const faults = faultsIn(source, false);
  if (faults.length > 0) throw new ConfigurationError(faults.map(({ reason }) => reason).join("\n"));
  return {
    provider,
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

interface SettingFault {
  readonly key: Key;
  readonly reason: string;
}

/** All mistakes that `readSettings` would find, one for each key, and an address that is not encrypted. */
export function settingFaults(
  config: ConfigReader,
  environment: Environment,
  provider?: string,
): readonly SettingFault[] {
  return faultsIn({ config, environment, provider }, true);
}

function faultsIn(source: Source, checksEncryption: boolean): readonly SettingFault[] {
  return CONFIG_KEYS.flatMap((key) => {
    try {
      readers[key](source);
      if (key === "baseUrl" && checksEncryption)
        parseBaseUrl(baseUrlOf(source), valueOf(source, "allowInsecure") === "true", source.provider);
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
  const { config, environment, provider, isSaved } = source;
  const name = environmentName("apiKey");
  const fromConfig = nonEmpty(config("apiKey"));
  const fromEnvironment = nonEmpty(environment[name]);
  // The key in the environment may be of another account than that of an explicit provider.
  const isOther = fromConfig !== undefined && (provider !== undefined || fromEnvironment === fromConfig);
  const credentials = [
    ...(fromConfig === undefined ? [] : [{ apiKey: fromConfig, ...ownSource(provider, isSaved === true) }]),
    ...(fromEnvironment === undefined || isOther
      ? []
      : [{ apiKey: fromEnvironment, source: `the environment variable ${name}` }]),
  ];
  if (credentials.length > 0) return credentials;
  throw new ConfigurationError(
    provider === undefined
      ? `No API key is configured. Set it for the stack with "pulumi config set --secret ${NAMESPACE}:apiKey", ` +
          `which asks for it, or in the environment with ${name}=<key>.${misspelledVariable("apiKey", source.environment)}`
      : `The provider "${provider}" has no API key: give it an apiKey, or set ${name}=<key> in the environment.`,
  );
}

function baseUrlOf(source: Source): string {
  const text = valueOf(source, "baseUrl");
  if (text === undefined) {
    const own = "start an API of your own with";
    throw new ConfigurationError(
      (source.provider === undefined
        ? `No base URL is configured: set it with ${waysToSet("baseUrl", "<url>")}, or ${own} `
        : `The provider "${source.provider}" has no base URL: give it a baseUrl, set ${environmentName("baseUrl")}=<url>, or ${own} `) +
        `"npx ${NAMESPACE} simulator", which prints one.${misspelledVariable("baseUrl", source.environment)}`,
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    const given = text.includes("@") ? "" : `, and is ${JSON.stringify(text)}`; // it may have a password
    throw invalid(source, "baseUrl", `must be an http or https URL such as "https://api.example.com"${given}`);
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
  const text = valueOf(source, "preflight") ?? DEFAULTS.preflight;
  const preflight = PREFLIGHTS.find((each) => each === text);
  if (preflight) return preflight;
  throw invalid(source, "preflight", `must be "strict", "fail", "warn" or "off", and is ${JSON.stringify(text)}`);
}

function switchOf(source: Source, key: (typeof SWITCHES)[number]): boolean {
  const text = valueOf(source, key) ?? DEFAULTS[key];
  if (text === "true" || text === "false") return text === "true";
  throw invalid(source, key, `must be "true" or "false", and is ${JSON.stringify(text)}`);
}

/** With a longer time, a timer of Node ends at once. */
const LONGEST_TIMEOUT = "24d";

function timeoutMs(source: Source, key: "requestTimeout" | "operationTimeout"): number {
  const text = valueOf(source, key) ?? DEFAULTS[key];
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

function invalid({ provider }: Source, key: Key, rule: string): ConfigurationError {
  return new ConfigurationError(`${settingName(key, provider)} (or ${environmentName(key)}) ${rule}.`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
