/** The parts of a resource's URN: `urn:pulumi:<stack>::<project>::<types>::<logical name>`. */
interface UrnParts {
  readonly stack: string;
  readonly project: string;
  /** The type token: `cloudinfra:index:ConnectConnection`. */
  readonly token: string;
  /** The last part of the type token: `ConnectConnection`. */
  readonly type: string;
  /** The logical name: the name in the program. */
  readonly name: string;
}

/** Splits a URN. Any other text gives empty parts. */
export function urnParts(urn: string): UrnParts {
  const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
  const token = types.slice(types.lastIndexOf("$") + 1); // after those of the parents
  return { stack, project, token, type: token.slice(token.lastIndexOf(":") + 1), name: name.join("::") };
}

/** The name of the provider with the settings of the stack. */
export const OWN_PROVIDER = "default";

/**
 * The name of the provider to which a resource refers by `<urn>::<id>`: `default`, or the name of an explicit one. The
 * engine adds the version to the names of default providers.
 */
export function providerName(reference: string | undefined): string | undefined {
  if (reference === undefined) return undefined;
  const explicit = explicitProvider(reference);
  return explicit === undefined ? OWN_PROVIDER : urnParts(explicit).name;
}

/**
 * The URN of the explicit provider to which a resource refers. Undefined for a provider with the settings of the stack.
 */
export function explicitProvider(reference = ""): string | undefined {
  const urn = reference.slice(0, reference.lastIndexOf("::"));
  const { name } = urnParts(urn);
  return name === "" || isOwnProvider(name) ? undefined : urn;
}

/** True if a resource of a state is an explicit provider of the package. */
export function isExplicitProvider({ type, urn }: { readonly type: string; readonly urn: string }): boolean {
  return type === "pulumi:providers:cloudinfra" && !isOwnProvider(urnParts(urn).name);
}

/**
 * True if a provider has the settings of the stack. The engine calls it `default`, with the version of the plugin
 * (`default_1_2_3`) and its download URL (`default_https___example_com`), if it has them.
 */
export function isOwnProvider(name: string): boolean {
  return /^default(_\d+_\d+_\d+.*|_(https?|github|gitlab)_.*)?$/.test(name);
}

/** The reason why an explicit provider may not have such a name. */
export function reservedNameText(name: string): string {
  return (
    `The provider ${JSON.stringify(name)} has a name that Pulumi gives to the provider with the settings of the stack, ` +
    `so its own settings could be mixed up with those. Give it another name.`
  );
}

/**
 * The URN with the type tokens of the dynamic provider, also for the parents. So it is the same if a resource moves
 * from one front to the other.
 */
export function dynamicUrn(urn: string): string {
  return withDynamicParents(urn, dynamicToken);
}

/**
 * Identifies a resource of one front. The fronts of its parents do not count: one of them may move alone, and the
 * dynamic provider gets the URN of the last update.
 */
export function resourceKey(urn: string): string {
  return withDynamicParents(urn, (_type, token) => token);
}

/** The keys (`resourceKey`) that the resource has in the one and in the other front. */
export function keysInBothFronts(urn: string): readonly string[] {
  return [dynamicToken, nativeToken].map((ownToken) => withDynamicParents(urn, ownToken));
}

/** Identifies a resource by its token and name, under any parent. This form differs from that of a URN. */
export function keyWithoutParents(urn: string): string {
  const { token, name } = urnParts(urn);
  return `${token}::${name}`;
}

function withDynamicParents(urn: string, ownToken: (type: string, token: string) => string): string {
  const [scheme = "", project = "", types = "", ...name] = urn.split("::");
  const tokens = types.split("$").map((token, i, { length }) => {
    const type = token === ROTATING_API_KEY_TOKEN ? undefined : typeOfToken(token);
    if (type === undefined) return token;
    return i === length - 1 ? ownToken(type, token) : dynamicToken(type);
  });
  return [scheme, project, tokens.join("$"), ...name].join("::");
}

const DYNAMIC = "pulumi-nodejs:dynamic/cloudinfra:";
const FIRST_CLASS = "cloudinfra:index:";

/** The type token of a resource of the dynamic provider. It must not change, because users' states have it. */
export function dynamicToken(type: string): string {
  return `${DYNAMIC}${type}`;
}

export function nativeToken(type: string): string {
  return `${FIRST_CLASS}${type}`;
}

/** The type token of the component, the same in both fronts. */
export const ROTATING_API_KEY_TOKEN = nativeToken("RotatingApiKey");

/** The URNs of both keys of a RotatingApiKey, slot a first. Empty for any other resource. */
export function pairOf(urn: string): readonly string[] {
  const [, start] = /^(.*-)[ab]$/s.exec(urn) ?? [];
  return start?.includes(`${ROTATING_API_KEY_TOKEN}$`) ? [`${start}a`, `${start}b`] : [];
}

/** The type of the resource that has this token in either front. Undefined for a token of another package. */
export function typeOfToken(token: string): string | undefined {
  const prefix = [DYNAMIC, FIRST_CLASS].find((candidate) => token.startsWith(candidate));
  return prefix === undefined ? undefined : token.slice(prefix.length);
}
