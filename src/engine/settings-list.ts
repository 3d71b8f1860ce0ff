import { words as enumerated, type Enumeration } from "../definition/enumeration";

/** The configuration namespace. Its upper case begins the names of the environment variables. */
export const NAMESPACE = "cloudinfra";

interface Setting {
  /** An enumeration: one of its values. A switch is `true` or `false`. */
  readonly form: "text" | "switch" | "duration" | Enumeration;
  readonly default?: string;
}

const dialectNames = enumerated("Dialect", "Which names the API uses.", {
  spec: "Those of the specification.",
  nirvana: "Those of Nirvana Labs.",
});

const preflightModes = enumerated("Preflight", "What a preview does with a change that cannot work.", {
  strict: "It fails, also if the API only lacks capacity now.",
  fail: "It fails.",
  warn: "It warns.",
  off: "It does not ask.",
});

const permissionModes = enumerated(
  "Permissions",
  "What a preview does if the API key lacks a permission that the update needs.",
  {
    fail: "It fails.",
    warn: "It warns.",
    off: "It does not ask.",
  },
);

/**
 * The settings by their keys in the configuration namespace. The environment variable of `apiKey` is
 * `CLOUDINFRA_API_KEY`. The comments are the descriptions in the package schema and in docs/configuration.md.
 * `readSettings` has a reader for each.
 */
export const SETTINGS = {
  /** The API key. Set it with `--secret`. */
  apiKey: { form: "text" },
  /** The address of the API, with `https://`. It may have a path prefix. */
  baseUrl: { form: "text" },
  /** The id of the project, if a resource or function names none. */
  projectId: { form: "text" },
  /** The name of the region, if a resource or function names none. */
  region: { form: "text" },
  /** `spec` or `nirvana`: which names the API uses. */
  dialect: { form: dialectNames }, // no default, because the host of the base URL decides
  /**
   * If `false`, the provider asks for no quotes: costs are unknown, and a preview does not check kinds without an
   * availability endpoint.
   */
  costQuotes: { form: "switch", default: "true" },
  /** `strict`, `fail`, `warn` or `off`: what a preview does with a change that cannot work. */
  preflight: { form: preflightModes, default: "fail" },
  /**
   * A random id of the stack, such as a UUID. The provider marks what it creates with it, and then recognizes its
   * objects after a lost state (in a preview) or after the stack was renamed (in a refresh or destroy).
   */
  stackId: { form: "text" },
  /**
   * If `true`, a run adopts the objects that its stack has made and its state lacks. It needs the `stackId` with which
   * they were made. Use it for one run, after a lost state.
   */
  adoptOwn: { form: "switch", default: "false" },
  /** `warn`, `fail` or `off`: what a preview does if the API key lacks a permission that the update needs. */
  permissions: { form: permissionModes, default: "warn" },
  /**
   * If `true`, the base URL may have `http://`, which is otherwise for this machine only. Others in the network can
   * then read the key.
   */
  allowInsecure: { form: "switch", default: "false" },
  /** The time limit of one attempt of a request. */
  requestTimeout: { form: "duration", default: "30s" },
  /**
   * The time limit of one operation of the API; for the creation of an NKS cluster, `30m` by default. `customTimeouts`
   * of a resource come first.
   */
  operationTimeout: { form: "duration", default: "10m" },
} as const satisfies Readonly<Record<string, Setting>>;

export type ConfigKey = keyof typeof SETTINGS;

export const CONFIG_KEYS = Object.keys(SETTINGS) as readonly ConfigKey[];

export function defaultOf(key: ConfigKey): string | undefined {
  const setting: Setting = SETTINGS[key];
  return setting.default;
}

/** The environment variable of a key: `requestTimeout` is `CLOUDINFRA_REQUEST_TIMEOUT`. */
export function environmentName(key: ConfigKey): string {
  return `${NAMESPACE}_${key.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
}

/** The name of a setting in messages: `cloudinfra:region`, or the argument of an explicit provider. */
export function settingName(key: ConfigKey, provider: string | undefined): string {
  return provider === undefined ? `${NAMESPACE}:${key}` : `${key} of the provider "${provider}"`;
}

/** The words for the base URL in messages, without an article, and with the name of an explicit provider. */
export function baseUrlName(provider: string | undefined): string {
  return provider === undefined ? "base URL" : `base URL of the provider "${provider}"`;
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

export interface SettingSources {
  readonly config: (key: ConfigKey) => string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A setting and its source in words. The configuration comes before the environment. */
export function findSetting(
  { config, environment }: SettingSources,
  key: ConfigKey,
): { readonly value: string; readonly source: string } | undefined {
  const fromConfig = trimmedText(config(key));
  if (fromConfig !== undefined) return { value: fromConfig, source: `the stack's configuration (${NAMESPACE}:${key})` };
  const value = trimmedText(environment[environmentName(key)]);
  return value === undefined ? undefined : { value, source: `the environment variable ${environmentName(key)}` };
}

export function trimmedText(text: string | undefined): string | undefined {
  return text?.trim() || undefined;
}

/** Why the key has no value: `: CLOUDINFRA_API_KEY is empty`. Empty if it is not set at all. */
export function whyUnset(given: SettingSources, key: ConfigKey): string {
  const variable = environmentName(key);
  const sources = { [settingName(key, undefined)]: given.config(key), [variable]: given.environment[variable] };
  const empty = Object.keys(sources).filter((source) => sources[source]?.trim() === "");
  return empty.length === 0 ? "" : `: ${empty.join(" and ")} ${empty.length === 1 ? "is" : "are"} empty`;
}
