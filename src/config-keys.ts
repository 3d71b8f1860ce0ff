import { editDistance } from "./edit-distance";

/** The configuration namespace, and the beginning of the environment twins. */
export const NAMESPACE = "cloudinfra";

/**
 * The keys of the configuration namespace. The environment twin of `apiKey` is `CLOUDINFRA_API_KEY`. The comments are the descriptions in
 * the package schema and in docs/configuration.md.
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
  /** `warn` or `off`: what a preview does with a change that cannot work. */
  "preflight",
  /** If `true`, `http://` may reach other machines. The key can then be read on the way. */
  "allowInsecure",
  /** The time limit of one attempt of one request. */
  "requestTimeout",
  /** The time limit of one operation of the API. `customTimeouts` of a resource come first. */
  "operationTimeout",
] as const;

/** A key of the configuration namespace. */
export type ConfigKey = (typeof CONFIG_KEYS)[number];

/** The keys whose value is \`true\` or \`false\`. */
export const SWITCHES = ["costQuotes", "allowInsecure"] as const satisfies readonly ConfigKey[];

/** The environment variable of a key: `requestTimeout` is `CLOUDINFRA_REQUEST_TIMEOUT`. */
export function environmentName(key: ConfigKey): string {
  return `${NAMESPACE}_${words(key).join("_")}`.toUpperCase();
}

/** The two ways to give a setting: the command, and the environment variable. */
export function waysToSet(key: ConfigKey, value = "<value>"): string {
  return `"pulumi config set ${NAMESPACE}:${key} ${value}" or ${environmentName(key)}=${value}`;
}

/** The key that a misspelt name means: the same letters in another case, with or without separators. */
export function keyMeantBy(name: string): ConfigKey | undefined {
  return CONFIG_KEYS.find((key) => lettersOf(key) === lettersOf(name));
}

/** The key that a wrong name is nearest to, if it is near one: two letters may be wrong. */
export function keyNearestTo(name: string): ConfigKey | undefined {
  const same = keyMeantBy(name);
  if (same !== undefined) return same;
  const near = CONFIG_KEYS.map((key) => ({ key, letters: editDistance(lettersOf(key), lettersOf(name)) }));
  return near.filter(({ letters }) => letters <= 2).sort((one, other) => one.letters - other.letters)[0]?.key;
}

/** A key without case and separators, because people write `apikey`, `api_key`, `api-key`, `ApiKey`, `baseURL`, `projectID`. */
export function misspellingsOf(key: ConfigKey): readonly string[] {
  const pascal = key.replace(/^./, (letter) => letter.toUpperCase());
  const withAcronyms = (text: string): string => text.replace(/Url|Id$|Api/g, (acronym) => acronym.toUpperCase());
  const all = [
    key.toLowerCase(),
    key.toUpperCase(),
    words(key).join("_"),
    words(key).join("-"),
    pascal,
    withAcronyms(key),
    withAcronyms(pascal),
  ];
  return [...new Set(all)].filter((spelling) => spelling !== key);
}

function words(key: ConfigKey): readonly string[] {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(" ");
}

function lettersOf(name: string): string {
  return name.replace(/[^a-z0-9]/gi, "").toLowerCase();
}
