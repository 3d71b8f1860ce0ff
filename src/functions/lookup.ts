import * as pulumi from "../engine/pulumi-sdk";
import type { SecretNames, OutputValues } from "../definition/definition";
import { text } from "../definition/field";
import type { GivenValues, Plain, ShownValues } from "../definition/field";
import type { Definition, Fields, GivenOf } from "../definition/types";
import { rejectBeforeAwaited } from "../program/program-error";
import type { WithStandard } from "../program/resource-types";
import { callApi, outputOf } from "./call-api";
import type { Lookup, Shape } from "./lookup-definition";
import { pickShared, type SharedArgs } from "./lookups/filters";

export type { Lookup, Shape };

/** The shape of an object that is no resource. */
export function shape<F extends Fields>(fields: F): Shape<ShownValues<F>> {
  return { fields };
}

/** Part of the type of an object that is a resource. (Exported, so that published types keep its documentation.) */
export interface Identified {
  /** Its id. */
  readonly id: string;
}

/**
 * The shape of an object that is a resource: its fields without secrets, and without the `hidden` ones, which the API's
 * lists do not show.
 */
export function shapeOf<D extends Definition, const Hidden extends keyof OutputValues<D> & string>(
  { type, inputs, planned, outputs }: D,
  hidden: readonly Hidden[],
): Shape<WithStandard<Identified & Omit<OutputValues<D>, Hidden | SecretNames<D>>>> {
  const shown = Object.entries({ ...inputs, ...planned, ...outputs }).filter(
    ([name, { secret }]) => secret !== true && !(hidden as readonly string[]).includes(name),
  );
  return { type, fields: { id: text(), ...Object.fromEntries(shown) } };
}

/** The type of an object with a shape, for the interface that names it. */
export type ResultOf<S> =
  S extends Shape<infer Result> ? { readonly [Name in keyof Result]: Plain<Result[Name]> } : never;

/** Gives the type of a shape its name. */
export function shapeAs<Result>(of: Shape<Result>): Shape<Result> {
  return of;
}

/** The part of a lookup that is the same for all lookups of objects of a kind. */
export function objectsOf<Result>({ path, noun, nouns }: Definition, result: Shape<Result>) {
  return { path, noun, nouns, result };
}

interface Spec<A extends Fields, Shared extends keyof SharedArgs, R> extends Omit<Lookup<A, R>, "finds" | "args"> {
  /** The arguments that only this lookup has. */
  readonly args?: A;
  /** Those that many lookups have. */
  readonly sharedArgs?: readonly Shared[];
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

/**
 * The arguments of a lookup of a single item: `id` or `name`, and those of the list. (Exported for the same reason as
 * `LookupArgs`.)
 */
export type ByIdOrName<Args> = Args & {
  /** Its id. Give this, or the name. */
  readonly id?: string | undefined;
  /** Its exact name. Case matters. */
  readonly name?: string | undefined;
};

/** The arguments of a function, for the interface that gives them a name. */
export type ArgsOf<Call extends (args: never, options?: never) => unknown> = NonNullable<Parameters<Call>[0]>;

/** The function of a lookup that returns one answer. */
export function one<R, A extends Fields = None, Shared extends keyof SharedArgs = never>(
  functionName: string,
  of: Spec<A, Shared, R>,
): LookupFunction<LookupArgs<A & Pick<SharedArgs, Shared>>, R> {
  return calling(functionName, "one", of) as LookupFunction<LookupArgs<A & Pick<SharedArgs, Shared>>, R>;
}

/** The function of a lookup that returns all items of a list. */
export function all<R, A extends Fields = None, Shared extends keyof SharedArgs = never>(
  functionName: string,
  of: Spec<A, Shared, R>,
): LookupFunction<LookupArgs<A & Pick<SharedArgs, Shared>>, R[]> {
  return calling(functionName, "all", of) as LookupFunction<LookupArgs<A & Pick<SharedArgs, Shared>>, R[]>;
}

/** The function of a lookup that returns one item, by its id or by its name. */
export function byIdOrName<R, A extends Fields = None, Shared extends keyof SharedArgs = never>(
  functionName: string,
  of: Spec<A, Shared, R>,
): (args: ByIdOrName<LookupArgs<A & Pick<SharedArgs, Shared>>>, options?: pulumi.InvokeOptions) => Promise<R> {
  return calling(functionName, "byIdOrName", of) as (args: object) => Promise<R>;
}

function calling(
  functionName: string,
  finds: Lookup["finds"],
  { sharedArgs = [], ...own }: Spec<Fields, keyof SharedArgs, unknown>,
): AnyFunction {
  const of: Lookup = { ...own, finds, args: { ...own.args, ...pickShared(sharedArgs) } };
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
  ask: (args?: Args, options?: pulumi.InvokeOptions) => Promise<Result>,
): (args?: OutputFormArgs<Args>, options?: pulumi.InvokeOutputOptions) => pulumi.Output<Result>;
export function outputForm<Args, Result>(
  ask: (args: Args, options?: pulumi.InvokeOptions) => Promise<Result>,
): (args: OutputFormArgs<Args>, options?: pulumi.InvokeOutputOptions) => pulumi.Output<Result>;
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
