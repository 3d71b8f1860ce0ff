import type { Settings } from "../../settings/config";
import { inputFields, pathInputs } from "../../definition/definition";
import { initialValues } from "../../definition/initial-values";
import { exampleOf } from "../../definition/examples";
import { object, text } from "../../definition/field";
import { growthFindings } from "../../definition/growth";
import { nameFindings, namingOf } from "../../definition/names";
import { namedValues } from "../../definition/named-values";
import { membersOf, partDifferences, partsIn } from "../../definition/parts";
import { inPresentNames, renamedFindings, valuesInPresentNames } from "../../definition/renamed";
import { sameOf } from "../../definition/same-of";
import { inputSchemas } from "../../definition/schemas";
import { fromWire, inputName, parseId, toWire, toWireUpdate, wireName, withInputsInside } from "../../definition/wire";
import { byLists, collectionAt, isQuotedIn, objectWithParts, oneByOne } from "./collection-at";
import type { ChangePolicy } from "./change-policy";
import { isUnknown } from "../../engine/values";
import type { Props, ResourceKind } from "./kind";
import type { Definition, Field, StandIn, ValueType } from "../../definition/types";

/** The kind of a resource, made from its definition. Only the plugin asks for it. */
export function kindOf(definition: Definition): ResourceKind {
  const { type, noun, outputs, planned, listedBy } = definition;
  const inputs = Object.entries(inputFields(definition));
  const inPath = pathInputs(definition);
  const subResources = Object.entries(outputs).flatMap(([name, field]) =>
    field.readSeparately === undefined
      ? []
      : [{ name, member: wireName(name, field), at: field.readSeparately, isSecret: field.secret === true }],
  );
  const isApart = (name: string): boolean => outputs[name]?.readSeparately !== undefined;
  const isSecret = (name: string): boolean => outputs[name]?.secret === true && !isApart(name);
  const present = (values: Props): Props => valuesInPresentNames(definition.inputs, values);
  return {
    type,
    noun,
    hasAvailability: definition.hasAvailability ?? false,
    isQuoted: (dialect) => isQuotedIn(definition, dialect),
    named: (values) => namedValues(definition, values).filter(({ value }) => !isUnknown(value)),
    ...(definition.quotas && { quotas: (values, machineOf) => definition.quotas?.(present(values), machineOf) ?? {} }),
    operationTimeoutMs: definition.operationTimeoutMs,
    args: { ...inputFields(definition), adopt: adoptField(definition) },
    schemas: () => inputSchemas(definition),
    rules: (values, context) => [
      ...(context.adopted && !context.isReplacement ? growthFindings(definition, context.adopted, values) : []),
      ...(definition.rules?.(present(values), {
        ...context,
        previous: context.previous && present(context.previous),
        adopted: context.adopted && present(context.adopted),
        replaced: context.replaced && present(context.replaced),
      }) ?? []),
      ...nameFindings(definition, values, context),
      ...renamedFindings(definition.inputs, values),
    ],
    shrinking: (present, values) => growthFindings(definition, present, values),
    plan: async (given, context) => {
      const chosen = initialValues(definition, given, context);
      const plan = await definition.plan?.({ ...given, ...chosen }, context);
      return { findings: [], ...plan, inputs: { ...chosen, ...plan?.inputs } };
    },
    naming: namingOf(definition),
    planned: Object.keys(planned ?? {}),
    policies: Object.fromEntries(inputs.map(([name, field]) => [name, policyOf(name, field, inPath)])),
    defaults: (settings) => defaultsOf(inputs, settings),
    secretOutputs: Object.keys(outputs).filter(isSecret),
    subResources,
    computed: Object.keys(outputs).filter((name) => !isSecret(name) && !isApart(name)),
    changesWith: (changed) =>
      Object.entries(outputs)
        .filter(
          ([, { changesWith = [] }]) => changesWith === "any" || changed.some((name) => changesWith.includes(name)),
        )
        .map(([name]) => name),
    withInputsInside: (name, value, given) => withInputsInside(definition, name, value, given),
    pathFields: [...inPath, ...(listedBy === undefined ? [] : [listedBy])],
    parseId: (id) => parseId(definition, id),
    longId: (id, values) => [...inPath.map((name) => String(values[name])), id].join("/"),
    toWire: (values, now) => toWire(definition, values, now),
    toWireUpdate: (values, changed, now) => toWireUpdate(definition, values, changed, now),
    inputName: (member) => inputName(definition, member),
    fromWire: (wire) => fromWire(definition, wire),
    ...(definition.refuse && { refuse: definition.refuse }),
    ...(definition.refuseDeletion && { refuseDeletion: definition.refuseDeletion }),
    ...(definition.heldBy && { heldBy: definition.heldBy }),
    ...(definition.credential && { credential: definition.credential }),
    ...(definition.outlivesReplacement && { outlivesReplacement: definition.outlivesReplacement }),
    ...(definition.replacementLoss !== undefined && { replacementLoss: definition.replacementLoss }),
    ...(definition.billedFor && { billedFor: definition.billedFor }),
    ...(definition.standIn && { standIn: standInOf(definition.standIn) }),
    ...(definition.discovery && { discovery: definition.discovery }),
    partsIn: (values) => partsIn(definition, values),
    partDifferences: (field, whole, wanted, now) => partDifferences(definition, field, whole, wanted, now),
    collection: (api, inputs, id) => collectionAt(api, definition, inputs, id),
    whole: (api, id, inputs, call) => objectWithParts(definition, id, inputs, oneByOne(api, call)),
    readWithParts: (api, id, inputs, call) => objectWithParts(definition, id, inputs, byLists(api, call)),
  };
}

/** An id, or an object of the id and the secrets that only the creation shows. */
function adoptField({ outputs }: Definition): Field {
  const secrets = Object.entries(outputs).filter(
    ([, { secret, readSeparately }]) => secret === true && readSeparately === undefined,
  );
  return object({ id: text(), ...Object.fromEntries(secrets) });
}

function standInOf({ of, inputs }: StandIn): NonNullable<ResourceKind["standIn"]> {
  return { type: of.type, list: (api, projectId, call) => collectionAt(api, of, { projectId }).list(call), inputs };
}

function policyOf(name: string, field: Field, inPath: readonly string[]): ChangePolicy {
  const { type, change = "update", priced = false, local = false, actions, part, shown, names } = field;
  const members = part === undefined ? [] : Object.entries(membersOf(field));
  return {
    change,
    replacingMembers: members.filter(([, member]) => member.change === "replace").map(([member]) => member),
    inPresentNames: (value) => inPresentNames(type, value),
    isPart: part !== undefined,
    isNamedOnly: part !== undefined && field.type.kind === "list",
    isShown: shown !== "never",
    unshownMembers: unshownMembers(type),
    isRequired: field.optional !== true && field.default === undefined && field.configured === undefined,
    same: sameOf(field),
    // The path of a quote needs these fields.
    priced: priced || inPath.includes(name),
    isProject: names === "project",
    isLocal: local,
    actions,
    placeholder: (now) => exampleOf(field, now),
  };
}

function unshownMembers(type: ValueType): ChangePolicy["unshownMembers"] {
  const members = type.kind === "object" ? Object.entries(type.members) : [];
  return Object.fromEntries(
    members
      .filter(([, { shown, presence }]) => shown === "never" && presence !== "optional")
      .map(([name, member]) => [name, (now: number) => exampleOf(member, now)]),
  );
}

function defaultsOf(inputs: readonly [string, Field][], settings: Settings): Props {
  const values: Record<string, unknown> = {};
  for (const [name, { type, configured, ...field }] of inputs) {
    const setting = configured && settings[configured];
    const value = setting === undefined || type.kind !== "list" ? setting : [setting];
    if (value !== undefined || field.default !== undefined) values[name] = value ?? field.default;
  }
  return values;
}
