import type { Definition, Fields, Field } from "../../definition/types";
import type { Finding, Plan, PlanContext, Props, RuleContext } from "../../definition/rule-context";
import { inputFields, isPriced, listedBy, pathInputs } from "../../definition/definition";
import { object, text } from "../../definition/field";
import { sameOf } from "../../definition/compare-fields";
import { wireName, fromWire } from "../../definition/wire";
import type { Settings } from "../../settings/config";
import { withoutUndefined } from "../../engine/values";
import { isRecord } from "../../definition/compare-values";
import { urnParts } from "../../engine/urn";
import { isListOfParts } from "./changed-fields";
import { maskSecret } from "../../text/redaction";

export type { Finding, Plan, PlanContext, Props, RuleContext };

/**
 * The kind of a resource: its definition, and the values that the lifecycle derives from it once (`newKind`). It can be
 * passed to the functions of `src/definition` as a definition.
 */
export interface ResourceKind extends Definition {
  /** The arguments of a program, including `adopt`, and the inputs that only the plan makes. */
  readonly args: Fields;
  /** The arguments without `adopt`. */
  readonly fields: Fields;
  /** Those that the API has. The others are only in the program and the state. */
  readonly fieldsAtApi: Fields;
  /** Those that the API also shows, so that they can be compared. */
  readonly shownFields: Fields;
  /** Those that the price can depend on, or that the path of a quote needs. A change of one needs a new quote. */
  readonly pricedFields: Fields;
  /** Outputs that only their own endpoint shows: `GET <object>/<at>`. */
  readonly subResources: readonly SubResourceOutput[];
  /** Secret outputs, which only the response to the creation shows. If it is lost, the object is made again. */
  readonly secretOutputs: readonly string[];
  readonly computed: readonly string[];
  /** The inputs that the paths and lists of an object need, such as the `vpcId` of a firewall rule. */
  readonly pathFields: readonly string[];
  /** All definitions of the package. */
  readonly siblings: readonly Definition[];
}

/** A resource, its kind, and the parts of the run that the reader of it needs. */
export interface RunResource<R> {
  readonly kind: ResourceKind;
  readonly run: R;
  readonly urn: string;
}

/** An output that has its own endpoint: `GET <object>/<at>` shows it in this member. */
export interface SubResourceOutput {
  readonly name: string;
  readonly member: string;
  readonly at: string;
  readonly isSecret: boolean;
}

/** The kind of a resource, made from its definition. The plugin and commands need it, and programs do not. */
export function newKind(definition: Definition, siblings: readonly Definition[] = [definition]): ResourceKind {
  const { outputs } = definition;
  const inPath = pathInputs(definition);
  const project = listedBy(definition);
  const isSubResource = (name: string): boolean => outputs[name]?.readSeparately !== undefined;
  const isSecret = (name: string): boolean => outputs[name]?.secret === true && !isSubResource(name);
  const fields = inputFields(definition);
  const fieldsThat = (isOne: (field: Field, name: string) => boolean): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name, field]) => isOne(field, name)));
  return {
    ...definition,
    args: { ...fields, adopt: adoptField(definition) },
    fields,
    fieldsAtApi: fieldsThat(({ local }) => local !== true),
    shownFields: fieldsThat(({ local, shown }) => local !== true && shown !== "never"),
    pricedFields: fieldsThat((field, name) => isPriced(field) || inPath.includes(name)),
    subResources: Object.entries(outputs).flatMap(([name, field]) =>
      field.readSeparately === undefined
        ? []
        : [{ name, member: wireName(name, field), at: field.readSeparately, isSecret: field.secret === true }],
    ),
    secretOutputs: Object.keys(outputs).filter(isSecret),
    computed: Object.keys(outputs).filter((name) => !isSecret(name) && !isSubResource(name)),
    pathFields: [...inPath, ...(project === undefined ? [] : [project])],
    siblings,
  };
}

/** The argument `adopt`: an id, or an object with the id and the secrets that only the creation shows. */
function adoptField({ outputs }: Definition): Field {
  const secrets = Object.entries(outputs).filter(
    ([, { secret, readSeparately }]) => secret === true && readSeparately === undefined,
  );
  return object({ id: text(), ...Object.fromEntries(secrets) });
}

/** The default values of inputs: the setting, if the field has one and it is set, otherwise the field's own default. */
export function defaultsOf(definition: Definition, settings: Settings): Props {
  const values: Record<string, unknown> = {};
  for (const [name, { type, configured, ...field }] of Object.entries(inputFields(definition))) {
    const setting = configured && settings[configured];
    const value = setting === undefined || type.kind !== "list" ? setting : [setting];
    if (value !== undefined || field.default !== undefined) values[name] = value ?? field.default;
  }
  return values;
}

/**
 * The outputs of a resource. Inputs keep the program's spelling if the API shows an equal value; otherwise they have
 * the API's value. The other outputs come from the API. `known` is the inputs on create and update, and the old outputs
 * on read. Secrets come from `known`: the API shows each in the answer to its creation only, and a value in another
 * answer is not the secret.
 */
export function outputsOf(kind: ResourceKind, known: Props, wire: Props, now: number): Record<string, unknown> {
  const shown = fromWire(kind, wire);
  const outputs: Record<string, unknown> = { cost: known["cost"] };
  for (const [name, field] of Object.entries(kind.fields)) {
    if (isListOfParts(field) && known[name] === undefined) continue;
    const same = shown[name] === undefined || sameOf(field)(known[name], shown[name], now);
    // Null: the API shows that there is none.
    outputs[name] = (same ? (known[name] ?? shown[name]) : shown[name]) ?? undefined;
  }
  for (const field of kind.computed) outputs[field] = shown[field];
  for (const field of kind.secretOutputs) outputs[field] = known[field];
  for (const { name, member } of kind.subResources) outputs[name] = wire[member] ?? known[name];
  return withoutUndefined(outputs);
}

export function secretNames({ secretOutputs, subResources }: ResourceKind): readonly string[] {
  return [...secretOutputs, ...subResources.filter(({ isSecret }) => isSecret).map(({ name }) => name)];
}

/** The operation and its resource, for messages: `create firewall rule "allow-https"`. */
export function operationName(verb: string, kind: ResourceKind, urn: string): string {
  return urn === "" ? `${verb} ${kind.noun}` : `${verb} ${kind.noun} "${urnParts(urn).name}"`;
}

/** Registers the secrets, so that no text shows them. */
export function maskSecrets(kind: ResourceKind, props: Props): void {
  const adopted = isRecord(props["adopt"]) ? props["adopt"] : {};
  for (const secret of secretNames(kind).flatMap((field) => [adopted[field], props[field]]))
    if (typeof secret === "string") maskSecret(secret);
}
