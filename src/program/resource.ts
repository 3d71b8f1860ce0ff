import * as pulumi from "../engine/pulumi-sdk";
import { inputFields, outputNames, pathInputs, secretOutputNames } from "../definition/definition";
import type { Definition } from "../definition/types";
import { isRecord } from "../definition/compare-values";
import type { ProgramFacts } from "../engine/program-facts";
import { HIDDEN_INPUTS } from "../state/kept-state";
import { outputAsTextFault } from "../text/output-as-text";
import { shownInput } from "../text/redaction";
import { parseImportId } from "../definition/import-id";
import type { LocalKind } from "../lifecycle/local/local-kind";
import { goDurationMs } from "../time/duration";
import { forProgram, rejectBeforeAwaited } from "./program-error";
import { announce } from "./announce";
import { withFormerType } from "./former-type";
import { isSummarized, noteRegistration, summaryBehind } from "./registrations";
import type { ArgsOf, ResourceClass } from "./resource-types";

/** A resource of a program that is about to be registered. */
interface ConstructorCall {
  /** The arguments of the SDK's constructor. */
  readonly sent: [token: string, name: string, props: pulumi.Inputs, options: pulumi.CustomResourceOptions];
  readonly urn: string | Promise<string>;
}

/**
 * Makes a front's constructor arguments for a resource. It is a function and not a base class, because the SDK expects
 * exactly one constructor between its own and the program: it takes the caller of that one as the resource's source
 * position.
 */
export type Register = (
  kind: Definition | LocalKind,
  name: string,
  args: object,
  options?: pulumi.CustomResourceOptions,
) => ConstructorCall;

/**
 * Throws pulumi.RunError if the name is not a text, or if the arguments are not an object. In plain JavaScript, Pulumi
 * would use an object as the name "[object Object]".
 */
export function refuseWrongCall(type: string, name: unknown, args: unknown): void {
  if (typeof name !== "string" || name === "")
    throw new pulumi.RunError(
      `${type} takes its name first, and was given ${shownInput(name)}: new ${type}("a-name", { … }).`,
    );
  if (isRecord(args)) return;
  throw new pulumi.RunError(
    `${type} "${name}" takes its arguments in an object, and was given ${shownInput(args)}: new ${type}("${name}", { … }).`,
  );
}

/**
 * Throws pulumi.RunError for a wrong call, for an argument among the options (Pulumi ignores unknown options), for a
 * wrong time limit (the engine refuses it with a stack trace), and for a resource that depends on a summary of its own
 * cost.
 */
export function refuseUnusable(
  kind: Definition | LocalKind,
  name: string,
  given: object | undefined,
  options: pulumi.CustomResourceOptions,
): void {
  const { type } = kind;
  refuseWrongCall(type, name, given === undefined ? {} : given);
  const args = "path" in kind ? { ...inputFields(kind), adopt: true } : kind.args;
  const misplaced = Object.keys(options).find((option) => Object.hasOwn(args, option));
  if (misplaced !== undefined)
    throw new pulumi.RunError(
      `${type} "${name}": ${misplaced} is an argument, not an option. Give it before the options: ` +
        `new ${type}("${name}", { ${misplaced}: … }).`,
    );
  for (const [verb, limit] of Object.entries(options.customTimeouts ?? {}))
    if (limit !== undefined && goDurationMs(limit) === undefined)
      throw new pulumi.RunError(
        `${type} "${name}": customTimeouts.${verb} must be a duration in h, m or s, such as "90s" or "24h" ` +
          `(is ${shownInput(limit)}).`,
      );
  const summary = "path" in kind ? summaryBehind(given ?? {}, options) : undefined;
  if (summary === undefined) return;
  throw new pulumi.RunError(
    `${type} "${name}" depends on the cost summary "${summary}", and the summary waits for its cost. ` +
      `Remove this dependency, or give the summary the "resources" that it should count.`,
  );
}

type Awaitable<T> = { readonly [Key in keyof T]: T[Key] | Promise<T[Key]> };

/**
 * The inputs that both fronts send: the arguments, and the facts that only the program knows. `facts`: those of one
 * front.
 */
export function inputsOf(
  kind: Definition | LocalKind,
  args: object,
  { retainOnDelete, customTimeouts }: pulumi.CustomResourceOptions,
  facts: Awaitable<Pick<ProgramFacts, "urn" | "secretPaths">> = {},
): pulumi.Inputs {
  const outputs = "path" in kind ? [...outputNames(kind), "cost"] : kind.fields;
  const program: Awaitable<ProgramFacts> = {
    isPreview: pulumi.isDryRun(),
    isSummarized: "path" in kind ? isSummarized() : undefined,
    organization: organization(),
    ...facts,
  };
  return {
    // Without a key for it, the SDK would not make the output.
    ...Object.fromEntries(outputs.map((output) => [output, undefined])),
    ...args,
    __program: program,
    ...(retainOnDelete === true && { __retainOnDelete: true }),
    ...(customTimeouts && { __timeouts: customTimeouts }),
  };
}

/**
 * The options that both fronts send, with aliases because the state may have the resource with the type of the other
 * front.
 */
export function optionsOf(options: pulumi.CustomResourceOptions, formerType: string): pulumi.CustomResourceOptions {
  const { hideDiffs = [] } = options;
  return {
    ...options,
    aliases: withFormerType(options.aliases, formerType),
    hideDiffs: [...HIDDEN_INPUTS, ...hideDiffs],
  };
}

/** The name of the organization in backends other than Pulumi Cloud. */
const NO_ORGANIZATION = "organization";

/** The stack's organization, which the engine tells the program but not the plugin. */
function organization(): string | undefined {
  try {
    const name = pulumi.getOrganization();
    return name === NO_ORGANIZATION ? undefined : name;
  } catch {
    return undefined; // an older engine does not tell it
  }
}

/**
 * The URN that a resource will have. With a parent it is a plain promise: an Output would depend on the parent, and two
 * such resources in one component would wait for each other. Without a parent it is known at once, which saves time for
 * many resources.
 */
export function urnOf(token: string, name: string, parent: pulumi.Resource | undefined): string | Promise<string> {
  if (!parent) return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${token}::${name}`;
  return new Promise((resolve) => {
    pulumi.createUrn(name, token, parent).apply(resolve);
  });
}

/** Makes the class of a resource. It must not be extended, because that would add a constructor: see `Register`. */
export function resourceClass<Instance, Args>(
  definition: Definition,
  register: Register,
): ResourceClass<Instance, Args> {
  const secrets = secretOutputNames(definition);
  // The key gives the class its name, for errors, consoles and debuggers.
  const { [definition.type]: named } = {
    [definition.type]: class extends pulumi.CustomResource {
      constructor(name: string, args: ArgsOf<Definition>, options?: pulumi.CustomResourceOptions) {
        const given = withSecretAdopt(args, secrets);
        const { sent, urn } = register(definition, name, given, withSecretOutputs(options, secrets));
        super(...sent);
        // A reference (`get`) is not managed, so its cost does not count.
        if (options?.id !== undefined) return;
        if (options?.deletedWith !== undefined) void pulumi.log.warn(DELETED_WITH, this);
        noteRegistration(this, name, urn);
        void announce(sent[0], urn, given, options);
      }

      static get<Resource>(
        this: new (name: string, args: ArgsOf<Definition>, options?: pulumi.CustomResourceOptions) => Resource,
        name: string,
        id: pulumi.Input<pulumi.ID>,
        state: Partial<ArgsOf<Definition>> = {},
        options?: pulumi.CustomResourceOptions,
      ): Resource {
        refuseWrongCall(definition.type, name, state);
        // The id is split here, because the engine uses the given id as the id of the resource.
        const { ownId, inputs } = partsOf(definition, refusedIfNone(definition, name, id), state);
        return new this(name, { ...state, ...inputs }, { ...options, id: ownId });
      }
    },
  };
  return named as unknown as ResourceClass<Instance, Args>;
}

const DELETED_WITH =
  "With the option deletedWith, Pulumi takes this out of the state without asking the provider, and the API keeps the object. Remove the option.";

/**
 * Throws pulumi.RunError for a missing id, because the SDK would take the `get` for a creation. If the id is an output
 * that turns out to be empty, the program ends then.
 */
function refusedIfNone({ type, noun }: Definition, name: string, id: pulumi.Input<pulumi.ID>): pulumi.Input<pulumi.ID> {
  const none =
    `was given no id. Give the id of the ${noun} that it reads. ` +
    "The setting or the output that it comes from may be empty.";
  const refusalOf = (given: unknown): pulumi.RunError | undefined => {
    const outputAsText = outputAsTextFault(given);
    if (typeof given === "string" && given.trim() !== "" && outputAsText === undefined) return undefined;
    const reason = outputAsText === undefined ? none : `was given an id that ${outputAsText}.`;
    return forProgram(new Error(`${type}.get("${name}") ${reason}`));
  };
  if (pulumi.Output.isInstance(id) || id instanceof Promise)
    return pulumi.output(id).apply((known) => {
      const refusal = refusalOf(known);
      return refusal === undefined ? known : rejectBeforeAwaited(refusal);
    });
  const refusal = refusalOf(id);
  if (refusal === undefined) return id;
  throw refusal;
}

function partsOf(
  definition: Definition,
  id: pulumi.Input<pulumi.ID>,
  state: object,
): { readonly ownId: pulumi.Input<pulumi.ID>; readonly inputs: object } {
  const names = pathInputs(definition);
  if (names.length === 0) return { ownId: id, inputs: {} };
  const parts = pulumi.output(id).apply((text) => parseImportId(definition, text));
  const given = state as Readonly<Record<string, pulumi.Input<unknown>>>;
  const inputs = names.map((name) => [name, parts.apply((found) => found.inputs[name] ?? given[name] ?? "")]);
  return { ownId: parts.id, inputs: Object.fromEntries(inputs) as object };
}

/** If `adopt` has a secret beside the id, the state must not show it. */
function withSecretAdopt(args: object, secrets: readonly string[]): object {
  if (secrets.length === 0 || !isRecord(args) || args["adopt"] === undefined) return args;
  return { ...args, adopt: pulumi.secret(args["adopt"]) };
}

function withSecretOutputs(
  options: pulumi.CustomResourceOptions | undefined,
  secrets: readonly string[],
): pulumi.CustomResourceOptions | undefined {
  if (secrets.length === 0) return options;
  return { ...options, additionalSecretOutputs: [...secrets, ...(options?.additionalSecretOutputs ?? [])] };
}
