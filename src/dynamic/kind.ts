import type { Api, CallOptions, Mutation } from "../api/client";
import type { CostQuote, CostQuoteUpdate } from "../api/cost-quotes";
import type { Settings } from "../config";
import type { ChangePolicy } from "./change-policy";
import type { FieldSchema, FieldSchemas } from "./fields";

/** An object as the engine sends and stores it. */
export type Props = Readonly<Record<string, unknown>>;

/**
 * Everything the lifecycle has to know about a resource. One such object a resource stands in its file under
 * `resources/`; the lifecycle (check, diff, create, read, update, delete, quote, wait, recover, log) is written once, here.
 */
export interface ResourceKind<Inputs extends Props = Props, Wire extends Props = Props, Body extends Props = Props> {
  /** The last part of the type token: `FirewallRule`. */
  readonly type: string;
  /** The words for it in messages: `firewall rule`. */
  readonly noun: string;
  /** How each input is validated. The schemas are built by the plugin only: a program loads no schema library. */
  fields(schemas: FieldSchemas): Record<keyof Inputs, FieldSchema>;
  /** Rules between fields. Fields that are not known yet, or are wrong by themselves, are absent. */
  rules?(inputs: Partial<Inputs>, context: RuleContext<Inputs>): readonly Finding[];
  /**
   * Inputs that check makes itself, from the others and from what the resource was: kept as they were, or made anew. Runs
   * before validation, so the inputs may be wrong or not known yet.
   */
  plan?(inputs: Props, context: PlanContext): Promise<Plan>;
  /** The inputs that only the plan makes: to a program they are outputs. */
  readonly planned?: readonly (keyof Inputs & string)[];
  /** What changing each field does. A field without a policy does not compile. */
  readonly policies: Readonly<Record<keyof Inputs, ChangePolicy>>;
  /** Values where the program gives none: the configuration's, and the empty ones that the API shows for none. */
  defaults?(settings: Settings): Partial<Inputs>;
  /** Outputs that are secret. The API shows them at creation only: an object whose creation was lost is made again for them. */
  readonly secretOutputs: readonly string[];
  /** Outputs of the API that no input stands for. */
  readonly computed: readonly string[];
  /** The inputs that paths and lists go by, such as a firewall rule's `vpcId`: without them no object is found again. */
  readonly place?: readonly (keyof Inputs & string)[];
  /** An id that says more than the API's own, such as `<vpcId>/<firewallRuleId>`. */
  parseId?(id: string): { readonly id: string; readonly inputs: Partial<Inputs> };
  /** The whole body of the creation request. Update requests are picked from it, so absent lists are sent as empty ones. */
  toWire(inputs: Inputs, now: number): Body;
  /** Every input and computed output as the API shows it; undefined where it does not, null where it shows that there is none. */
  fromWire(wire: Wire): { readonly [Field in keyof Inputs]-?: unknown } & Props;
  /** Why an object with these outputs must not be managed, if so. */
  refuse?(outputs: Props): string | undefined;
  /** What a change would take from the key that the provider itself signs in with, so that it could not go on: refused in preview. */
  guardCredential?(outputs: Props, inputs: Props, address: string | undefined): readonly Finding[];
  /** Why the old object of a replacement stays where it is, if it does. */
  outlivesReplacement?(outputs: Props): string | undefined;
  /** The calls. */
  handler(api: Api): ResourceHandler<Inputs, Wire, Body>;
}

/** The calls of one kind. They fail with the errors of `api/errors`. */
export interface ResourceHandler<Inputs extends Props = Props, Wire extends Props = Props, Body extends Props = Props> {
  create(inputs: Inputs, body: Body, call: CallOptions): Promise<Mutation<Wire>>;
  get(id: string, inputs: Partial<Inputs>, call: CallOptions): Promise<Wire>;
  /** As `get`, for the engine's reads, which are many: where lists take fewer calls, it is they that are asked. */
  read(id: string, inputs: Partial<Inputs>, call: CallOptions): Promise<Wire>;
  update(id: string, inputs: Inputs, body: Partial<Body>, call: CallOptions): Promise<Mutation<Wire>>;
  delete(id: string, inputs: Partial<Inputs>, call: CallOptions): Promise<Mutation<never>>;
  /** The collection that a created object appears in. */
  list(inputs: Inputs, call: CallOptions): AsyncIterable<Wire>;
  quoteCreate(inputs: Inputs, body: Body, call: CallOptions): Promise<CostQuote>;
  quoteUpdate(id: string, inputs: Inputs, body: Partial<Body>, call: CallOptions): Promise<CostQuoteUpdate>;
}

/** What a rule between fields may look at besides the inputs. */
export interface RuleContext<Inputs> {
  /** The inputs of the existing resource; absent for a new one and for the new half of a replacement. */
  readonly previous: Partial<Inputs> | undefined;
  /** For the new half of a replacement: the inputs of the resource that is replaced. */
  readonly replaced: Partial<Inputs> | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a plan may look at besides the inputs. */
export interface PlanContext {
  /** The inputs of the existing resource; absent for a new one and for the new half of a replacement. */
  readonly previous: Props | undefined;
  /** The object that is being adopted, as the API shows it. */
  readonly adopted: Props | undefined;
  /** For the new half of a replacement: the inputs, and the id where it is known, of the resource that is replaced. */
  readonly replaced: Props | undefined;
  readonly replacedId: string | undefined;
  /** How many times the resource was replaced, this time included. */
  readonly generation: number;
  /** The API's time in milliseconds since the epoch. Asked for once in a process; a run that needs none makes no call. */
  serviceTime(): Promise<number>;
}

/** What a plan makes. */
export interface Plan {
  readonly inputs: Props;
  readonly findings: readonly Finding[];
  /** Why the resource is to be replaced, for its row. */
  readonly reason?: string | undefined;
}

/** What a rule found: a failure stops the preview, a warning stands on the resource's row. */
export interface Finding {
  readonly severity: "failure" | "warning";
  readonly field: string;
  readonly reason: string;
}

/** An interface as a plain object type, which members can be picked from by name. */
export type Plain<T> = { readonly [Member in keyof T]: T[Member] };

/** Checks a resource's description against its own types and hands it to the lifecycle without them. */
export function defineKind<Inputs extends Props, Wire extends Props, Body extends Props>(
  kind: ResourceKind<Inputs, Wire, Body>,
): ResourceKind {
  return kind;
}
