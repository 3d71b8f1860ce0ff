import { isDeepStrictEqual } from "node:util";
import { descriptorOf } from "../../kinds";
import { snakeCased } from "../../kinds/derived";
import type { Ground } from "../../kinds/descriptor";

type Members = Readonly<Record<string, unknown>>;

/**
 * The body of a creation as the API expects it. Written without the package's own mapping, so that its errors are
 * noticed.
 */
export function bodyOf(type: string, args: Members, ground: Ground): Members {
  const descriptor = descriptorOf(type);
  const isSent = ([field]: [string, unknown]): boolean => !isOutside(descriptor.inputDrifts[field]);
  return {
    ...descriptor.creation(ground),
    ...(snakeCased(Object.fromEntries(Object.entries(args).filter(isSent))) as Members),
  };
}

/** The expected members of an object with these arguments and configuration. */
export function membersOf(type: string, args: Members, ground: Ground): Members {
  const descriptor = descriptorOf(type);
  const given = snakeCased(args) as Members;
  const usuallyGiven = snakeCased({ ...descriptor.args(ground), name: "" }) as Members;
  const others = Object.entries(descriptor.creation(ground)).filter(([member]) => !(member in usuallyGiven));
  return { ...Object.fromEntries(others), ...given };
}

/** The members that differ from the expected ones. Lists have no order, dates are instants, ids have no case. */
export function differences(expected: Members, shown: Members): string[] {
  return Object.entries(expected)
    .filter(([member, value]) => member in shown && !isSame(value, shown[member]))
    .map(([member, value]) => `${member} is ${JSON.stringify(shown[member])}, not ${JSON.stringify(value)}`);
}

function isOutside(drift: unknown): boolean {
  return drift === "not at the API" || drift === "part of the path: another value is another object";
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === "string" && typeof other === "string") {
    if (/^\d{4}-\d\d-\d\dT/.test(one)) return Date.parse(one) === Date.parse(other);
    if (/^[0-9a-f-]{36}$/i.test(one)) return one.toLowerCase() === other.toLowerCase();
  }
  if (isMembers(one) && isMembers(other)) return differences(one, other).length === 0;
  return isDeepStrictEqual(comparable(one), comparable(other));
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => JSON.stringify(comparable(entry))).sort();
  if (!isMembers(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]));
}
