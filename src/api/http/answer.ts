import { z } from "zod";
import { waysToSet } from "../../config-keys";
import { dialects, foreignNameIn, fromWire, type Dialect, type ForeignName } from "../dialect";
import { InvalidResponseError, type RequestLine } from "../errors";

/** A body and its request. `undefined`: the response was empty. */
export interface Answer {
  readonly line: RequestLine;
  readonly body: unknown;
  /** Called if the body has the specified form: then the API itself has answered. */
  readonly noteUsable?: () => void;
}

/** The answer's body in the form of the schema. Throws InvalidResponseError that names every missing or mistyped member. */
export function readAs<T>(schema: z.ZodType<T>, answer: Answer, dialect: Dialect, at: readonly PropertyKey[] = []): T {
  if (answer.body === undefined) throw new InvalidResponseError(answer.line, "empty", "the answer has no body.");
  const foreign = foreignNameIn(dialect, answer.body);
  if (foreign)
    throw new InvalidResponseError(answer.line, "other-dialect", otherDialect(dialect, foreign, answer.line.provider));
  const body = fromWire(dialect, answer.body);
  const result = schema.safeParse(body);
  if (result.success) {
    answer.noteUsable?.();
    return result.data;
  }
  const defects = result.error.issues
    .slice(0, MOST_DEFECTS)
    .map((issue) => `  - ${describeIssue(issue, body, dialect, at)}`);
  throw new InvalidResponseError(
    answer.line,
    "schema",
    ["the answer does not have the form that the specification gives it:", ...defects].join("\n"),
  );
}

function otherDialect(own: Dialect, { dialect, theirs, ours }: ForeignName, provider: string | undefined): string {
  return (
    `the service speaks the dialect "${dialect}": it says "${theirs}" where "${own}" has "${ours}". ` +
    `Set the dialect with ${waysToSet("dialect", dialect, provider)}.`
  );
}

const MOST_DEFECTS = 5;

function describeIssue(issue: z.core.$ZodIssue, body: unknown, dialect: Dialect, at: readonly PropertyKey[]): string {
  const found = typeName(issue.path.reduce<unknown>(memberOf, body));
  const expected = issue.code === "invalid_type" ? issue.expected : issue.message;
  const wireNames = dialects[dialect].wireNames;
  const wirePath = issue.path.map((segment, depth) =>
    depth === 0 ? (wireNames[String(segment)] ?? segment) : segment,
  );
  const path = z.core.toDotPath([...at, ...wirePath]);
  return `${path === "" ? "the body" : path} is ${found === "undefined" ? "missing" : found}, expected: ${expected}`;
}

function memberOf(holder: unknown, name: PropertyKey): unknown {
  return typeof holder === "object" && holder !== null ? (holder as Record<PropertyKey, unknown>)[name] : undefined;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
