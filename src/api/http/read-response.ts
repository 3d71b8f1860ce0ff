import { z } from "zod";
import type { RequestLine } from "../errors/cloudinfra-error";
import { dialects, fromWire, type Dialect } from "../dialect";
import type { HttpResponse } from "./exchange";
import { InvalidResponseError } from "../errors/invalid-response-error";
import { header } from "./response-headers";

/** A body and where it came from; `undefined`: the response was empty. */
export interface Answer {
  readonly line: RequestLine;
  readonly body: unknown;
  /** To be told that the body is as the specification says: so it is the API that has answered. */
  readonly noteUsable?: () => void;
}

/** The JSON of a success response. Throws InvalidResponseError, never quoting the body: it may hold a secret. */
export function readJson(line: RequestLine, { status, headers, text }: HttpResponse): unknown {
  if (status === 204 || text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const contentType = (header(headers, "content-type") ?? "").split(";")[0]?.trim() ?? "";
    if (/^application\/(.+\+)?json$/i.test(contentType)) {
      throw new InvalidResponseError(
        line,
        "cut-short",
        `the answer (status ${status}) is cut short, or is not valid JSON.`,
      );
    }
    throw new InvalidResponseError(
      line,
      "not-json",
      `the answer (status ${status}) is ${contentType === "" ? "of no stated kind" : contentType} instead of JSON. ` +
        `Check the base URL: what answers there is not the API, or a proxy stands before it.`,
    );
  }
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
