import type { z } from "zod";
import { forbidden, invalid } from "../model/rejection";
import type { Caller } from "../model/callers";
import type { OperationFault } from "../model/operations";
import { keptText } from "../model/records";
import type { World } from "../model/world";
import { parse, type Rules } from "./validation";

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
