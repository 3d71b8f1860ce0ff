import type { z } from "zod";
import type { Api, CallOptions } from "../../api/client";
import type { Collection } from "../../api/collection";
import type { Settings } from "../../settings/config";
import type { CredentialCapability } from "../../definition/credential";
import type { Discovery } from "../../definition/discovery";
import type { NamedValue } from "../../definition/named-values";
import type { Naming } from "../../definition/names";
import type { NamedPart, PartDifferences } from "../../definition/parts";
import type { MachineOf, QuotaUse } from "../../definition/quotas";
import type { Listable } from "../../definition/response-schemas";
import type { Finding, Plan, PlanContext, Props, RuleContext } from "../../definition/rules";
import type { ChangePolicy } from "./change-policy";
import type { Fields } from "../../definition/types";

export type { Finding, Plan, PlanContext, Props, RuleContext };

/**
 * The kind of a resource, as the lifecycle needs it: made from its definition (`kind-of.ts`). The lifecycle itself (check,
 * diff, create, read, update, delete, quote, wait, recover, log) is written once, in this folder.
 */
export interface ResourceKind {
  /** The last part of the type token: `FirewallRule`. */
  readonly type: string;
  /** The words for one object in messages: `firewall rule`. */
  readonly noun: string;
  /** The arguments of a program, `adopt` too, and the inputs that only the plan makes. */
  readonly args: Fields;
  /** How each input is validated. */
  schemas(): Readonly<Record<string, z.ZodType>>;
  /** Rules between fields. They do not see fields that are unknown or invalid. */
  rules(inputs: Props, context: RuleContext<Props>): readonly Finding[];
  /**
   * Makes the inputs that check itself plans, from the others and the previous state. Runs before validation, so inputs may be
   * invalid or unknown.
   */
  plan?(inputs: Props, context: PlanContext): Promise<Plan>;
  /** The inputs that only the plan makes. In a program they are outputs. */
  readonly planned: readonly string[];
  /** What the API takes as a name. Undefined if a program gives the objects none. */
  readonly naming: Naming | undefined;
  /** The effect of changing each field. */
  readonly policies: Readonly<Record<string, ChangePolicy>>;
  /** Default values: those of the configuration, and the empty ones that the API shows for none. */
  defaults(settings: Settings): Props;
  /** Whether the API says beforehand if it would take a creation or a change. */
  readonly hasAvailability: boolean;
  /** False if the API has no quotes for it in this dialect, whatever its inputs are. */
  isQuoted(dialect: Settings["dialect"]): boolean;
  /** The values that must be in lists of the API. */
  named(inputs: Props): readonly NamedValue[];
  /** What an object takes of its region's quotas. Absent if it takes nothing. */
  quotas?(inputs: Props, machineOf: MachineOf): QuotaUse;
  /** The time limits of calls, if neither the program nor the configuration gives one. */
  readonly operationTimeoutMs?: number | undefined;
  /** Outputs that only their own endpoint shows: `GET <object>/<at>`. */
  readonly subResources: readonly SubResourceOutput[];
  /** Secret outputs. Only the creation shows them. If its answer is lost, the object is made again. */
  readonly secretOutputs: readonly string[];
  /** Outputs of the API without an input. */
  readonly computed: readonly string[];
  /** The computed outputs that a change of these inputs in place may change. */
  changesWith(inputs: readonly string[]): readonly string[];
  /** A computed output with the members that inputs stand for. */
  withInputsInside(name: string, value: unknown, inputs: Props): unknown;
  /** The inputs that paths and lists need to find an object, such as a firewall rule's `vpcId`. */
  readonly pathFields: readonly string[];
  /** The long form of an id, such as `<vpcId>/<firewallRuleId>`. */
  parseId(id: string): { readonly id: string; readonly inputs: Props };
  /** The opposite of `parseId`. */
  longId(id: string, inputs: Props): string;
  /** The whole body of the creation request. */
  toWire(inputs: Props, now: number): Props;
  /** The body of an update request: the members of the changed fields. */
  toWireUpdate(inputs: Props, changed: readonly string[], now: number): Props;
  /** The program's name for a member of a request. */
  inputName(member: string): string;
  /**
   * Every input and computed output in a response: undefined if the response does not show it, null if it shows that there is
   * none.
   */
  fromWire(wire: Props): Props;
  /** A reason not to manage an object with these outputs, if there is one. */
  refuse?(outputs: Props): string | undefined;
  /** A reason not to delete an object with these outputs, which were just read. */
  refuseDeletion?(outputs: Props): string | undefined;
  /** Why the API may have refused to delete it, from its present outputs. */
  heldBy?(outputs: Props): string | undefined;
  /** The provider may sign in with it. */
  readonly credential?: CredentialCapability;
  /** Why the old object of a replacement is not deleted, if so. */
  outlivesReplacement?(outputs: Props): string | undefined;
  /** What else a replacement deletes with the old object. */
  readonly replacementLoss?: string;
  /** In place of a new object in the path of a quote, another one: its type, those there are, and the inputs for one. */
  readonly standIn?: {
    readonly type: string;
    list(api: Api, projectId: string, call: CallOptions): AsyncIterable<Props>;
    inputs(object: Props): Props;
  };
  /** What an object is billed for without a quote. */
  billedFor?(inputs: Props): string | undefined;
  /** Its objects are found, never made. */
  readonly discovery?: Discovery;
  /** The fields that can only grow, and are smaller than those of the object. Check does not know the object: diff asks. */
  shrinking(present: Props, values: Props): readonly Finding[];
  /** The parts that outputs name: those that the object had when it was last read. */
  partsIn(outputs: Props): readonly NamedPart[];
  /** How the parts of a field differ from the program. `whole` is a response with its parts. */
  partDifferences(field: string, getWithParts: Props, wanted: unknown, now: number): PartDifferences;
  /**
   * The collection of the object with these inputs. Throws ConfigurationError if an input of its path is missing; `id` is for that message.
   */
  collection(api: Api, inputs: Props, id?: string): Collection<Listable>;
  /** The object with the parts that it was made with, from their own endpoints. */
  whole(api: Api, id: string, inputs: Props, call: CallOptions): Promise<Props>;
  /** As `whole`, for the many reads of the engine. It uses lists if they take fewer calls. */
  readWithParts(api: Api, id: string, inputs: Props, call: CallOptions): Promise<Props>;
}

/** An output that `GET <object>/<at>` shows, in this member. */
export interface SubResourceOutput {
  readonly name: string;
  readonly member: string;
  readonly at: string;
  readonly isSecret: boolean;
}
