import type { z } from "zod";
import { forbidden, invalid } from "../model/api-error";
import type { OperationFault } from "../model/operations";
import { keptText } from "../model/kept-text";
import type { Caller } from "../model/permissions";
import type { World } from "../model/world";
import { parse, type Rules } from "./validation";

/** A request as the services see it, free of HTTP's machinery. */
export interface ApiRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Its address. */
  readonly clientIp: string;
  /** Its Idempotency-Key. */
  readonly idempotencyKey: string | undefined;
  /** Set through the control port: the operation that this request starts goes wrong. */
  readonly operationFault: OperationFault | undefined;
}

/** One authenticated and permitted request: its caller, the objects of its path, and the checks of project scope. */
export class CallContext {
  constructor(
    readonly world: World,
    readonly caller: Caller,
    readonly request: ApiRequest,
  ) {}

  /** Milliseconds since the epoch, on the service's clock. */
  get nowMs(): number {
    return this.world.clock.now();
  }

  /** A parameter of the path. A created object may keep it. */
  param(name: string): string {
    const value = this.request.params[name];
    if (value === undefined) throw new Error(`the path has no parameter ${name}`);
    return keptText(value);
  }

  /**
   * The project of a request. It is checked first whether the key reaches it, so that mistakes of a body reveal nothing about
   * a project that the caller must not see (section 5.5).
   */
  requireReach(projectId: unknown): void {
    if (typeof projectId !== "string") return;
    if (!this.caller.reaches(projectId)) throw forbidden("the project is outside the scope of the key");
  }

  /** The same for the project that a body names, well-formed or not. */
  requireReachOfBody(): void {
    const { body } = this.request;
    if (typeof body === "object" && body !== null && "project_id" in body) this.requireReach(body.project_id);
  }

  /** The project a list is asked for in its query (section 4, rule 1), which was found within reach, must be there. */
  requireProject(projectId: string): void {
    if (!this.world.find("projects", projectId)) throw invalid({ project_id: "no such project" });
  }
}

/** The schemas of an endpoint's query and body, if it has them. */
export interface RequestSchemas<Q extends z.ZodObject, B extends z.ZodObject> {
  readonly query?: Q;
  readonly body?: B;
}

/** The same for one endpoint, with its schemas at hand. */
export class Call<Q extends z.ZodObject = z.ZodObject, B extends z.ZodObject = z.ZodObject> extends CallContext {
  readonly #schemas: RequestSchemas<Q, B>;

  constructor(world: World, caller: Caller, request: ApiRequest, schemas: RequestSchemas<Q, B>) {
    super(world, caller, request);
    this.#schemas = schemas;
  }

  /** The query, by the endpoint's schema; the scope of the project that it names comes first. */
  query(): z.infer<Q> {
    if (!this.#schemas.query) throw new Error("the endpoint declares no query");
    this.requireReach(this.request.query["project_id"]);
    return parse(this.#schemas.query, this.request.query);
  }

  /** The body, by the endpoint's schema and the rules given. */
  body(rules?: Rules<z.infer<B>>): z.infer<B> {
    if (!this.#schemas.body) throw new Error("the endpoint declares no body");
    return parse(this.#schemas.body, this.request.body, rules);
  }
}
