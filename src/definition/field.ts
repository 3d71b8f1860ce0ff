import type { Action, Part } from "./requests";
import type { Same } from "./same";

/** The type of a value, as data. Validation, response schemas, the wire form and the documentation follow from it. */
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
  /** The setting that gives the value, if the program does not. */
  readonly configured?: ConfiguredField;
  /** The field that gives the value at the creation, if the program does not. The value then stays. */
  readonly initially?: string;
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
  /** True if the order of the list means nothing. */
  readonly unordered?: boolean;
  /** Decides whether two values mean the same, if equality is not enough. */
  readonly same?: Same;
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
  /** An output that is encrypted in the state. Only the creation shows it, unless `readApart` is given. */
  readonly secret?: boolean;
  /**
   * `GET <object>/<readApart>` shows the output, in the member of its name. The provider reads it if the state does not have
   * it.
   */
  readonly readApart?: string;
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

/** The types of a program's arguments. (By name and not by `as`, so that the documentation stays with them.) */
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

/** To the compiler, a number from the configuration is any number. Check says which numbers are allowed. */
type Writable<V> = V extends number ? number : V;

/** One of these values. */
export function oneOf<const V extends string | number, const O extends FieldOptions = typeof none>(
  values: readonly V[],
  options?: O,
): Field<Writable<V>, PresenceOf<O>, SeenAs<V, O>> {
  return field({ kind: "oneOf", values }, options ?? (none as O));
}

/** One of these values. The API may add others. */
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

/** A port, or a range of ports. */
export function ports<const O extends FieldOptions = typeof none>(
  options?: O,
): Field<string, PresenceOf<O>, SeenAs<string, O>> {
  return field({ kind: "ports" }, options ?? (none as O));
}

/** An IPv4 address or network. */
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

/** An output that is encrypted in the state, and that only the creation shows. */
export function secret<F extends Field>(shown: F): F & { readonly secret: true } {
  return { ...shown, shown: "maybe", secret: true };
}

/** An output that `GET <object>/<at>` shows, encrypted in the state. A creation waits until it exists. */
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
