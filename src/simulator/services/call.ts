import type { z } from "zod";
import { forbidden, invalid } from "../model/rejection";
import type { Caller } from "../model/callers";
import type { OperationFault } from "../model/operations";
import { keptText } from "../model/records";
import type { World } from "../model/world";

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
function parse<S extends z.ZodObject>(schema: S, input: unknown, rules?: Rules<z.infer<S>>): z.infer<S> {
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

/** A request as the services see it, without the details of HTTP. */
interface ApiRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly clientIp: string;
  readonly idempotencyKey: string | undefined;
  /** Makes the operation that this request starts go wrong. The control port sets it. */
  readonly operationFault: OperationFault | undefined;
}

/** The schemas of an endpoint's query and body, if it has them. */
export interface RequestSchemas<Q extends z.ZodObject, B extends z.ZodObject> {
  readonly query?: Q;
  readonly body?: B;
}

/**
 * One authenticated and permitted request to an endpoint: its caller, its path parameters, and the checks of project
 * scope.
 */
export class Call<Q extends z.ZodObject = z.ZodObject, B extends z.ZodObject = z.ZodObject> {
  constructor(
    readonly world: World,
    readonly caller: Caller,
    readonly request: ApiRequest,
    private readonly schemas: RequestSchemas<Q, B>,
  ) {}

  /** Milliseconds since the epoch, on the service's clock. */
  get nowMs(): number {
    return this.world.clock.now();
  }

  /** A path parameter. A created object may keep it. */
  param(name: string): string {
    const value = this.request.params[name];
    if (value === undefined) throw new Error(`the path has no parameter ${name}`);
    return keptText(value);
  }

  /**
   * Throws 403 if the project is outside the caller's scope. Called before the body is parsed, so that errors of the
   * body reveal nothing about a project that the caller must not see (section 5.5).
   */
  requireReach(projectId: unknown): void {
    if (typeof projectId !== "string") return;
    if (!this.caller.reaches(projectId)) throw forbidden("the project is outside the scope of the key");
  }

  /** Checks the scope for the project that a body names, even if the body is malformed. */
  requireReachOfBody(): void {
    const { body } = this.request;
    if (typeof body === "object" && body !== null && "project_id" in body) this.requireReach(body.project_id);
  }

  /**
   * Throws unless the project in the query of a list exists (section 4, rule 1). Its scope has already been checked.
   */
  requireProject(projectId: string): void {
    if (!this.world.find("projects", projectId)) throw invalid({ project_id: "no such project" });
  }

  /** The query, parsed by the endpoint's schema. The scope of its project is checked first. */
  query(): z.infer<Q> {
    if (!this.schemas.query) throw new Error("the endpoint declares no query");
    this.requireReach(this.request.query["project_id"]);
    return parse(this.schemas.query, this.request.query);
  }

  /** The body, parsed by the endpoint's schema and these rules. */
  body(rules?: Rules<z.infer<B>>): z.infer<B> {
    if (!this.schemas.body) throw new Error("the endpoint declares no body");
    return parse(this.schemas.body, this.request.body, rules);
  }
}
