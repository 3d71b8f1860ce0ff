import * as pulumi from "@pulumi/pulumi";
import { outputNames, pathInputs, secretNames, type Definition } from "../definition/definition";
import { parseId } from "../definition/wire";
import type { LocalKind } from "../lifecycle/local-kind";
import { HIDDEN_IN_DIFFS } from "../lifecycle/hidden-inputs";
import { noteRegistration, summaryBehind } from "./registrations";
import { requireLoadable } from "./loadable";
import { refuseUnusableOptions } from "./resource-options";
import type { ArgsOf, ResourceClass } from "./resource-types";
import { withoutDebugTraces } from "./sdk-traces";
import { wellFormed } from "../lifecycle/timeouts";
import { isMocked, warnOfConfiguration } from "../program";

/** The package name in the loader text. */
const PACKAGE = "pulumi-cloudinfra";

/**
 * The text that stands in every resource's state and that the engine's plugin runs to get at the lifecycle. It is constant,
 * so that nothing is serialized and an upgrade reaches old states at once. Frozen: users' states hold it.
 */
export function loaderOf(type: string): string {
  return `exports.handler = () => require("${PACKAGE}/provider").v1("${type}");`;
}

/** The type token of a resource. */
export function tokenOf(type: string): string {
  return `pulumi-nodejs:dynamic/cloudinfra:${type}`;
}

/** The base of all resources of this package: a dynamic resource whose provider is loaded, not serialized. */
export abstract class CloudResource extends pulumi.CustomResource {
  protected constructor(
    kind: Definition | LocalKind,
    name: string,
    args: object,
    options?: pulumi.CustomResourceOptions,
  ) {
    const { type } = kind;
    const { customTimeouts } = options ?? {};
    const isPriced = "path" in kind;
    refuseUnusableOptions(tokenOf(type), name, isPriced, options);
    if (!isMocked()) requireLoadable(PACKAGE);
    warnOfConfiguration();
    const summary = isPriced ? summaryBehind(args, options) : undefined;
    if (summary !== undefined) {
      throw new pulumi.RunError(
        `${type} "${name}" depends on the cost summary "${summary}", which waits for it to add up its cost. ` +
          `Make it from something else, or give the summary the resources it should count.`,
      );
    }
    const urn = urnOf(tokenOf(type), name, options?.parent);
    const props: Record<string, unknown> = {
      // A key without a value makes an output of it.
      ...Object.fromEntries(outputsOf(kind).map((output) => [output, undefined])),
      ...args,
      __provider: loaderOf(type),
      __urn: urn,
      __dryRun: pulumi.runtime.isDryRun(),
      ...(options?.retainOnDelete === true && { __retainOnDelete: true }),
      ...(customTimeouts && { __timeouts: customTimeouts }),
    };
    const takeTraces = withoutDebugTraces(__filename);
    try {
      super(tokenOf(type), name, props, {
        ...options,
        hideDiffs: [...HIDDEN_IN_DIFFS, ...(options?.hideDiffs ?? [])],
        ...(customTimeouts && { customTimeouts: wellFormed(customTimeouts) }),
      });
    } finally {
      takeTraces();
    }
    // A reference (`get`) is not managed: its cost is somebody else's.
    if (isPriced && options?.id === undefined) noteRegistration(this, name, urn);
  }
}

function outputsOf(kind: Definition | LocalKind): readonly string[] {
  if (!("path" in kind)) return kind.fields;
  return [...outputNames(kind), "cost"];
}

/**
 * With a parent a plain promise: the Output itself would depend on the parent, and two such resources in one component would
 * wait for each other. Without one the URN is known at once, which counts where there are many resources.
 */
function urnOf(token: string, name: string, parent: pulumi.Resource | undefined): string | Promise<string> {
  if (!parent) return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${token}::${name}`;
  return new Promise((resolve) => {
    pulumi.createUrn(name, token, parent).apply(resolve);
  });
}

/** The class of a resource: `class FirewallRule extends resource(firewallRule) {}`. */
export function resource<D extends Definition>(definition: D): ResourceClass<D> {
  const secrets = secretNames(definition);
  class Defined extends CloudResource {
    constructor(name: string, args: ArgsOf<D>, options?: pulumi.CustomResourceOptions) {
      super(definition, name, withSecretAdopt(args, secrets), withSecretOutputs(options, secrets));
    }

    static get(
      this: new (name: string, args: ArgsOf<D>, options?: pulumi.CustomResourceOptions) => Defined,
      name: string,
      id: pulumi.Input<pulumi.ID>,
      state: Partial<ArgsOf<D>> = {},
      options?: pulumi.CustomResourceOptions,
    ): Defined {
      // Split here: the engine makes the id that it is given the resource's own.
      const { ownId, inputs } = partsOf(definition, id, state);
      return new this(name, { ...state, ...inputs } as ArgsOf<D>, { ...options, id: ownId });
    }
  }
  return Defined as unknown as ResourceClass<D>;
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

/** With a secret beside the id it must not stand plain in the state. */
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
