import type { CatalogName } from "./catalogs";
import type { CredentialCapability, Discovery, RetirementRule, StandIn } from "./capabilities";
import type { Enumeration } from "./enumeration";
import type { MachineOf, QuotaUse } from "./quotas";
import type { Finding, Plan, PlanContext, Props, RuleContext, ValidPart } from "./rules";
import type { Same, NamePattern } from "./values";

/** The type of a value, as data. Validation, response schemas, the wire form and the documentation follow from it. */
export type ValueType =
  | {
      readonly kind: "text";
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      /** An empty string is refused: what to write instead. */
      readonly ifEmpty?: string | undefined;
      /** What any other value must be, such as `a duration such as "90d"`. */
      readonly form?: string | undefined;
      readonly pattern?: NamePattern | undefined;
    }
  | {
      readonly kind: "oneOf";
      readonly values: readonly (string | number)[];
      /** The type that SDKs have for it. */
      readonly enumeration?: Enumeration;
      /** True if the API may add others. */
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
      /** A word may stand in its place. SDKs then call the object `name`. */
      readonly orWord?: { readonly enumeration: Enumeration; readonly name: string };
    }
  | { readonly kind: "anything" };

/** Whether a program must give a field, may leave it out, or gets a default for it. */
export type Presence = "required" | "optional" | "defaulted";

/** Fields by name. */
export type Fields = Readonly<Record<string, Field>>;

/** A setting that gives a field its value, if the program does not. */
export type ConfiguredField = "projectId" | "region";

/** The properties of a field besides its type. */
export interface FieldOptions {
  /** The program may leave it out; then the object has none. */
  readonly optional?: boolean;
  /** The value if the program gives none. It equals what the API shows for none, so nothing differs after a refresh. */
  readonly default?: unknown;
  /** For a field that came later: a creation leaves the default out, so the API need not know the field. */
  readonly omitsDefault?: true;
  /** The setting that gives the value, if the program does not. */
  readonly configured?: ConfiguredField;
  /** The field that gives the value at the creation, if the program does not. The value then stays. */
  readonly initially?: string;
  /**
   * For a name: no two objects of a collection can have the same. `enforced`: the API refuses a second one. `needed`: it takes a second
   * one, but nobody can tell them apart.
   */
  readonly unique?: "enforced" | "needed";
  /** Check chooses the value, if the program gives none: the logical name and seven hex characters. */
  readonly chosen?: true;
  /** The plan of its definition makes the value, if the program gives none. */
  readonly planned?: true;
  /** What a change does: `update` (the default) sends it to the API, `replace` makes a new object. */
  readonly change?: "update" | "replace";
  /** A smaller value fails the preview, unless a replacement is coming. */
  readonly growsOnly?: boolean;
  /** True if the price can depend on it. A change then asks for a new quote. */
  readonly priced?: boolean;
  /** The list of the API that has its value, or each of its values. A preview refuses one that is not there. */
  readonly names?: CatalogName;
  /** True if the order of the list means nothing. */
  readonly unordered?: boolean;
  /** Decides whether two values mean the same, if equality is not enough. */
  readonly same?: Same;
  /** The inputs whose change in place changes this output. Others leave it as it is, and a preview knows it. */
  readonly changesWith?: readonly string[] | "any";
  /** The requests that change it, if the update request has no such member. */
  readonly actions?: (before: unknown, after: unknown) => readonly Action[];
  /**
   * It is an object with its own endpoint. A change goes there; a member with `change: "replace"` replaces the resource.
   * Objects in a list are matched by name.
   */
  readonly part?: Part;
  /** True if only the program and the state have it, and the API has no such member. */
  readonly local?: boolean;
  /** Its name on the wire, if it is not the field's own in snake case. */
  readonly wireName?: string;
  /** Its path in responses, if it differs from that in requests: `["subnet", "name"]`. */
  readonly shownAt?: readonly string[];
  /** Whether responses show it: `always`, except for an optional field, which is `nullable`; or perhaps, or never. */
  readonly shown?: "always" | "nullable" | "maybe" | "never";
  /** The form on the wire, if it differs. Undefined leaves the member out. */
  readonly toWire?: (value: never, now: number) => unknown;
  /** The program's form of a value in a response, if it differs. */
  readonly fromWire?: (value: unknown) => unknown;
  /** A valid value, for documentation, and for quotes while the value is unknown. */
  readonly example?: unknown;
}

/** A field. `Given` is the type in a program, `Shown` the type of the output. These are types only: no such value exists. */
export interface Field<out Given = unknown, out P extends Presence = Presence, out Shown = Given> extends FieldOptions {
  readonly type: ValueType;
  readonly presence: P;
  /** An output that is encrypted in the state. Only the creation shows it, unless `readSeparately` is given. */
  readonly secret?: boolean;
  /**
   * `GET <object>/<readSeparately>` shows the output, in the member of its name. The provider reads it if the state does not have
   * it.
   */
  readonly readSeparately?: string;
  readonly typed?: { readonly given: Given; readonly shown: Shown };
}

/** The presence that the options give. */
export type PresenceOf<O> = O extends { readonly optional: true }
  ? "optional"
  : O extends
        | { readonly default: unknown }
        | { readonly configured: string }
        | { readonly initially: string }
        | { readonly chosen: true }
        | { readonly planned: true }
    ? "defaulted"
    : "required";

/** A field that is never shown may be absent among the outputs: after an adoption, or in a reference. */
export type SeenAs<V, O> = O extends { readonly shown: "never" } ? V | undefined : V;

/** The type of a field's value in a program's arguments. */
export type GivenOf<F> = F extends Field<infer Given, Presence, unknown> ? Given : never;
/** The type of a field's value among the outputs. */
export type ShownOf<F> = F extends Field<unknown, Presence, infer Shown> ? Shown : never;

type KeysOf<F extends Fields, P extends Presence> = {
  [Name in keyof F]-?: F[Name] extends Field<unknown, P, unknown> ? Name : never;
}[keyof F];

type Required<F extends Fields, Names extends keyof F> = { readonly [Name in Names]: GivenOf<F[Name]> };
type Optional<F extends Fields, Names extends keyof F> = { readonly [Name in Names]?: GivenOf<F[Name]> };

/** The types of a program's arguments. (By name and not by `as`, so that the documentation stays with them.) */
export type GivenValues<F extends Fields> = Required<F, KeysOf<F, "required">> &
  Optional<F, KeysOf<F, "optional" | "defaulted">>;

/** The values of fields as outputs hold them. */
export type ShownValues<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<unknown, "optional", unknown>
    ? ShownOf<F[Name]> | undefined
    : ShownOf<F[Name]>;
};

/** A separate request that changes a field: POST `<object>/<verb>`. */
export interface Action {
  readonly verb: string;
  readonly body?: object;
  /** The field's value that the object shows after it, null for none. Absent if the object never shows the field. */
  readonly shows?: unknown;
}

/** An object that a resource is made with. Its own endpoints show and change it. */
export interface Part {
  /** Its kind. Its collection is listed by the same input. */
  readonly of: Definition;
  /** The member of a response that has its id, or the ids if the field is a list: `boot_volume_id`. */
  readonly idAt: string;
}

/**
 * The description of a resource, from which everything else is derived. It is plain data: reading it needs no schema library,
 * no HTTP client and no Pulumi.
 */
export interface Definition<
  Inputs extends Fields = Fields,
  Outputs extends Fields = Fields,
  Planned extends Fields = Fields,
> {
  /** The class's name and the last part of the type token: `FirewallRule`. It is in users' states for ever. */
  readonly type: string;
  /** The word for one object in messages: `firewall rule`. */
  readonly noun: string;
  /** The word for several objects in messages: `firewall rules`. */
  readonly nouns: string;
  /** The path of its collection, with names of inputs in braces: `/v1/networking/vpcs/{vpcId}/firewall_rules`. */
  readonly path: string;
  /** The input that its lists must name in the query, if there is one: `projectId`. */
  readonly listedBy?: string;
  /** False if the API has no quotes for it. Default: true. */
  readonly isQuoted?: boolean;
  /** The dialects of the API that have no quotes for it. */
  readonly unquotedIn?: readonly "nirvana"[];
  /** True if the API says beforehand whether it would take a creation or a change: `…/availability`. Default: false. */
  readonly hasAvailability?: boolean;
  /** The time limits of a creation, a change and a deletion, if neither the program nor the configuration gives one. */
  readonly operationTimeoutMs?: number;
  /** The arguments of a program. */
  readonly inputs: Inputs;
  /** Values that only the API knows. */
  readonly outputs: Outputs;
  /** Outputs that check makes from the inputs and the previous state. It keeps them, or makes new ones. */
  readonly planned?: Planned;
  /** Rules between fields. They do not see fields that are unknown or invalid, at any depth. */
  rules?(inputs: ValidPart<InputsOf<Inputs>>, context: RuleContext<InputsOf<Inputs>>): readonly Finding[];
  /** What an object takes of its region's quotas. It does not see inputs that are unknown. */
  quotas?(inputs: InputsOf<Inputs>, machineOf: MachineOf): QuotaUse;
  /** Makes the planned outputs. It runs before validation, so inputs may be invalid or unknown. */
  readonly plan?: (inputs: Props, context: PlanContext) => Promise<Plan>;
  // Capabilities: what is special about the objects of a kind. The lifecycle knows these, and no kind. One more is a secret output.

  /** A reason not to manage an object with these outputs, if there is one. */
  readonly refuse?: (outputs: Props) => string | undefined;
  /** A reason not to delete an object with these outputs, which were read a moment ago: `it still holds 2 VPCs`. */
  readonly refuseDeletion?: (outputs: Props) => string | undefined;
  /** The API does not delete it while it has these: the output with their ids, and their noun. */
  readonly heldBy?: { readonly ids: string; readonly noun: string };
  /** The provider may sign in with it. */
  readonly credential?: CredentialCapability;
  /** Why the old object of a replacement is not deleted, if so. */
  readonly outlivesReplacement?: (outputs: Props) => string | undefined;
  /** When the old object of a replacement goes, if clients may still sign in with it. Needs `credential`. */
  readonly retirement?: (inputs: Props) => RetirementRule | undefined;
  /** What else a replacement deletes with the old object, for its row: `the data of the old volume is deleted`. */
  readonly replacementLoss?: string;
  /** A quote leads through an object that must exist, and the price does not depend on which one of a region it is. */
  readonly standIn?: StandIn<Definition>;
  /** What an object is billed for although the API has no quotes for its kind: `its public IP`. Undefined if nothing is known. */
  readonly billedFor?: (inputs: Props) => string | undefined;
  /** Its objects are found, never made: something else makes and deletes them. */
  readonly discovery?: Discovery;
}

/** The inputs of a resource as rules see them, without unknown values. */
export type InputsOf<Inputs extends Fields> = { readonly [Name in keyof Inputs]?: GivenOf<Inputs[Name]> | undefined };
