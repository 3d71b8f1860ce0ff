import { descriptorOf, madeTypes, sampleOf, SEEDED } from "../../kinds";

/** The objects that every simulator has from the start. */
export const VPC_ID = SEEDED.vpcId;

const DAY_MS = 86_400_000;
/** Read once, so that a suite which runs past midnight keeps its day. */
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** Midnight UTC, this many days from the day on which the suite started. */
export function inDays(days: number): string {
  return new Date(TODAY_MS + days * DAY_MS).toISOString().replace(".000Z", "Z");
}

/** The resource classes whose objects a creation makes. */
export const types = madeTypes;

/** The logical name of each resource in "one of each". */
export const names: readonly string[] = types.map((type) => descriptorOf(type).name);

/** The number of resources in a stack with one of each, including the stack itself. */
export const ALL = types.length + 1;

/** The prices in these suites are those of the smallest bandwidth. */
const cheaper: Readonly<Record<string, object>> = { ConnectConnection: { bandwidthMbps: 50 } };

/** Arguments of a valid resource that include these. */
export function basicsOf(type: string, args: object = {}): Readonly<Record<string, unknown>> {
  return sampleOf(type, { ...cheaper[type], ...args }, { ...SEEDED, keysEndAt: inDays(90) });
}

/** What a program imports: the front that its resources belong to. */
export type Front = "pulumi-cloudinfra" | "pulumi-cloudinfra/native";
export const DYNAMIC: Front = "pulumi-cloudinfra";
export const NATIVE: Front = "pulumi-cloudinfra/native";
export const FRONTS: readonly Front[] = [DYNAMIC, NATIVE];

/** A JavaScript program from its statements, which can use `cloudinfra` and `pulumi`. */
export function program(...statements: string[]): string {
  return programOf(DYNAMIC, ...statements);
}

/** The same program with another import. */
export function programOf(front: Front, ...statements: string[]): string {
  return [`const pulumi = require("@pulumi/pulumi");`, `const cloudinfra = require("${front}");`, ...statements].join(
    "\n",
  );
}

/** A resource with the basic arguments and these. An undefined one is omitted. `options` is JavaScript. */
export function declare(type: string, name: string, args: object = {}, options = "{}"): string {
  return declareOnly(type, name, basicsOf(type, args), options);
}

/** A resource with exactly these arguments. A string that begins with `=` is JavaScript. */
export function declareOnly(type: string, name: string, args: object, options = "{}"): string {
  const text = JSON.stringify(args).replaceAll(/"=((?:[^"\\]|\\.)*)"/g, (_all, code: string) => unquoted(code));
  return `const ${name} = new cloudinfra.${type}("${name}", ${text}, ${options});`;
}

function unquoted(code: string): string {
  return JSON.parse(`"${code}"`) as string;
}

/** One resource of each kind, with the names in the descriptors, the basic arguments and these. */
export function oneOfEach(args: Readonly<Record<string, object>> = {}): string {
  return types.map((type) => declare(type, descriptorOf(type).name, args[type])).join("\n");
}
