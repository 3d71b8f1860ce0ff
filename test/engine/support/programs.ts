import { descriptorOf, madeTypes, sampleOf, SEEDED } from "../../kinds";

/** What every simulator has from the start. */
export const VPC_ID = SEEDED.vpcId;

const DAY_MS = 86_400_000;

/** Midnight UTC, this many days from today. */
export function inDays(days: number): string {
  return new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS).toISOString().replace(".000Z", "Z");
}

/** The kinds of resources whose objects are made, by their class. */
export const types = madeTypes;

/** The logical name of each in "one of each". */
export const names: readonly string[] = types.map((type) => descriptorOf(type).name);

/** How many resources a stack has with one of each, itself included. */
export const ALL = types.length + 1;

/** The prices in these suites are those of the narrowest connection. */
const cheaper: Readonly<Record<string, object>> = { ConnectConnection: { bandwidthMbps: 50 } };

/** Arguments that make a valid resource of a kind, these among them. */
export function basicsOf(type: string, args: object = {}): Readonly<Record<string, unknown>> {
  return sampleOf(type, { ...cheaper[type], ...args }, { ...SEEDED, keysEndAt: inDays(90) });
}

/** What a program imports: the front that its resources belong to. */
export type Front = "pulumi-cloudinfra" | "pulumi-cloudinfra/native";
export const DYNAMIC: Front = "pulumi-cloudinfra";
export const NATIVE: Front = "pulumi-cloudinfra/native";
export const FRONTS: readonly Front[] = [DYNAMIC, NATIVE];

/** A JavaScript program from its statements; `cloudinfra` and `pulumi` are at hand. */
export function program(...statements: string[]): string {
  return programOf(DYNAMIC, ...statements);
}

/** The same program with another import. */
export function programOf(front: Front, ...statements: string[]): string {
  return [`const pulumi = require("@pulumi/pulumi");`, `const cloudinfra = require("${front}");`, ...statements].join(
    "\n",
  );
}

/** A resource with the basic arguments and these; one that is undefined is left out. `options` is JavaScript. */
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

/** One of each kind, under the names of their descriptors, with these arguments beside the basic ones. */
export function oneOfEach(args: Readonly<Record<string, object>> = {}): string {
  return types.map((type) => declare(type, descriptorOf(type).name, args[type])).join("\n");
}

/** The same of some kinds only. */
export function oneOf(args: Readonly<Record<string, object>>): string {
  return Object.entries(args)
    .map(([type, own]) => declare(type, descriptorOf(type).name, own))
    .join("\n");
}
