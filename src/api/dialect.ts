/** Which service is spoken to: the specification's, or the public one whose names differ in a few places. */
export type Dialect = "spec" | "nirvana";

/** What is particular to a dialect. */
export interface DialectFacts {
  /** Members that are called otherwise on the wire: the specification's name → the service's. */
  readonly wireNames: Readonly<Record<string, string>>;
  /** Collections that have no cost endpoint, in the words that messages use for them. */
  readonly withoutQuotes: readonly string[];
  /** The query for the newest entries of a list first, if the service is known to sort. */
  readonly newestFirst: Readonly<Record<string, string>>;
  /** Whether the audit log is known to take filters. */
  readonly filtersAuditLogs: boolean;
}

/** All that differs. (That the public service's quotas count connect connections needs no entry: the member is optional.) */
export const dialects: Readonly<Record<Dialect, DialectFacts>> = {
  spec: {
    wireNames: {},
    withoutQuotes: [],
    newestFirst: {},
    filtersAuditLogs: false,
  },
  nirvana: {
    wireNames: { external_provider: "aws", platform_region: "nirvana_region" },
    withoutQuotes: ["API keys", "firewall rules"],
    newestFirst: { sort: "created_at:desc" },
    filtersAuditLogs: true,
  },
};

/** The dialect of a base URL that nobody named one for. An unparsable URL counts as `spec`; it fails elsewhere. */
export function inferDialect(baseUrl: string): Dialect {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === "api.nirvanalabs.io" ? "nirvana" : "spec";
}

/** A request body with the service's member names in place of the specification's. */
export function toWire(dialect: Dialect, body: object): object {
  return rename(body, new Map(Object.entries(dialects[dialect].wireNames)));
}

/** A response body with the specification's member names in place of the service's. Anything but an object passes. */
export function fromWire(dialect: Dialect, body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const inverse = Object.entries(dialects[dialect].wireNames).map(
    ([specName, wireName]) => [wireName, specName] as const,
  );
  return rename(body, new Map(inverse));
}

/** The specification's name for a member, or for one inside of it, of which the service's name is known. */
export function specName(dialect: Dialect, path: string): string {
  const entries = Object.entries(dialects[dialect].wireNames);
  const [spec, wire] = entries.find(([, name]) => path.split(/[.[]/)[0] === name) ?? ["", ""];
  return spec + path.slice(wire.length);
}

/** A member that two dialects call by different names. */
export interface ForeignName {
  readonly dialect: Dialect;
  /** Its name there, and here. */
  readonly theirs: string;
  readonly ours: string;
}

/** The member by whose name a body gives itself away as another dialect's; undefined if there is none. */
export function foreignNameIn(dialect: Dialect, body: unknown): ForeignName | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  return foreignNames(dialect).find(({ theirs, ours }) => theirs in body && !(ours in body));
}

/** The same of a member that a request was refused for. */
export function foreignNameOf(dialect: Dialect, member: string): ForeignName | undefined {
  return foreignNames(dialect).find(({ theirs, ours }) => member === theirs || member === ours);
}

function foreignNames(dialect: Dialect): readonly ForeignName[] {
  const others = (Object.keys(dialects) as Dialect[]).filter((other) => other !== dialect);
  return others.flatMap((other) => {
    const [here, there] = [dialects[dialect].wireNames, dialects[other].wireNames];
    const members = [...new Set([...Object.keys(here), ...Object.keys(there)])];
    const names = members.map((name) => ({ dialect: other, theirs: there[name] ?? name, ours: here[name] ?? name }));
    return names.filter(({ theirs, ours }) => theirs !== ours);
  });
}

function rename(body: object, names: ReadonlyMap<string, string>): object {
  const members = Object.entries(body) as [string, unknown][];
  return Object.fromEntries(members.map(([name, value]) => [names.get(name) ?? name, value]));
}
