const DYNAMIC = "pulumi-nodejs:dynamic/cloudinfra:";
const FIRST_CLASS = "cloudinfra:index:";

/** The type token of a resource of the dynamic provider. It stands in users' states for ever. */
export function dynamicToken(type: string): string {
  return `${DYNAMIC}${type}`;
}

/** The type token of a resource of the first-class provider. */
export function nativeToken(type: string): string {
  return `${FIRST_CLASS}${type}`;
}

/** The type token of the component. Both providers' classes of it have this one. */
export const ROTATING_API_KEY_TOKEN = nativeToken("RotatingApiKey");

/** The resource that a type token of either provider means; undefined if it is nobody's of this package. */
export function typeOfToken(token: string): string | undefined {
  const prefix = [DYNAMIC, FIRST_CLASS].find((candidate) => token.startsWith(candidate));
  return prefix === undefined ? undefined : token.slice(prefix.length);
}
