import type { Enumeration } from "./enumeration";
import type { Field, Fields, FieldOptions, GivenOf, NamePattern, Presence, ShownOf, ValueType } from "./types";

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

/** An output that the API never shows may be undefined: after an adoption, or in a reference. */
export type OutputType<V, O> = O extends { readonly shown: "never" } ? V | undefined : V;

type KeysOf<F extends Fields, P extends Presence> = {
  [Name in keyof F]-?: F[Name] extends Field<unknown, P, unknown> ? Name : never;
}[keyof F];

type RequiredValues<F extends Fields, Names extends keyof F> = { readonly [Name in Names]: GivenOf<F[Name]> };
type OptionalValues<F extends Fields, Names extends keyof F> = { readonly [Name in Names]?: GivenOf<F[Name]> };

/**
 * The types of a program's arguments. (Keys are selected by name and not renamed with `as`, so that they keep their
 * documentation.)
 */
export type GivenValues<F extends Fields> = RequiredValues<F, KeysOf<F, "required">> &
  OptionalValues<F, KeysOf<F, "optional" | "defaulted">>;

/** The values of fields as outputs hold them. */
export type ShownValues<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<unknown, "optional", unknown>
    ? ShownOf<F[Name]> | undefined
    : ShownOf<F[Name]>;
};

/**
 * The same type without the names of this package's types, at any depth. A program may export such a value: the
 * compiler then writes its type out, and could not name types that the package does not export.
 */
export type Plain<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Plain<T[Name]> }
      : T;
type Primitive = string | number | boolean | undefined;

interface Limits {
  readonly min?: number;
  readonly max?: number;
}

interface TextLimits extends Limits {
  /** Refuses an empty string, with this advice. */
  readonly ifEmpty?: string;
  /** The required form, for messages: `a duration such as "90d"`. */
  readonly form?: string;
  readonly pattern?: NamePattern;
}

/** The API's rules for a name. */
export type NameLimits = TextLimits & Pick<FieldOptions, "unique" | "example">;

function field<V, O extends FieldOptions, S = V>(
  type: ValueType,
  options: O,
): Field<V, PresenceOf<O>, OutputType<S, O>> {
  const { optional, chosen, planned, configured, initially } = options;
  const hasDefault = [options.default, chosen, planned, configured, initially].some((source) => source !== undefined);
  const presence = (optional === true ? "optional" : hasDefault ? "defaulted" : "required") as PresenceOf<O>;
  return { ...options, type, presence };
}

const none = {} as const;

/** Makes the builder of a type that needs nothing but its kind. */
function builderOf<V>(kind: "number" | "boolean" | "instant" | "cidr" | "ports" | "ipv4Source" | "anything") {
  return <const O extends FieldOptions = typeof none>(options?: O): Field<V, PresenceOf<O>, OutputType<V, O>> =>
    field({ kind }, options ?? (none as O));
}

/** The advice for an empty id or name, which is mostly the result of a missing setting or output. */
export const IF_NOTHING_IS_NAMED =
  "give one that the API has. The setting or the output that it comes from may be empty";

/** The advice for an empty name or tag. */
export const IF_LEFT_EMPTY = "give it a value, or leave it out";

/** A string of `min` to `max` characters. */
export function text<const O extends FieldOptions & TextLimits = typeof none>(
  options?: O,
): Field<string, PresenceOf<O>, OutputType<string, O>> {
  const { min, max, form, pattern, names, ...rest }: FieldOptions & TextLimits = options ?? none;
  const ifEmpty = rest.ifEmpty ?? (names === undefined ? undefined : IF_NOTHING_IS_NAMED);
  return field({ kind: "text", min, max, ifEmpty, form, pattern }, options ?? (none as O));
}

/** The type allows any number, because a number from the configuration has that type. check finds the wrong ones. */
type Writable<V> = V extends number ? number : V;

/** One of these values. */
export function oneOf<const V extends string | number, const O extends FieldOptions = typeof none>(
  enumeration: Enumeration<V>,
  options?: O,
): Field<Writable<V>, PresenceOf<O>, OutputType<V, O>> {
  return field({ kind: "oneOf", values: enumeration.values, enumeration }, options ?? (none as O));
}

/** One of these values. The API may add others. */
export function openOneOf<const V extends string, const O extends FieldOptions = typeof none>(
  values: readonly V[],
  options?: O,
): Field<V | (string & {}), PresenceOf<O>, OutputType<V | (string & {}), O>> {
  return field({ kind: "oneOf", values, open: true }, options ?? (none as O));
}

/** A whole number. */
export function integer<const O extends FieldOptions & Limits = typeof none>(
  options?: O,
): Field<number, PresenceOf<O>, OutputType<number, O>> {
  const { min, max } = options ?? (none as Limits);
  return field({ kind: "integer", min, max }, options ?? (none as O));
}

/** A number, which may have a fraction. Only lookups have such fields. */
export const number = builderOf<number>("number");

/** True or false. */
export const flag = builderOf<boolean>("boolean");

/** A point in time, ISO 8601. */
export const instant = builderOf<string>("instant");

/** A network in canonical form. */
export const cidr = builderOf<string>("cidr");

/** A port, or a range of ports. */
export const ports = builderOf<string>("ports");

/** An IPv4 address or network. */
export const ipv4Source = builderOf<string>("ipv4Source");

export function list<F extends Field, const O extends FieldOptions & Limits = typeof none>(
  item: F,
  options?: O,
): Field<GivenOf<F>[], PresenceOf<O>, OutputType<ShownOf<F>[], O>> {
  const { min, max } = options ?? (none as Limits);
  return field({ kind: "list", item: item.type, min, max }, options ?? (none as O));
}

export function object<M extends Fields, const O extends FieldOptions = typeof none>(
  members: M,
  options?: O,
): Field<GivenValues<M>, PresenceOf<O>, OutputType<ShownValues<M>, O>> {
  return field({ kind: "object", members }, options ?? (none as O));
}

/** An output that is encrypted in the state, and that only the creation shows. After a read, it may be undefined. */
export function secret<F extends Field>(
  shown: F,
): Field<GivenOf<F>, "optional", ShownOf<F>> & { readonly secret: true } {
  const outcome: Field & { readonly secret: true } = { ...shown, presence: "optional", shown: "maybe", secret: true };
  return outcome as Field<GivenOf<F>, "optional", ShownOf<F>> & { readonly secret: true };
}

/** Either an object with these members, whose type in SDKs is `name`, or one of these words. */
export function objectOr<M extends Fields, const V extends string, const O extends FieldOptions = typeof none>(
  members: M,
  orWord: { readonly enumeration: Enumeration<V>; readonly name: string },
  options?: O,
): Field<V | GivenValues<M>, PresenceOf<O>, OutputType<V | ShownValues<M>, O>> {
  return field({ kind: "object", members, orWord }, options ?? (none as O));
}

/** Any value. */
export const anything = builderOf<unknown>("anything");

/** An output that `GET <object>/<at>` shows, encrypted in the state. A creation waits until it exists. */
export function secretSubResource<F extends Field>(
  at: string,
  shown: F,
): F & { readonly secret: true; readonly readSeparately: string } {
  return { ...shown, shown: "maybe", secret: true, readSeparately: at };
}
