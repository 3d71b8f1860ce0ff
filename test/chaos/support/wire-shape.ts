import { isDeepStrictEqual } from "node:util";
import type { Kind } from "./schedule";
import type { Service } from "./service";

type Members = Readonly<Record<string, unknown>>;

/** What only the package knows: the API has no such members, or never shows them. */
const NOT_ON_WIRE = ["lifetime", "rotation_trigger", "account_id", "adopt"];

/**
 * Arguments in the API's own shape. Written apart from the package's own mapping: what is wrong there must not be wrong here
 * as well.
 */
export function bodyOf(kind: Kind, args: Members, { projectId }: Service): Members {
  const body = snakeCased(args) as Members;
  switch (kind) {
    case "ApiKey":
      return { project_ids: [projectId], ...body };
    case "ConnectConnection":
      return { project_id: projectId, region: "us-sva-2", ...body };
    case "FirewallRule":
      return body;
  }
}

/** The members that say something else at the API than in the body; lists have no order, dates are instants. */
export function differences(body: Members, shown: Members): string[] {
  return Object.entries(body)
    .filter(([member, value]) => !NOT_ON_WIRE.includes(member) && member in shown && !isSame(value, shown[member]))
    .map(([member, value]) => `${member} is ${JSON.stringify(shown[member])}, not ${JSON.stringify(value)}`);
}

/** Names of members in snake case, all the way down. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    snakeCased(member),
  ]);
  return Object.fromEntries(members) as unknown;
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === "string" && typeof other === "string" && /^\d{4}-\d\d-\d\dT/.test(one)) {
    return Date.parse(one) === Date.parse(other);
  }
  return isDeepStrictEqual(comparable(one), comparable(other));
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => JSON.stringify(comparable(entry))).sort();
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !NOT_ON_WIRE.includes(name));
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, comparable(member)]),
  );
}
