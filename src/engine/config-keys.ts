import { hasSameLetters } from "../text/closest";
import { words as enumerated } from "../definition/enumeration";

/** The configuration namespace. Its upper case begins the names of the environment variables. */
export const NAMESPACE = "cloudinfra";

/**
 * The keys of the configuration namespace. The environment variable of `apiKey` is `CLOUDINFRA_API_KEY`. The comments are the
 * descriptions in the package schema and in docs/configuration.md.
 */
export const CONFIG_KEYS = [
  /** The API key. Set it with `--secret`. */
  "apiKey",
  /** The address of the API. It may have a path prefix. */
  "baseUrl",
  /** The project, if a resource or function names none. */
  "projectId",
  /** The region, if a resource or function names none. */
  "region",
  /** `spec` or `nirvana`: which names the service uses. */
  "dialect",
  /** If `false`, the provider asks for no quotes. */
  "costQuotes",
  /** `strict`, `fail`, `warn` or `off`: what a preview does with a change that cannot work. */
  "preflight",
  /** A random text, kept with the program: what the stack creates is marked with it, so that a preview knows it again if the state is lost, and a refresh or destroy after the stack was renamed. */
  "stackId",
  /** If `true`, a run adopts the objects that its stack has made and its state does not have. For one run, after the state was lost. */
  "adoptOwn",
  /** `warn`, `fail` or `off`: what a preview does if the API key lacks a permission that the update needs. */
  "permissions",
  /** If `true`, `http://` may reach other machines. The key can then be read on the way. */
  "allowInsecure",
  /** The time limit of one attempt of one request. */
  "requestTimeout",
  /** The time limit of one operation of the API. `customTimeouts` of a resource come first. */
  "operationTimeout",
] as const;

export type ConfigKey = (typeof CONFIG_KEYS)[number];

export const SWITCHES = ["costQuotes", "adoptOwn", "allowInsecure"] as const satisfies readonly ConfigKey[];

export const CHOICES = {
  dialect: enumerated("Dialect", "Which names the service uses.", {
    spec: "Those of the specification.",
    nirvana: "Those of Nirvana Labs.",
  }),
  preflight: enumerated("Preflight", "What a preview does with a change that cannot work.", {
    strict: "It fails, also for a change that has no room now.",
    fail: "It fails.",
    warn: "It warns.",
    off: "It does not ask.",
  }),
  permissions: enumerated(
    "Permissions",
    "What a preview does if the API key lacks a permission that the update needs.",
    {
      fail: "It fails.",
      warn: "It warns.",
      off: "It does not ask.",
    },
  ),
} as const;

/** The default values. Without a `dialect`, the host of the base URL decides. */
export const DEFAULTS = {
  costQuotes: "true",
  preflight: "fail",
  adoptOwn: "false",
  permissions: "warn",
  allowInsecure: "false",
  requestTimeout: "30s",
  operationTimeout: "10m",
} as const satisfies Readonly<Partial<Record<ConfigKey, string>>>;

/** The environment variable of a key: `requestTimeout` is `CLOUDINFRA_REQUEST_TIMEOUT`. */
export function environmentName(key: ConfigKey): string {
  return `${NAMESPACE}_${key.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
}

/** The name of a setting in messages: `cloudinfra:region`, or the argument of an explicit provider. */
export function settingName(key: ConfigKey, provider: string | undefined): string {
  return provider === undefined ? `${NAMESPACE}:${key}` : `${key} of the provider "${provider}"`;
}

/** The words for the base URL in messages, with the name of an explicit provider. */
export function baseUrlName(provider: string | undefined): string {
  return provider === undefined ? "the base URL" : `the base URL of the provider "${provider}"`;
}

/** The ways to give a setting: the command (or the argument of an explicit provider), and the environment variable. */
export function waysToSet(key: ConfigKey, value = "<value>", provider?: string): string {
  const own =
    provider === undefined
      ? `"pulumi config set ${NAMESPACE}:${key} ${value}"`
      : `${key}: "${value}" among the arguments of the provider "${provider}"`;
  return `${own} or ${environmentName(key)}=${value}`;
}

/** What to do if a setting gives no default for an argument. */
export function howToConfigure(key: ConfigKey, provider: string | undefined): string {
  return `set it${provider === undefined ? " for the stack" : ""} with ${waysToSet(key, "<value>", provider)}`;
}

/**
 * Names an environment variable with a misspelled name of the key. Empty if there is none. (Misspelled keys of the stack are refused
 * elsewhere.)
 */
export function misspelledVariable(key: ConfigKey, environment: Readonly<Record<string, string | undefined>>): string {
  const prefix = `${NAMESPACE.toUpperCase()}_`;
  const variable = Object.keys(environment).find(
    (each) =>
      each.startsWith(prefix) && each !== environmentName(key) && hasSameLetters(each.slice(prefix.length), key),
  );
  return variable === undefined ? "" : ` ${variable} is set, but the variable is called ${environmentName(key)}.`;
}

/** Why the key has no value: `: CLOUDINFRA_API_KEY is empty`. Empty if it is not set at all. */
export function whyUnset(
  given: {
    readonly config: (key: ConfigKey) => string | undefined;
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
  key: ConfigKey,
): string {
  const variable = environmentName(key);
  const sources = { [settingName(key, undefined)]: given.config(key), [variable]: given.environment[variable] };
  const empty = Object.keys(sources).filter((source) => sources[source]?.trim() === "");
  return empty.length === 0 ? "" : `: ${empty.join(" and ")} ${empty.length === 1 ? "is" : "are"} empty`;
}
