import type { CredentialCapability } from "./credential";
import type { Field, Fields, GivenOf, GivenValues, ShownValues } from "./field";
import type { Finding, Plan, PlanContext, Props, RuleContext } from "./rules";

/**
 * The description of a resource, from which everything else is derived. It is plain data: reading it needs no schema library,
 * no HTTP client and no Pulumi.
 */
export interface Definition<
  Inputs extends Fields = Fields,
  Outputs extends Fields = Fields,
  Planned extends Fields = Fields,
> {
  /** The class's name and the last part of the type token: `FirewallRule`. It is in users' states for ever. */
  readonly type: string;
  /** The word for one object in messages: `firewall rule`. */
  readonly noun: string;
  /** The word for several objects in messages: `firewall rules`. */
  readonly nouns: string;
  /** The path of its collection, with names of inputs in braces: `/v1/networking/vpcs/{vpcId}/firewall_rules`. */
  readonly path: string;
  /** The input that its lists must name in the query, if there is one: `projectId`. */
  readonly listedBy?: string;
  /** False if the API has no quotes for it. Default: true. */
  readonly isQuoted?: boolean;
  /** The time limits of a creation, a change and a deletion, if neither the program nor the configuration gives one. */
  readonly operationTimeoutMs?: number;
  /** The arguments of a program. */
  readonly inputs: Inputs;
  /** Values that only the API knows. */
  readonly outputs: Outputs;
  /** Outputs that check makes from the inputs and the previous state. It keeps them, or makes new ones. */
  readonly planned?: Planned;
  /** Rules between fields. They do not see fields that are unknown or invalid. */
  rules?(inputs: InputsOf<Inputs>, context: RuleContext<InputsOf<Inputs>>): readonly Finding[];
  /** Makes the planned outputs. It runs before validation, so inputs may be invalid or unknown. */
  readonly plan?: (inputs: Props, context: PlanContext) => Promise<Plan>;
  // Capabilities: what is special about the objects of a kind. The lifecycle knows these, and no kind. One more is a secret output.

  /** A reason not to manage an object with these outputs, if there is one. */
  readonly refuse?: (outputs: Props) => string | undefined;
  /** A reason not to delete an object with these outputs, which were read a moment ago: `it still holds 2 VPCs`. */
  readonly refuseDeletion?: (outputs: Props) => string | undefined;
  /** The provider may sign in with it. */
  readonly credential?: CredentialCapability;
  /** Why the old object of a replacement is not deleted, if so. */
  readonly outlivesReplacement?: (outputs: Props) => string | undefined;
}

/** The inputs of a resource as rules see them, without unknown values. */
export type InputsOf<Inputs extends Fields> = { readonly [Name in keyof Inputs]?: GivenOf<Inputs[Name]> | undefined };

/** The values of a program, by the definition. */
export type Given<D extends Definition> = GivenValues<D["inputs"]>;

/** The values of all outputs, by the definition. */
export type Shown<D extends Definition> = ShownValues<D["inputs"]> &
  ShownValues<D["outputs"]> &
  (D extends Definition<Fields, Fields, infer Planned> ? ShownValues<Planned> : unknown);

/** The names of the secret outputs that only the creation shows. An adoption may give them. */
export type SecretNames<D extends Definition> = {
  [Name in keyof D["outputs"]]: D["outputs"][Name] extends { readonly readApart: string }
    ? never
    : D["outputs"][Name] extends { readonly secret: true }
      ? Name
      : never;
}[keyof D["outputs"]] &
  string;

/** The planned outputs of a definition that has none. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- that is what it is
export type NoFields = Readonly<Record<never, Field>>;

/** Checks a definition against its own types. */
export function define<Inputs extends Fields, Outputs extends Fields, Planned extends Fields = NoFields>(
  definition: Definition<Inputs, Outputs, Planned> & { readonly listedBy?: keyof Inputs },
): Definition<Inputs, Outputs, Planned> {
  return definition;
}

/** All inputs of the lifecycle: the program's, and those that check makes. */
export function inputFields({ inputs, planned }: Definition): Fields {
  return { ...inputs, ...planned };
}

/** The names of all outputs except the cost. */
export function outputNames(definition: Definition): string[] {
  return Object.keys({ ...inputFields(definition), ...definition.outputs });
}

/** The inputs in the path, in their order. */
export function pathInputs({ path }: Definition): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
}

/** The fields of requests: all except those in the path and those that only the program and the state use. */
export function wireFields(definition: Definition): [name: string, field: Field][] {
  const inPath = pathInputs(definition);
  return Object.entries(inputFields(definition)).filter(
    ([name, { local }]) => local !== true && !inPath.includes(name),
  );
}

/** The outputs that are secret. */
export function secretNames({ outputs }: Definition): string[] {
  return Object.keys(outputs).filter((name) => outputs[name]?.secret === true);
}
