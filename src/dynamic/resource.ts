import * as pulumi from "@pulumi/pulumi";
import { outputNames, pathInputs, secretNames } from "../definition/definition";
import { parseId } from "../definition/wire";
import type { LocalKind } from "../lifecycle/local-kind";
import { noteRegistration, summaryBehind } from "./registrations";
import { requireLoadable } from "./loadable";
import { refuseUnusableOptions } from "./resource-options";
import type { ArgsOf, ResourceClass } from "./resource-types";
import { wellFormed } from "../lifecycle/timeouts";
import { isMocked, warnOfConfiguration } from "../program";
import type { Definition } from "../definition/types";
import { loaderOf, PACKAGE } from "../state/loader";
import { dynamicToken } from "../type-tokens";

/** Hidden inputs that change together with others. The engine leaves them out of a row's `[diff: …]`. */
const HIDDEN_IN_DIFFS: readonly string[] = [
  "__urn",
  "__retainOnDelete",
  "__autoName",
  "__adopted",
  "__retired",
  "__timeouts",
  "__unpriced",
  "__costBefore",
];

/** The arguments of the SDK's constructor. */
type ConstructorArgs = [
  token: string,
  name: string,
  props: pulumi.Inputs & { readonly __urn: string | Promise<string> },
  options: pulumi.CustomResourceOptions,
];

/**
 * The constructor's arguments for a resource of this package: a dynamic resource whose provider is loaded, not serialized.
 * This is a function and not a base class, because the SDK expects exactly one constructor between its own and the program. It
 * takes the line after that one as the resource's place in the program.
 */
export function registrationOf(
  kind: Definition | LocalKind,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions = {},
): ConstructorArgs {
  const { type } = kind;
  const token = dynamicToken(type);
  const { customTimeouts, retainOnDelete, parent, hideDiffs = [] } = options;
  const hasObject = "path" in kind;
  refuseUnusableOptions(token, name, hasObject, options);
  if (!isMocked()) requireLoadable(PACKAGE);
  warnOfConfiguration();
  const summary = hasObject ? summaryBehind(args, options) : undefined;
  if (summary !== undefined) {
    throw new pulumi.RunError(
      `${type} "${name}" depends on the cost summary "${summary}", and the summary waits for its cost. ` +
        `Remove this dependency, or give the summary the "resources" that it should count.`,
    );
  }
  const props = {
    // A key without a value makes an output of it.
    ...Object.fromEntries(outputsOf(kind).map((output) => [output, undefined])),
    ...args,
    __provider: loaderOf(type),
    __urn: urnOf(token, name, parent),
    __dryRun: pulumi.runtime.isDryRun(),
    ...organizationProps(),
    ...(retainOnDelete === true && { __retainOnDelete: true }),
    ...(customTimeouts && { __timeouts: customTimeouts }),
  };
  const usable = {
    ...options,
    hideDiffs: [...HIDDEN_IN_DIFFS, ...hideDiffs],
    ...(customTimeouts && { customTimeouts: wellFormed(customTimeouts) }),
  };
  return [token, name, props, usable];
}

/** Everywhere but in Pulumi Cloud the organization is called like this. */
const NO_ORGANIZATION = "organization";

/** The engine tells the program whose stack it is, and not the plugin. */
function organizationProps(): { readonly __organization?: string } {
  try {
    const organization = pulumi.runtime.getOrganization();
    return organization === NO_ORGANIZATION ? {} : { __organization: organization };
  } catch {
    return {}; // an older engine has none
  }
}

function outputsOf(kind: Definition | LocalKind): readonly string[] {
  if (!("path" in kind)) return kind.fields;
  return [...outputNames(kind), "cost"];
}

/**
 * With a parent, a plain promise. The Output would depend on the parent, and two such resources in one component would wait
 * for each other. Without a parent the URN is known at once, which saves time for many resources.
 */
function urnOf(token: string, name: string, parent: pulumi.Resource | undefined): string | Promise<string> {
  if (!parent) return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${token}::${name}`;
  return new Promise((resolve) => {
    pulumi.createUrn(name, token, parent).apply(resolve);
  });
}

/** The class of a resource. A class that extended it would add a constructor: see `registrationOf`. */
export function resource<D extends Definition, Instance>(definition: D): ResourceClass<D, Instance> {
  const secrets = secretNames(definition);
  class Defined extends pulumi.CustomResource {
    constructor(name: string, args: ArgsOf<D>, options?: pulumi.CustomResourceOptions) {
      const given = registrationOf(
        definition,
        name,
        withSecretAdopt(args, secrets),
        withSecretOutputs(options, secrets),
      );
      super(...given);
      // A reference (`get`) is not managed, so its cost does not count.
      if (options?.id === undefined) noteRegistration(this, name, given[2].__urn);
    }

    static get(
      this: new (name: string, args: ArgsOf<D>, options?: pulumi.CustomResourceOptions) => Defined,
      name: string,
      id: pulumi.Input<pulumi.ID>,
      state: Partial<ArgsOf<D>> = {},
      options?: pulumi.CustomResourceOptions,
    ): Defined {
      // The id is split here, because the engine uses the given id as the resource's own.
      const { ownId, inputs } = partsOf(definition, id, state);
      return new this(name, { ...state, ...inputs } as ArgsOf<D>, { ...options, id: ownId });
    }
  }
  // The name in consoles and debuggers.
  Object.defineProperty(Defined, "name", { value: definition.type });
  return Defined as unknown as ResourceClass<D, Instance>;
}

function partsOf(
  definition: Definition,
  id: pulumi.Input<pulumi.ID>,
  state: object,
): { readonly ownId: pulumi.Input<pulumi.ID>; readonly inputs: object } {
  const names = pathInputs(definition);
  if (names.length === 0) return { ownId: id, inputs: {} };
  const parts = pulumi.output(id).apply((text) => parseId(definition, text));
  const given = state as Readonly<Record<string, pulumi.Input<unknown>>>;
  const inputs = names.map((name) => [name, parts.apply((found) => found.inputs[name] ?? given[name] ?? "")]);
  return { ownId: parts.id, inputs: Object.fromEntries(inputs) as object };
}

/** If `adopt` has a secret beside the id, the state must not show it. */
function withSecretAdopt(args: object, secrets: readonly string[]): object {
  if (secrets.length === 0 || !("adopt" in args) || args.adopt === undefined) return args;
  return { ...args, adopt: pulumi.secret(args.adopt) };
}

function withSecretOutputs(
  options: pulumi.CustomResourceOptions | undefined,
  secrets: readonly string[],
): pulumi.CustomResourceOptions | undefined {
  if (secrets.length === 0) return options;
  return { ...options, additionalSecretOutputs: [...secrets, ...(options?.additionalSecretOutputs ?? [])] };
}
