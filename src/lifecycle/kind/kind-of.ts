import { inputFields, pathInputs } from "../../definition/definition";
import { exampleOf } from "../../definition/examples";
import { object, text } from "../../definition/field";
import { membersOf } from "../../definition/parts";
import { inPresentNames, sameOf } from "../../definition/same";
import type { Definition, Field, ValueType } from "../../definition/types";
import { wireName } from "../../definition/wire";
import type { ChangePolicy } from "./change-policy";
import type { ResourceKind } from "./kind";

/** The kind of a resource, made from its definition. Only the plugin asks for it. */
export function kindOf(definition: Definition): ResourceKind {
  const { outputs, listedBy } = definition;
  const inPath = pathInputs(definition);
  const isSubResource = (name: string): boolean => outputs[name]?.readSeparately !== undefined;
  const isSecret = (name: string): boolean => outputs[name]?.secret === true && !isSubResource(name);
  return {
    ...definition,
    args: { ...inputFields(definition), adopt: adoptField(definition) },
    policies: Object.fromEntries(
      Object.entries(inputFields(definition)).map(([name, field]) => [name, policyOf(name, field, inPath)]),
    ),
    subResources: Object.entries(outputs).flatMap(([name, field]) =>
      field.readSeparately === undefined
        ? []
        : [{ name, member: wireName(name, field), at: field.readSeparately, isSecret: field.secret === true }],
    ),
    secretOutputs: Object.keys(outputs).filter(isSecret),
    computed: Object.keys(outputs).filter((name) => !isSecret(name) && !isSubResource(name)),
    pathFields: [...inPath, ...(listedBy === undefined ? [] : [listedBy])],
  };
}

/** An id, or an object of the id and the secrets that only the creation shows. */
function adoptField({ outputs }: Definition): Field {
  const secrets = Object.entries(outputs).filter(
    ([, { secret, readSeparately }]) => secret === true && readSeparately === undefined,
  );
  return object({ id: text(), ...Object.fromEntries(secrets) });
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
