import type * as pulumi from "@pulumi/pulumi";
import type { Cost } from "../cost/cost";
import { type InputValues, type SecretNames, type OutputValues } from "../definition/definition";
import type { inRegion, named, ofProject, status, tagged, times } from "../definition/standard-fields";
import type { GivenValues, Plain, ShownValues } from "../definition/field";
import type { Definition } from "../definition/types";

/** A value in a program: the value, an output of it, and the same for everything inside. */
type InputOf<T> = pulumi.Input<
  T extends readonly (infer Item)[] ? InputOf<Item>[] : T extends object ? InputMembers<T> : T
>;
type InputMembers<T> = { readonly [Name in keyof T]: InputOf<T[Name]> };

export interface AdoptArgs<Secrets extends string = never> {
  /**
   * The id of an existing object to manage. The preview shows how the object differs from the program. The update takes
   * it over and changes it in place. This works once: a later replacement makes a new object. If the resource has a
   * secret, pass it too, as `{ id, key }`: the API shows it only in the answer to the creation.
   */
  readonly adopt?: [Secrets] extends [never]
    ? pulumi.Input<string>
    : pulumi.Input<
        string | ({ readonly id: pulumi.Input<string> } & { readonly [Name in Secrets]?: pulumi.Input<string> })
      >;
}

/**
 * The arguments of a resource, by its definition. A kind's interface also extends `AdoptArgs`, because TypeScript shows
 * an interface with a single base by the name of the base.
 */
export type ArgsOf<D extends Definition> = InputMembers<InputValues<D>> &
  Pick<StandardArgs, keyof StandardArgs & keyof InputValues<D>> &
  AdoptArgs<SecretNames<D>>;

/** The same arguments again, because a published type has the comments of standard fields in their own file only. */
type StandardArgs = InputMembers<GivenValues<StandardInputs>>;
type StandardInputs = typeof ofProject & typeof inRegion & typeof tagged & ReturnType<typeof named>;

/** An object among the arguments of a program, or in a list among them. */
export type MembersOf<D extends Definition, Name extends keyof InputValues<D>> = InputMembers<
  ItemOf<NonNullable<InputValues<D>[Name]>>
>;
type ItemOf<T> = T extends readonly (infer Item)[] ? Item : T;

/**
 * Lets an interface give a type a name. With a name, a published type keeps the comments of its members. Without one,
 * the compiler writes the type out, and leaves out the comments from other files.
 */
export type NamedType<T> = T;

interface WithCost {
  /** The monthly cost. Undefined if unknown. Known in preview. */
  readonly cost: pulumi.Output<Cost | undefined>;
}

export type ResourceOf<D extends Definition> = pulumi.CustomResource &
  OutputsOf<WithStandard<OutputValues<D>>> &
  WithCost;

type OutputsOf<Values> = { readonly [Name in keyof Values]: pulumi.Output<Plain<Values[Name]>> };

/** The values, and those of standard outputs again, for the same reason as `StandardArgs`. */
export type WithStandard<Values> = Values & Pick<StandardValues, StandardNames<Values>>;

type StandardValues = ShownValues<StandardInputs & typeof status & typeof times>;

/** The names of those with the same type. (The status of an API key has another one.) */
type StandardNames<Values> = {
  [Name in keyof StandardValues & keyof Values]: [StandardValues[Name], Values[Name]] extends [
    Values[Name],
    StandardValues[Name],
  ]
    ? Name
    : never;
}[keyof StandardValues & keyof Values];

export interface ResourceClass<Instance, Args> {
  // The arguments may be left out if none of them is required. (This is no JSDoc: editors would show it instead of the
  // documentation of the class.)
  new (
    name: string,
    ...rest: Partial<Args> extends Args
      ? [args?: Args, options?: pulumi.CustomResourceOptions]
      : [args: Args, options?: pulumi.CustomResourceOptions]
  ): Instance;
  /**
   * An existing object, which is read and never managed. If its path has other ids, they come before its own,
   * `<vpcId>/<id>`, or are in `state`.
   */
  get<Resource>(
    this: new (name: string, args: Args, options?: pulumi.CustomResourceOptions) => Resource,
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<Args>,
    options?: pulumi.CustomResourceOptions,
  ): Resource;
  isInstance(value: unknown): value is pulumi.CustomResource;
}
