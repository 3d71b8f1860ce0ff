import { z } from "zod";
import { dialects, fromWire, type Dialect } from "../dialect";
import { InvalidResponseError, type RequestLine } from "../errors";

/** A body and where it came from; `undefined`: the response was empty. */
export interface Answer {
  readonly line: RequestLine;
  readonly body: unknown;
  /** To be told that the body is as the specification says: so it is the API that has answered. */
  readonly noteUsable?: () => void;
}

/** The answer's body as the schema has it. Throws InvalidResponseError that names every member that is missing or mistyped. */
export function readAs<T>(schema: z.ZodType<T>, answer: Answer, dialect: Dialect, at: readonly PropertyKey[] = []): T {
  if (answer.body === undefined) throw new InvalidResponseError(answer.line, "empty", "the answer has no body.");
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
