import type { z } from "zod";
import { invalid } from "../model/rejection";

/** Records that a parameter is invalid. Only the first reason for a parameter is kept. */
export type Report = (parameter: string, reason: string) => void;

/** Members that are all defined. */
export type DefinedMembers<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Rules that a schema cannot express, because they need the clock, the state or another member. They see the
 * well-formed members only.
 */
export type Rules<T> = (members: Partial<T>, report: Report) => void;

/**
 * Reads a body or a query by its schema. Throws one VALIDATION_ERROR that names every invalid parameter, whether the
 * schema or the rules found it.
 */
export function parse<S extends z.ZodObject>(schema: S, input: unknown, rules?: Rules<z.infer<S>>): z.infer<S> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw invalid({ body: input === undefined ? "is required" : "must be an object" });
  }
  const problems = new Map<string, string>();
  const report: Report = (parameter, reason) => {
    if (!problems.has(parameter)) problems.set(parameter, reason);
  };
  const result = schema.safeParse(input);
  if (result.success) {
    rules?.(result.data, report);
    if (problems.size > 0) throw invalid(Object.fromEntries(problems));
    return result.data;
  }
  const malformed = new Set<PropertyKey>();
  for (const issue of result.error.issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) report(parameterName([...issue.path, key]), "is not a known parameter");
    } else {
      report(parameterName(issue.path), faultText(issue, input));
    }
    malformed.add(issue.path[0] ?? "");
  }
  const wellFormed = Object.fromEntries(
    Object.entries(input).filter(([key]) => Object.hasOwn(schema.shape, key) && !malformed.has(key)),
  );
  rules?.(wellFormed as Partial<z.infer<S>>, report);
  throw invalid(Object.fromEntries(problems));
}

/** Formats a path as clients know it: `permissions[0].resource_type`. */
function parameterName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === "number") return `${name}[${key}]`;
    return name === "" ? String(key) : `${name}.${String(key)}`;
  }, "");
}

/** A schema's own text counts for strings only. Its bounds of numbers and lists must be inclusive. */
function faultText(issue: z.core.$ZodIssue, input: unknown): string {
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], input);
  if (value === undefined) return "is required";
  if (issue.code === "invalid_type") return `must be of type ${issue.expected}`;
  if ((issue.code === "too_small" || issue.code === "too_big") && issue.origin !== "string") {
    const [bound, count] = issue.code === "too_small" ? ["least", issue.minimum] : ["most", issue.maximum];
    return issue.origin === "array"
      ? `must have at ${bound} ${count} item${count === 1 ? "" : "s"}`
      : `must be at ${bound} ${count}`;
  }
  if (issue.code === "invalid_value") return `must be one of ${issue.values.map(String).join(", ")}`;
  return issue.message;
}
