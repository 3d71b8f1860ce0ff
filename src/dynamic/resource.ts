import * as pulumi from "@pulumi/pulumi";
import type { ResourceKind } from "./kind";
import type { LocalKind } from "./local-kind";
import { noteRegistration, summaryBehind } from "./registrations";
import { withoutDebugTraces } from "./sdk-traces";
import { wellFormed } from "./timeouts";

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

/** What every resource's arguments may say besides its own fields. */
export interface AdoptArgs {
  /**
   * The id of an existing object to bring under management: create verifies it and takes it over, and changes nothing. Used
   * up once: a later replacement makes a new object.
   */
  readonly adopt?: pulumi.Input<string>;
}

/** The base of all resources of this package: a dynamic resource whose provider is loaded, not serialized. */
export abstract class CloudResource extends pulumi.CustomResource {
  protected constructor(
    kind: ResourceKind | LocalKind,
    name: string,
    args: object,
    options?: pulumi.CustomResourceOptions,
  ) {
    const { type } = kind;
    const { customTimeouts } = options ?? {};
    const isPriced = "handler" in kind;
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
      ...(customTimeouts && { __timeouts: customTimeouts }),
    };
    const takeTraces = withoutDebugTraces(__filename);
    try {
      super(tokenOf(type), name, props, {
        ...options,
        ...(customTimeouts && { customTimeouts: wellFormed(customTimeouts) }),
      });
    } finally {
      takeTraces();
    }
    // A reference (`get`) is not managed: its cost is somebody else's.
    if (isPriced && options?.id === undefined) noteRegistration(this, name, urn);
  }
}

function outputsOf(kind: ResourceKind | LocalKind): readonly string[] {
  if (!("handler" in kind)) return kind.fields;
  return [...Object.keys(kind.policies), ...kind.computed, ...kind.secretOutputs, "cost"];
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
