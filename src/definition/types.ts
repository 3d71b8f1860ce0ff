import type { CatalogName } from "./catalogs";
import type { CredentialCapability, DeletionOfOld, Discovery, StandIn } from "./capabilities";
import type { Enumeration } from "./enumeration";
import type { MachineOf, QuotaUse } from "./quotas";
import type { Finding, Plan, PlanContext, Props, RuleContext, ValidPart } from "./rule-context";
import type { Same } from "./compare-values";

export interface NamePattern {
  readonly regex: RegExp;
  /** A description of the form: `lower-case letters, digits and hyphens`. */
  readonly words: string;
}

/** The type of a value, as data. Validation, response schemas, the wire form and the documentation follow from it. */
export type ValueType =
  | {
      readonly kind: "text";
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      /** Refuses an empty string, with this advice. */
      readonly ifEmpty?: string | undefined;
      /** The required form, for messages: `a duration such as "90d"`. */
      readonly form?: string | undefined;
      readonly pattern?: NamePattern | undefined;
    }
  | {
      readonly kind: "oneOf";
      readonly values: readonly (string | number)[];
      /** The type that SDKs have for it. */
      readonly enumeration?: Enumeration;
      /** True if the API may add values. */
      readonly open?: boolean;
    }
  | { readonly kind: "integer"; readonly min?: number | undefined; readonly max?: number | undefined }
  | { readonly kind: "boolean" | "number" }
  | { readonly kind: "instant" }
  | { readonly kind: "cidr" | "ports" | "ipv4Source" }
  | {
      readonly kind: "list";
      readonly item: ValueType;
      readonly min?: number | undefined;
      readonly max?: number | undefined;
    }
  | {
      readonly kind: "object";
      readonly members: Fields;
      /** A program may give one of these words instead of the object. SDKs then call the object's type `name`. */
      readonly orWord?: { readonly enumeration: Enumeration; readonly name: string };
    }
  | { readonly kind: "anything" };

/** Whether a field is required, may be left out, or has a default. */
export type Presence = "required" | "optional" | "defaulted";

export type Fields = Readonly<Record<string, Field>>;

/** A setting that gives a field its value, if the program does not. */
type ConfiguredField = "projectId" | "region";

export interface FieldOptions {
  /** True if the program may leave it out. The object then has none. */
  readonly optional?: boolean;
  /**
   * The value if the program gives none. The API must show this value for an object without one, or each refresh would
   * find a difference.
   */
  readonly default?: unknown;
  /** A creation leaves the default out, so that it also works with an API that does not know the field yet. */
  readonly omitsDefault?: true;
  /** The setting that gives the value, if the program does not. */
  readonly configured?: ConfiguredField;
  /** The field whose value is used at the creation, if the program gives none. The value then stays. */
  readonly initially?: string;
  /**
   * For a name that must be unique in its collection. `enforced`: the API refuses a second object with the name.
   * `needed`: the API accepts it, but the objects could not be told apart.
   */
  readonly unique?: "enforced" | "needed";
  /** True if check chooses the value, if the program gives none: the logical name and seven hex characters. */
  readonly chosen?: true;
  /** True if the plan of the definition makes the value, if the program gives none. */
  readonly planned?: true;
  /** What a change does: `update` (the default) sends it to the API, `replace` makes a new object. */
  readonly change?: "update" | "replace";
  /** A smaller value fails the preview, unless a replacement is coming. */
  readonly growsOnly?: boolean;
  /**
   * True if the price depends on it: a change then asks for a new quote. A field that says where the object is does not
   * need this.
   */
  readonly priced?: boolean;
  /** The list of the API that must have the value, or each value of a list. A preview refuses others. */
  readonly names?: CatalogName;
  /** True if the order of the list does not matter. */
  readonly unordered?: boolean;
  /** Decides whether two values mean the same, if equality is not enough. */
  readonly same?: Same;
  /**
   * The inputs whose change in place also changes this output. After a change of others, a preview knows the output.
   */
  readonly changesWith?: readonly string[] | "any";
  /** The requests that change the field, if the update request has no such member. */
  readonly actions?: (before: unknown, after: unknown) => readonly Action[];
  /**
   * For a part: a separate object with its own endpoint, to which changes are sent. A changed member with `change:
   * "replace"` replaces the resource. Parts in a list are matched by name.
   */
  readonly part?: Part;
  /** True if only the program and the state have it, and the API has no such member. */
  readonly local?: boolean;
  /** The name on the wire, if it is not the field's name in snake case. */
  readonly wireName?: string;
  /** The path in responses, if it differs: `["subnet", "name"]`. The first member is an output with the schema. */
  readonly shownAt?: readonly string[];
  /**
   * Whether responses show it. Default: `always`, and `nullable` for an optional field. With `always`, the API chooses
   * a value for an optional field that the program leaves out, so that value is no difference.
   */
  readonly shown?: "always" | "nullable" | "maybe" | "never";
  /** Converts to the form on the wire, if it differs. Undefined leaves the member out. */
  readonly toWire?: (value: never, now: number) => unknown;
  /** A valid value, for documentation, and for quotes while the value is unknown. */
  readonly example?: unknown;
}

/** A field. `Given` is its type in a program, `Shown` that of the output: for the compiler only. */
export interface Field<out Given = unknown, out P extends Presence = Presence, out Shown = Given> extends FieldOptions {
  readonly type: ValueType;
  readonly presence: P;
  /**
   * True for an output that is encrypted in the state. Only the creation shows it, unless `readSeparately` is given.
   */
  readonly secret?: boolean;
  /**
   * The endpoint of the output: `GET <object>/<readSeparately>` shows it, in the member of its name. The provider reads
   * it if the state does not have it.
   */
  readonly readSeparately?: string;
  readonly typed?: { readonly given: Given; readonly shown: Shown };
}

/** The type of a field's value in a program's arguments. */
export type GivenOf<F> = F extends Field<infer Given, Presence, unknown> ? Given : never;
/** The type of a field's value among the outputs. */
export type ShownOf<F> = F extends Field<unknown, Presence, infer Shown> ? Shown : never;

/**
 * A request that changes a field: POST `<object>/<verb>`. The object shows the new value after the last action, and no
 * value before.
 */
export interface Action {
  readonly verb: string;
  readonly body?: object;
}

/** A separate object that a resource is made with. Its own endpoints show and change it. */
export interface Part {
  /** The definition of its kind. Its lists need the same input as the resource. */
  readonly of: Definition;
  /** The member of a response with its id, or with the ids if the field is a list: `boot_volume_id`. */
  readonly idAt: string;
  /** The member of the part's response that has the id of the object to which it is attached. */
  readonly attachedAt: string;
  /**
   * The greatest difference between the times of creation of the resource's object and of a part that the API makes
   * with it.
   */
  readonly madeWithinMs: number;
}

/**
 * The description of a resource, from which everything else is derived. It is plain data, without Pulumi and HTTP
 * client.
 */
export interface Definition<
  Inputs extends Fields = Fields,
  Outputs extends Fields = Fields,
  Planned extends Fields = Fields,
> extends WrittenDefinition<Inputs, Outputs, Planned> {
  /** The word for several objects in messages: `firewall rules`. */
  readonly nouns: string;
}

/** A definition as its file has it. `define` adds the rest. */
export interface WrittenDefinition<Inputs extends Fields, Outputs extends Fields, Planned extends Fields> {
  /**
   * The name of the class, such as `FirewallRule`, and the last part of the type token. Never change it: users' states
   * contain it.
   */
  readonly type: string;
  /** The word for one object in messages: `firewall rule`. */
  readonly noun: string;
  /** The path of its collection, with names of inputs in braces: `/v1/networking/vpcs/{vpcId}/firewall_rules`. */
  readonly path: string;
  /** False if the API has no quotes for it. Default: true. */
  readonly isQuoted?: boolean;
  /** The dialects of the API that have no quotes for it. */
  readonly unquotedIn?: readonly "nirvana"[];
  /**
   * True if the kind has an `/availability` endpoint, which says whether the API would accept a creation or a change.
   * Default: false.
   */
  readonly hasAvailability?: boolean;
  /** The arguments of a program. */
  readonly inputs: Inputs;
  /** Values that only the API knows. */
  readonly outputs: Outputs;
  /** Outputs that check computes from the inputs and the previous state. */
  readonly planned?: Planned;
  /** Rules between fields. Unknown and invalid values are left out of `inputs`, at any depth. */
  rules?(inputs: ValidPart<InputsOf<Inputs>>, context: RuleContext<InputsOf<Inputs>>): readonly Finding[];
  /** Findings for values that a change in place cannot reach. `previous`: the inputs of the existing resource. */
  changeRules?(inputs: InputsOf<Inputs>, previous: InputsOf<Inputs>): readonly Finding[];
  /** The amount of its region's quotas that an object needs. Unknown values are left out of `inputs`. */
  quotas?(inputs: InputsOf<Inputs>, machineOf: MachineOf): QuotaUse;
  /** Computes the planned outputs. It runs before validation, so inputs may be invalid or unknown. */
  readonly plan?: (inputs: Props, context: PlanContext) => Promise<Plan>;
  // Capabilities: the special properties of a kind's objects. The lifecycle knows these, and not the kinds. A secret
  // output is another one.

  /** A reason not to manage an object with these outputs, if there is one. */
  readonly refuse?: (outputs: Props) => string | undefined;
  /**
   * A reason not to delete an object with these outputs: `it still holds 2 VPCs`. It must hold for ten seconds, because
   * counters may be late.
   */
  readonly refuseDeletion?: (outputs: Props) => string | undefined;
  /** For objects that the provider may sign in with. */
  readonly credential?: CredentialCapability;
  /** When the program wants the old object of a replacement to be deleted. Needs `credential`. Default: `atOnce`. */
  readonly deletionOfOld?: (inputs: Props) => DeletionOfOld;
  /** The loss that a replacement causes, for its row: `the data of the old volume is deleted`. */
  readonly replacementLoss?: string;
  /**
   * For a kind whose quotes have the id of a parent in their path, although the price is the same for all parents of a
   * region.
   */
  readonly standIn?: StandIn<Definition>;
  /**
   * The part of an object that is billed although the API has no quotes for its kind: `its public IP`. Undefined if
   * none is known.
   */
  readonly billedFor?: (inputs: Props) => string | undefined;
  /** For objects that something else makes and deletes: the provider finds them instead. */
  readonly discovery?: Discovery;
}

/** The inputs of a resource as rules see them, without unknown values. */
type InputsOf<Inputs extends Fields> = { readonly [Name in keyof Inputs]?: GivenOf<Inputs[Name]> | undefined };
