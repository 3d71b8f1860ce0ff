/** The dialect of the API: the specification's, or the public service's with a few other names. */
export type Dialect = "spec" | "nirvana";

interface DialectFacts {
  /** Members with another name on the wire: the specification's name → the API's. */
  readonly wireNames: Readonly<Record<string, string>>;
  /** The query for the newest entries first, if the API is known to sort. */
  readonly newestFirst: Readonly<Record<string, string>>;
  /** Whether the audit log is known to accept filters. */
  readonly filtersAuditLogs: boolean;
}

export const dialects: Readonly<Record<Dialect, DialectFacts>> = {
  spec: {
    wireNames: {},
    newestFirst: {},
    filtersAuditLogs: false,
  },
  nirvana: {
    wireNames: { external_provider: "aws", platform_region: "nirvana_region" },
    newestFirst: { sort: "created_at:desc" },
    filtersAuditLogs: true,
  },
};

/** The default dialect of a base URL. An invalid URL counts as `spec`; it fails elsewhere. */
export function inferDialect(baseUrl: string): Dialect {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === "api.nirvanalabs.io" ? "nirvana" : "spec";
}

/** A request body with the API's names instead of the specification's. */
export function toDialect(dialect: Dialect, body: object): object {
  return rename(body, new Map(Object.entries(dialects[dialect].wireNames)));
}

/**
 * A response body with the specification's names instead of the API's. A value that is not an object is returned
 * unchanged.
 */
export function fromDialect(dialect: Dialect, body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const inverse = Object.entries(dialects[dialect].wireNames).map(
    ([specName, wireName]) => [wireName, specName] as const,
  );
  return rename(body, new Map(inverse));
}

/** The specification's name of a member, or of one inside it, from the API's name. */
export function specName(dialect: Dialect, path: string): string {
  const entries = Object.entries(dialects[dialect].wireNames);
  const [spec, wire] = entries.find(([, name]) => path.split(/[.[]/)[0] === name) ?? ["", ""];
  return spec + path.slice(wire.length);
}

export interface ForeignName {
  readonly dialect: Dialect;
  /** The name of the member in the other dialect, and in this one. */
  readonly theirs: string;
  readonly ours: string;
}

/** A member that shows that a body is in the other dialect. Undefined if there is none. */
export function foreignNameIn(dialect: Dialect, body: unknown): ForeignName | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  return foreignNames(dialect).find(({ theirs, ours }) => theirs in body && !(ours in body));
}

/** As `foreignNameIn`, for the name of a member that the API has refused. */
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
