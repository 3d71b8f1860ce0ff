import type { Field, Fields, GivenOf, GivenValues, ShownValues } from "./field";
import type { Finding, Plan, PlanContext, Props, RuleContext } from "./rules";

/**
 * A resource, described once: everything else follows from it. Plain data: reading it needs no schema library, no HTTP client
 * and no Pulumi.
 */
export interface Definition<
  Inputs extends Fields = Fields,
  Outputs extends Fields = Fields,
  Planned extends Fields = Fields,
> {
  /** The class's name and the last part of the type token, which stands in users' states for ever: `FirewallRule`. */
  readonly type: string;
  /** The words for one in messages: `firewall rule`. */
  readonly noun: string;
  /** The words for several: `firewall rules`. */
  readonly nouns: string;
  /** Where its collection is. A name in braces is the input that stands there: `/v1/networking/vpcs/{vpcId}/firewall_rules`. */
  readonly path: string;
  /** The input that its lists must name in the query, if there is one: `projectId`. */
  readonly listedBy?: string;
  /** Whether the API quotes its price: false if it has no such endpoint, and none is asked for. Default: true. */
  readonly isQuoted?: boolean;
  /** How long a creation, a change or a deletion may take, if neither the program nor the configuration says it. */
  readonly operationTimeoutMs?: number;
  /** What a program gives. */
  readonly inputs: Inputs;
  /** What the API alone knows. */
  readonly outputs: Outputs;
  /** Outputs that check makes from the inputs and from what the resource was: kept as they were, or made anew. */
  readonly planned?: Planned;
  /** Rules between fields. Fields that are not known yet, or are wrong by themselves, are absent. */
  rules?(inputs: InputsOf<Inputs>, context: RuleContext<InputsOf<Inputs>>): readonly Finding[];
  /** Makes the planned outputs. Runs before validation, so the inputs may be wrong or not known yet. */
  readonly plan?: (inputs: Props, context: PlanContext) => Promise<Plan>;
  /** Why an object with these outputs must not be managed, if so. */
  readonly refuse?: (outputs: Props) => string | undefined;
  /** Why an object with these outputs, read a moment ago, must not be deleted, if so: `it still holds 2 VPCs`. */
  readonly refuseDeletion?: (outputs: Props) => string | undefined;
  /** What a change would take from the key that the provider itself signs in with, so that it could not go on: refused in preview. */
  readonly guardCredential?: (outputs: Props, inputs: Props, address: string | undefined) => readonly Finding[];
  /** Why the old object of a replacement stays where it is, if it does. */
  readonly outlivesReplacement?: (outputs: Props) => string | undefined;
}

/** The inputs of a resource as rules see them: what is not known yet is absent. */
export type InputsOf<Inputs extends Fields> = { readonly [Name in keyof Inputs]?: GivenOf<Inputs[Name]> | undefined };

/** The values that a program gives, by the definition. */
export type Given<D extends Definition> = GivenValues<D["inputs"]>;

/** The values of all outputs, by the definition. */
export type Shown<D extends Definition> = ShownValues<D["inputs"]> &
  ShownValues<D["outputs"]> &
  (D extends Definition<Fields, Fields, infer Planned> ? ShownValues<Planned> : unknown);

/** The names of the outputs that are secret and shown at creation only: an adoption may give them. */
export type SecretNames<D extends Definition> = {
  [Name in keyof D["outputs"]]: D["outputs"][Name] extends { readonly readApart: string }
    ? never
    : D["outputs"][Name] extends { readonly secret: true }
      ? Name
      : never;
}[keyof D["outputs"]] &
  string;

/** Of a definition without planned outputs. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- that is what it is
export type NoFields = Readonly<Record<never, Field>>;

/** Checks a resource's description against its own types. */
export function define<Inputs extends Fields, Outputs extends Fields, Planned extends Fields = NoFields>(
  definition: Definition<Inputs, Outputs, Planned> & { readonly listedBy?: keyof Inputs },
): Definition<Inputs, Outputs, Planned> {
  return definition;
}

/** Every field that is an input to the lifecycle: the program's, and those that check makes. */
export function inputFields({ inputs, planned }: Definition): Fields {
  return { ...inputs, ...planned };
}

/** The names of all outputs but the cost. */
export function outputNames(definition: Definition): string[] {
  return Object.keys({ ...inputFields(definition), ...definition.outputs });
}

/** The inputs that stand in the path, in their order. */
export function pathInputs({ path }: Definition): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
}

/** The fields of requests: what is neither in the path nor between the program and the state alone. */
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
