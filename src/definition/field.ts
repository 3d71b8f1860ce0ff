import type { Action, Part } from "./requests";
import type { Same } from "./same";

/** What a value is, as data: validation, response schemas, the wire form and the documentation are made from it. */
export type ValueType =
  | { readonly kind: "text"; readonly min?: number | undefined; readonly max?: number | undefined }
  | { readonly kind: "oneOf"; readonly values: readonly (string | number)[] }
  | { readonly kind: "integer"; readonly min?: number | undefined; readonly max?: number | undefined }
  | { readonly kind: "boolean" }
  | { readonly kind: "instant" }
  | { readonly kind: "cidr" | "ports" | "ipv4Source" }
  | {
      readonly kind: "list";
      readonly item: ValueType;
      readonly min?: number | undefined;
      readonly max?: number | undefined;
    }
  | { readonly kind: "object"; readonly members: Fields }
  | { readonly kind: "anything" };

/** Whether a program must give a field, may leave it out, or may leave it out because it then has a default. */
export type Presence = "required" | "optional" | "defaulted";

/** Fields by name. */
export type Fields = Readonly<Record<string, Field>>;

/** A setting that a field takes its value from, if the program gives none. */
export type ConfiguredField = "projectId" | "region";

/** What can be said of a field besides its type. */
export interface FieldOptions {
  /** The program may leave it out; then the object has none. */
  readonly optional?: boolean;
  /** The value if the program gives none. It is what the API shows for none, so nothing differs after a refresh. */
  readonly default?: unknown;
  /** The setting that stands in, if the program gives none. */
  readonly configured?: ConfiguredField;
  /** The field whose value is taken when the object is made, if the program gives none. It is kept from then on. */
  readonly initially?: string;
  /** Check chooses it, if the program gives none: the logical name with seven hex characters behind it. */
  readonly chosen?: true;
  /** The plan of its definition makes it, if the program gives none. */
  readonly planned?: true;
  /** What a change does: `update` (the default) sends it to the API, `replace` makes a new object. */
  readonly change?: "update" | "replace";
  /** A smaller value fails the preview, unless a replacement is coming. */
  readonly growsOnly?: boolean;
  /** Whether the price can depend on it: then a change asks for a new quote. */
  readonly priced?: boolean;
  /** The order of the list means nothing. */
  readonly unordered?: boolean;
  /** When two values mean the same, if it is not when they are equal. */
  readonly same?: Same;
  /** The requests that change it, if it is not a member of the update request. */
  readonly actions?: (before: unknown, after: unknown) => readonly Action[];
  /**
   * It is an object of its own. A change goes to its own endpoint; a member that says `change: "replace"` replaces the resource. In a
   * list they go by their names.
   */
  readonly part?: Part;
  /** It stays between the program and the state: the API has no such member. */
  readonly local?: boolean;
  /** Its name on the wire, if it is not the field's own in snake case. */
  readonly wireName?: string;
  /** Where responses show it, if not in the member that requests have: `["subnet", "name"]`. */
  readonly shownAt?: readonly string[];
  /** How responses show it: `always` unless it is optional, which is then `nullable`; or perhaps, or never. */
  readonly shown?: "always" | "nullable" | "maybe" | "never";
  /** The wire's form, if it differs: undefined leaves the member out. */
  readonly toWire?: (value: never, now: number) => unknown;
  /** The program's form of what a response shows, if it differs. */
  readonly fromWire?: (value: unknown) => unknown;
  /** A valid value: for documentation, and for quotes while the value is not known yet. */
  readonly example?: unknown;
}

/** One field. `Given` is what a program writes, `Shown` what an output holds: types only, no such value exists. */
export interface Field<out Given = unknown, out P extends Presence = Presence, out Shown = Given> extends FieldOptions {
  readonly type: ValueType;
  readonly presence: P;
  /** An output that is encrypted in the state. The API shows it at creation only, unless it is read apart. */
  readonly secret?: boolean;
  /** An output that `GET <object>/<readApart>` shows, in the member of its name: read when the state does not have it. */
  readonly readApart?: string;
  readonly typed?: { readonly given: Given; readonly shown: Shown };
}

/** What the options say about the presence. */
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

/** What is never shown may be absent among the outputs: after an adoption, or in a reference. */
type SeenAs<V, O> = O extends { readonly shown: "never" } ? V | undefined : V;

/** The type of a field's value in a program's arguments. */
export type GivenOf<F> = F extends Field<infer Given, Presence, unknown> ? Given : never;
/** The type of a field's value among the outputs. */
export type ShownOf<F> = F extends Field<unknown, Presence, infer Shown> ? Shown : never;

type KeysOf<F extends Fields, P extends Presence> = {
  [Name in keyof F]-?: F[Name] extends Field<unknown, P, unknown> ? Name : never;
}[keyof F];

type Required<F extends Fields, Names extends keyof F> = { readonly [Name in Names]: GivenOf<F[Name]> };
type Optional<F extends Fields, Names extends keyof F> = { readonly [Name in Names]?: GivenOf<F[Name]> };

/** The values of fields as a program gives them. (By name and not by `as`, so that the documentation stays with them.) */
export type GivenValues<F extends Fields> = Required<F, KeysOf<F, "required">> &
  Optional<F, KeysOf<F, "optional" | "defaulted">>;

/** The values of fields as outputs hold them. */
export type ShownValues<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<unknown, "optional", unknown>
    ? ShownOf<F[Name]> | undefined
    : ShownOf<F[Name]>;
};

interface Limits {
  readonly min?: number;
  readonly max?: number;
}

function field<V, O extends FieldOptions, S = V>(type: ValueType, options: O): Field<V, PresenceOf<O>, SeenAs<S, O>> {
  const { optional, chosen, planned, configured, initially } = options;
  const hasDefault = [options.default, chosen, planned, configured, initially].some((source) => source !== undefined);
  const presence = (optional === true ? "optional" : hasDefault ? "defaulted" : "required") as PresenceOf<O>;
  return { ...options, type, presence };
}

const none = {} as const;

/** A string of `min` to `max` characters. */
export function text<const O extends FieldOptions & Limits = typeof none>(
  options?: O,
): Field<string, PresenceOf<O>, SeenAs<string, O>> {
  const { min, max } = options ?? (none as Limits);
  return field({ kind: "text", min, max }, options ?? (none as O));
}

/** A number from the configuration is any number to the compiler: check says which are allowed. */
type Writable<V> = V extends number ? number : V;

/** One of some values. */
export function oneOf<const V extends string | number, const O extends FieldOptions = typeof none>(
  values: readonly V[],
  options?: O,
): Field<Writable<V>, PresenceOf<O>, SeenAs<V, O>> {
  return field({ kind: "oneOf", values }, options ?? (none as O));
}

/** One of some values, to which the API may add others. */
export function openOneOf<const V extends string, const O extends FieldOptions = typeof none>(
  values: readonly V[],
  options?: O,
): Field<V | (string & {}), PresenceOf<O>, SeenAs<V | (string & {}), O>> {
  return field({ kind: "oneOf", values }, options ?? (none as O));
}

/** A whole number. */
export function integer<const O extends FieldOptions & Limits = typeof none>(
  options?: O,
): Field<number, PresenceOf<O>, SeenAs<number, O>> {
  const { min, max } = options ?? (none as Limits);
  return field({ kind: "integer", min, max }, options ?? (none as O));
}

/** True or false. */
export function flag<const O extends FieldOptions = typeof none>(
  options?: O,
): Field<boolean, PresenceOf<O>, SeenAs<boolean, O>> {
  return field({ kind: "boolean" }, options ?? (none as O));
}

/** A point in time, ISO 8601. */
export function instant<const O extends FieldOptions = typeof none>(
  options?: O,
): Field<string, PresenceOf<O>, SeenAs<string, O>> {
  return field({ kind: "instant" }, options ?? (none as O));
}

/** A network in canonical form. */
export function cidr<const O extends FieldOptions = typeof none>(
  options?: O,
): Field<string, PresenceOf<O>, SeenAs<string, O>> {
  return field({ kind: "cidr" }, options ?? (none as O));
}

/** A port, or two as a range. */
export function ports<const O extends FieldOptions = typeof none>(
  options?: O,
): Field<string, PresenceOf<O>, SeenAs<string, O>> {
  return field({ kind: "ports" }, options ?? (none as O));
}

/** An address or network of IPv4. */
export function ipv4Source<const O extends FieldOptions = typeof none>(
  options?: O,
): Field<string, PresenceOf<O>, SeenAs<string, O>> {
  return field({ kind: "ipv4Source" }, options ?? (none as O));
}

/** A list of such values. */
export function list<F extends Field, const O extends FieldOptions & Limits = typeof none>(
  item: F,
  options?: O,
): Field<GivenOf<F>[], PresenceOf<O>, SeenAs<ShownOf<F>[], O>> {
  const { min, max } = options ?? (none as Limits);
  return field({ kind: "list", item: item.type, min, max }, options ?? (none as O));
}

/** An object with such members. */
export function object<M extends Fields, const O extends FieldOptions = typeof none>(
  members: M,
  options?: O,
): Field<GivenValues<M>, PresenceOf<O>, SeenAs<ShownValues<M>, O>> {
  return field({ kind: "object", members }, options ?? (none as O));
}

/** An output that is encrypted in the state, and that the API shows at creation only. */
export function secret<F extends Field>(shown: F): F & { readonly secret: true } {
  return { ...shown, shown: "maybe", secret: true };
}

/** An output that `GET <object>/<at>` shows, encrypted in the state. A creation waits until it is there. */
export function secretApart<F extends Field>(
  at: string,
  shown: F,
): F & { readonly secret: true; readonly readApart: string } {
  return { ...secret(shown), readApart: at };
}

/** Any value. */
export function anything<const O extends FieldOptions = typeof none>(
  options?: O,
): Field<unknown, PresenceOf<O>, SeenAs<unknown, O>> {
  return field({ kind: "anything" }, options ?? (none as O));
}
