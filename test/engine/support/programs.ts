/** The kinds of resources, by their class. */
export type Kind = "ApiKey" | "ConnectConnection" | "FirewallRule";

/** The VPC that every simulator has from the start. */
export const VPC_ID = "00000000-0000-4000-8000-000000000003";

const DAY_MS = 86_400_000;

/** Midnight UTC, this many days from today. */
export function inDays(days: number): string {
  return new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS).toISOString().replace(".000Z", "Z");
}

/** Arguments that make a valid resource of each kind. */
export const basics = {
  ApiKey: { permissions: [{ resourceType: "vm", permission: "edit" }], expiresAt: inDays(90) },
  ConnectConnection: {
    bandwidthMbps: 50,
    cidrs: ["10.0.0.0/25"],
    providerCidrs: ["172.16.0.0/16"],
    externalProvider: { accountId: "123456789012", region: "us-west-2" },
  },
  FirewallRule: {
    vpcId: VPC_ID,
    protocol: "tcp",
    sourceAddress: "0.0.0.0/0",
    destinationAddress: "10.0.0.0/25",
    destinationPorts: ["443"],
  },
} as const satisfies Record<Kind, object>;

/** A JavaScript program from its statements; `cloudinfra` and `pulumi` are at hand. */
export function program(...statements: string[]): string {
  return [
    `const pulumi = require("@pulumi/pulumi");`,
    `const cloudinfra = require("pulumi-cloudinfra");`,
    ...statements,
  ].join("\n");
}

/** A resource with the basic arguments and these; one that is undefined is left out. `options` is JavaScript. */
export function declare(kind: Kind, name: string, args: object = {}, options = "{}"): string {
  return declareOnly(kind, name, { ...basics[kind], ...args }, options);
}

/** A resource with exactly these arguments. A string that begins with `=` is JavaScript. */
export function declareOnly(kind: Kind, name: string, args: object, options = "{}"): string {
  const text = JSON.stringify(args).replaceAll(/"=((?:[^"\\]|\\.)*)"/g, (_all, code: string) => unquoted(code));
  return `const ${name} = new cloudinfra.${kind}("${name}", ${text}, ${options});`;
}

function unquoted(code: string): string {
  return JSON.parse(`"${code}"`) as string;
}

/** One of each kind: `deployer`, `link` and `https`. */
export function oneOfEach(args: Partial<Record<Kind, object>> = {}): string {
  return [
    declare("ApiKey", "deployer", args.ApiKey),
    declare("ConnectConnection", "link", args.ConnectConnection),
    declare("FirewallRule", "https", args.FirewallRule),
  ].join("\n");
}
