import * as pulumi from "../engine/pulumi-sdk";
import type { SecretNames, OutputValues } from "../definition/definition";
import { text } from "../definition/field";
import type { GivenValues, ShownValues } from "../definition/field";
import type { Definition, Fields, GivenOf } from "../definition/types";
import { rejectBeforeAwaited } from "../program/program-error";
import { callApi, outputOf } from "./call-api";
import type { Lookup, Shape } from "./lookup-definition";

export type { Lookup, Shape };

/** The shape of an object that is no resource. */
export function shape<F extends Fields>(fields: F): Shape<ShownValues<F>> {
  return { fields };
}

type Spec<A extends Fields, R> = Omit<Lookup<A, R>, "finds">;

/**
 * The shape of an object that is a resource: its fields without secrets, and without the `hidden` ones, which the API's
 * lists do not show.
 */
function shapeOf<D extends Definition, const Hidden extends keyof OutputValues<D> & string>(
  { type, inputs, planned, outputs }: D,
  hidden: readonly Hidden[],
): Shape<
  {
    /** Its id. */
    readonly id: string;
  } & Omit<OutputValues<D>, Hidden | SecretNames<D>>
> {
  const shown = Object.entries({ ...inputs, ...planned, ...outputs }).filter(
    ([name, { secret }]) => secret !== true && !(hidden as readonly string[]).includes(name),
  );
  return { type, fields: { id: text(), ...Object.fromEntries(shown) } };
}

/** Describes lookups of the objects of a kind, for any set of filters. `where`: the arguments that the list needs. */
export function objectsOf<
  D extends Definition,
  Where extends Fields,
  const Hidden extends keyof OutputValues<D> & string,
>(definition: D, where: Where, hidden: readonly Hidden[]) {
  const { path, noun, nouns } = definition;
  const result = shapeOf(definition, hidden);
  return <Filters extends Fields>(filters: Filters) => ({ path, noun, nouns, result, args: { ...where, ...filters } });
}

/** No arguments. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- it has no members
type None = Record<never, never>;

type OptionalNames<T> = { [Name in keyof T]-?: None extends Pick<T, Name> ? Name : never }[keyof T];

type RequiredArgs<A extends Fields, Names extends keyof A> = { readonly [Name in Names]: GivenOf<A[Name]> };
type OptionalArgs<A extends Fields, Names extends keyof A> = {
  readonly [Name in Names]?: GivenOf<A[Name]> | undefined;
};

/**
 * The arguments of a program, with the documentation of their fields. Those that may be left out may also be undefined.
 * (Exported, as `OutputFormArgs` is: published types then refer to it, and keep that documentation.)
 */
export type LookupArgs<A extends Fields> = RequiredArgs<A, Exclude<keyof A, OptionalNames<GivenValues<A>>>> &
  OptionalArgs<A, OptionalNames<GivenValues<A>>>;

/**
 * The function of a lookup. It takes no arguments if there are none, and they may be left out if none of them is
 * required.
 */
type LookupFunction<Args, Result> = [keyof Args] extends [never]
  ? (options?: pulumi.InvokeOptions) => Promise<Result>
  : None extends Args
    ? (args?: Args, options?: pulumi.InvokeOptions) => Promise<Result>
    : (args: Args, options?: pulumi.InvokeOptions) => Promise<Result>;

export type OutputFormArgs<Args> = { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> };

/** The output form of a lookup: it takes and returns outputs. */
type OutputForm<Args, Result> = None extends Args
  ? (args?: OutputFormArgs<Args>, options?: pulumi.InvokeOutputOptions) => pulumi.Output<Result>
  : (args: OutputFormArgs<Args>, options?: pulumi.InvokeOutputOptions) => pulumi.Output<Result>;

/** The arguments of a lookup of a single item: `id` or `name`, and those of the list. */
type ByIdOrName<Args> = Args & {
  /** Its id. Give this, or the name. */
  readonly id?: string | undefined;
  /** Its exact name. Case matters. */
  readonly name?: string | undefined;
};

/** The function of a lookup that returns one answer. */
export function one<A extends Fields, R>(functionName: string, of: Spec<A, R>): LookupFunction<LookupArgs<A>, R> {
  return calling(functionName, { ...of, finds: "one" }) as LookupFunction<LookupArgs<A>, R>;
}

/** The function of a lookup that returns all items of a list. */
export function all<A extends Fields, R>(functionName: string, of: Spec<A, R>): LookupFunction<LookupArgs<A>, R[]> {
  return calling(functionName, { ...of, finds: "all" }) as LookupFunction<LookupArgs<A>, R[]>;
}

/** The function of a lookup that returns one item, by its id or by its name. */
export function byIdOrName<A extends Fields, R>(
  functionName: string,
  of: Spec<A, R>,
): (args: ByIdOrName<LookupArgs<A>>, options?: pulumi.InvokeOptions) => Promise<R> {
  return calling(functionName, { ...of, finds: "byIdOrName" }) as (args: object) => Promise<R>;
}

function calling(functionName: string, of: Lookup): AnyFunction {
  return functionOf(of, (args, options) => callApi(functionName, of, args, options).catch(rejectBeforeAwaited));
}

type AnyFunction = (args?: object, options?: object) => Promise<unknown>;

const descriptions = new WeakMap<object, Lookup>();

/** The function of a lookup. If it takes no arguments, its options come first. */
export function functionOf(
  of: Lookup,
  ask: (args: object, options?: pulumi.InvokeOptions) => Promise<unknown>,
): AnyFunction {
  const call: AnyFunction = hasArguments(of)
    ? (args = {}, options) => ask(args, options)
    : (options) => ask({}, options);
  descriptions.set(call, of);
  return call;
}

function hasArguments({ finds, args }: Lookup): boolean {
  return finds === "byIdOrName" || Object.keys(args).length > 0;
}

/**
 * Makes the output form of a function: its arguments may be outputs, and its result is one. A secret answer is
 * encrypted in the state.
 */
export function outputForm<Result>(
  ask: (options?: pulumi.InvokeOptions) => Promise<Result>,
): (options?: pulumi.InvokeOutputOptions) => pulumi.Output<Result>;
export function outputForm<Args, Result>(
  ask: (args: Args, options?: pulumi.InvokeOptions) => Promise<Result>,
): OutputForm<NonNullable<Args>, Result>;
export function outputForm(ask: AnyFunction): (args?: object, options?: object) => pulumi.Output<unknown> {
  const of = descriptions.get(ask);
  if (of && !hasArguments(of)) return (options) => outputOf({}, options, (_args, others) => ask(others));
  const isSecret = of && Object.values(of.result.fields).some(({ secret }) => secret === true);
  return (args = {}, options) => {
    const answer = outputOf(args, options, ask);
    return isSecret ? pulumi.secret(answer) : answer;
  };
}

export function lookupsAmong(functions: Readonly<Record<string, object>>): Readonly<Record<string, Lookup>> {
  const named = Object.entries(functions).map(([name, call]) => [name, descriptions.get(call)] as const);
  const found = named.flatMap(([name, of]) => (of ? [[name, of] as const] : []));
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The name of the member with the items in the plugin's answer: `vpcs` for getVpcs. */
export function listMember(name: string): string {
  return name.replace(/^get(.)/, (_all, first: string) => first.toLowerCase());
}
