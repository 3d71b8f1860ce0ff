import type { z } from "zod";
import type { Api, CallOptions, Mutation } from "../api/client";
import type { CostQuote, CostQuoteUpdate } from "../api/cost-quotes";
import type { Settings } from "../config";
import type { Credential } from "../definition/credential";
import type { Action } from "../definition/requests";
import type { PartChange } from "../definition/parts";
import type { Finding, Plan, PlanContext, Props, RuleContext } from "../definition/rules";
import type { ChangePolicy } from "./change-policy";

export type { Finding, Plan, PlanContext, Props, RuleContext };

/**
 * What the lifecycle has to know about a resource: made from its definition (`kind-of.ts`). The lifecycle (check, diff,
 * create, read, update, delete, quote, wait, recover, log) is written once, here.
 */
export interface ResourceKind {
  /** The last part of the type token: `FirewallRule`. */
  readonly type: string;
  /** The words for it in messages: `firewall rule`. */
  readonly noun: string;
  /** How each input is validated. */
  schemas(): Readonly<Record<string, z.ZodType>>;
  /** Rules between fields. Fields that are not known yet, or are wrong by themselves, are absent. */
  rules(inputs: Props, context: RuleContext<Props>): readonly Finding[];
  /**
   * Inputs that check makes itself, from the others and from what the resource was: kept as they were, or made anew. Runs
   * before validation, so the inputs may be wrong or not known yet.
   */
  plan?(inputs: Props, context: PlanContext): Promise<Plan>;
  /** The inputs that only the plan makes: to a program they are outputs. */
  readonly planned: readonly string[];
  /** What changing each field does. */
  readonly policies: Readonly<Record<string, ChangePolicy>>;
  /** Values where the program gives none: the configuration's, and the empty ones that the API shows for none. */
  defaults(settings: Settings): Props;
  /** How long a call of the engine may take, if neither the program nor the configuration says it. */
  readonly operationTimeoutMs?: number | undefined;
  /** Outputs that an endpoint of their own shows: `GET <object>/<at>`. */
  readonly apart: readonly ApartOutput[];
  /** Outputs that are secret. The API shows them at creation only: an object whose creation was lost is made again for them. */
  readonly secretOutputs: readonly string[];
  /** Outputs of the API that no input stands for. */
  readonly computed: readonly string[];
  /** The inputs that paths and lists go by, such as a firewall rule's `vpcId`: without them no object is found again. */
  readonly place: readonly string[];
  /** An id that says more than the API's own, such as `<vpcId>/<firewallRuleId>`. */
  parseId(id: string): { readonly id: string; readonly inputs: Props };
  /** The whole body of the creation request. */
  toWire(inputs: Props, now: number): Props;
  /** The body of an update request: the members that stand for the changed fields. */
  toWireUpdate(inputs: Props, changed: readonly string[], now: number): Props;
  /** The program's name for a member of a request. */
  inputName(member: string): string;
  /** Every input and computed output as the API shows it; undefined where it does not, null where it shows that there is none. */
  fromWire(wire: Props): Props;
  /** Why an object with these outputs must not be managed, if so. */
  refuse?(outputs: Props): string | undefined;
  /** Why an object with these outputs, read a moment ago, must not be deleted, if so. */
  refuseDeletion?(outputs: Props): string | undefined;
  /** The provider may sign in with it. */
  readonly credential?: Credential;
  /** Why the old object of a replacement stays where it is, if it does. */
  outlivesReplacement?(outputs: Props): string | undefined;
  /** What has to be sent so that the parts behind a field are as the program says. `whole` is a response with its parts. */
  partChanges(field: string, whole: Props, wanted: unknown, now: number): readonly PartChange[];
  /** The calls. */
  handler(api: Api): ResourceHandler;
}

/** An output that `GET <object>/<at>` shows, in this member. */
export interface ApartOutput {
  readonly name: string;
  readonly member: string;
  readonly at: string;
  readonly isSecret: boolean;
}

/** The calls of one kind. They fail with the errors of `api/errors`. */
export interface ResourceHandler {
  create(inputs: Props, body: Props, call: CallOptions): Promise<Mutation<Props>>;
  get(id: string, inputs: Props, call: CallOptions): Promise<Props>;
  /** As `get`, with the parts that it was made with, as their own endpoints show them. */
  whole(id: string, inputs: Props, call: CallOptions): Promise<Props>;
  /** As `whole`, for the engine's reads, which are many: where lists take fewer calls, it is they that are asked. */
  read(id: string, inputs: Props, call: CallOptions): Promise<Props>;
  update(id: string, inputs: Props, body: Props, call: CallOptions): Promise<Mutation<Props>>;
  /** A request of its own that changes one field. */
  act(id: string, inputs: Props, action: Action, call: CallOptions): Promise<Mutation<Props>>;
  /** Changes an object that this one was made with. `inputs` are this one's. */
  changePart(change: PartChange, inputs: Props, call: CallOptions): Promise<Mutation<Props>>;
  /** What `GET <object>/<at>` shows. */
  apart(id: string, inputs: Props, at: string, call: CallOptions): Promise<Props>;
  delete(id: string, inputs: Props, call: CallOptions): Promise<Mutation<never>>;
  /** The collection that a created object appears in. */
  list(inputs: Props, call: CallOptions): AsyncIterable<Props>;
  quoteCreate(inputs: Props, body: Props, call: CallOptions): Promise<CostQuote>;
  quoteUpdate(id: string, inputs: Props, body: Props, call: CallOptions): Promise<CostQuoteUpdate>;
}
