import { existsSync } from "node:fs";
import { join } from "node:path";
import { catalogs } from "../../src/definition/catalogs";
import { definitions, kinds } from "../../src/resources/registry";
import type { Definition, ValueType } from "../../src/definition/types";
import { isRecord } from "../../src/definition/compare-values";
import type { Noun } from "../../src/simulator/nouns/noun";
import { nounsOf } from "../../src/simulator/nouns/noun-registry";
import { changesOfGrowth, creationOf, driftsOf } from "./derived";
import type { CompleteDescriptor, KindDescriptor, Surroundings } from "./descriptor";

/** The descriptor of each kind, by its type. */
export const descriptors: Readonly<Record<string, CompleteDescriptor>> = Object.fromEntries(
  definitions.map((definition) => [definition.type, completed(definition)]),
);

/** The simulator's noun for a kind's path. */
export function nounAt(path: string): Noun | undefined {
  const shapeOf = (of: string): string => of.replaceAll(/\{\w+\}/g, "{}");
  return nounsOf("spec").find((noun) => shapeOf(noun.path) === shapeOf(path));
}

/** The completed descriptor of a kind. If there is none, throws and says what to write. */
export function completed(definition: Definition): CompleteDescriptor {
  const { type, path } = definition;
  const name = type.replace(/^./, (letter) => letter.toLowerCase());
  const file = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (!existsSync(join(__dirname, `${file}.ts`)))
    throw new Error(
      `The kind ${type} has no descriptor: write test/kinds/${file}.ts with its logical name, arguments and edits.`,
    );
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- so that no list has the names once more
  const own = (require(`./${file}`) as Record<string, KindDescriptor>)[name]!;
  const noun = nounAt(path);
  if (!noun)
    throw new Error(
      `The simulator has no noun at ${path}: correct the path in src/resources/${file}.ts, or write src/simulator/nouns/${file}.ts.`,
    );
  const { inputs, outputs } = driftsOf(definition, noun, own);
  const args = own.args({ projectId: "project", region: "us-sva-2", vpcId: "vpc" });
  const others = Object.entries(definition.inputs).flatMap(([field, { presence, actions }]) => {
    const drift = inputs[field];
    const isOpen = presence === "optional" && actions === undefined && !(field in args);
    return isOpen && typeof drift === "object" ? [[field, drift.shown] as const] : [];
  });
  return {
    ...own,
    others: { ...Object.fromEntries(others), ...own.others },
    collection: noun.key,
    creation: (around) => creationOf(definition, own.args(around), around),
    inputDrifts: inputs,
    outputDrifts: outputs,
    changes: { ...changesOfGrowth(definition, args), ...own.changes },
  };
}

/** True if the provider can sign in with objects of a kind. */
export function hasCredential(type: string): boolean {
  return kinds.some((kind) => kind.type === type && kind.credential !== undefined);
}

/** True if a credential names the objects of the kind that it reaches. So it does not reach one that it has created. */
export function isNamedByCredentials(type: string): boolean {
  const path = definitions.find((definition) => definition.type === type)?.path;
  const inputs = kinds.flatMap((kind) => (kind.credential ? Object.values(kind.inputs) : []));
  return inputs.some(({ names }) => names !== undefined && catalogs[names].path === path);
}

/** The kinds with a creation request. Objects of the others are created by something else, and found. */
export const madeTypes: readonly string[] = kinds.flatMap(({ type, discovery }) => (discovery ? [] : [type]));

/** Those of them of which two objects can have the same name. */
export const withTwins: readonly string[] = definitions.flatMap(({ type, inputs }) =>
  madeTypes.includes(type) && inputs["name"]?.unique !== "enforced" ? [type] : [],
);

/** The kinds with a creation request and no one-time secret. A later run takes over what an interrupted run left. */
export const takenOver = kinds
  .filter(({ type, secretOutputs }) => madeTypes.includes(type) && secretOutputs.length === 0)
  .map(({ type }) => type);

/** The kinds whose objects have a status that operations change. */
export const changedByOperations = definitions
  .filter(
    ({ outputs }) => outputs["status"]?.type.kind === "oneOf" && outputs["status"].type.values.includes("updating"),
  )
  .map(({ type }) => type);

/** The kinds that are taken over and have a status: a creation waits until the object is ready. */
export const awaited = takenOver.filter((type) => changedByOperations.includes(type));

/** The descriptor of a kind. */
export function descriptorOf(type: string): CompleteDescriptor {
  const descriptor = descriptors[type];
  if (descriptor) return descriptor;
  throw new Error(`there is no kind ${type}`);
}

/**
 * Arguments that change an object of a kind in place, free of charge and for nobody else: its tags, or else its name.
 */
export function harmless(type: string, word: string): Readonly<Record<string, unknown>> {
  const { tags, name } = kinds.find((kind) => kind.type === type)?.fields ?? {};
  if (tags && tags.change !== "replace") return { tags: [word] };
  if (name && name.change !== "replace") return { name: word };
  throw new Error(
    `${type}: neither tags nor name changes in place. Let harmless in test/kinds/index.ts return another harmless change.`,
  );
}

/** The objects that every simulator has from the start. */
export const SEEDED: Surroundings = {
  projectId: "00000000-0000-4000-8000-000000000002",
  region: "us-sva-2",
  vpcId: "00000000-0000-4000-8000-000000000003",
};

/**
 * Valid arguments of a kind that include these. The descriptor adds missing members of required objects and list items.
 */
export function sampleOf(
  type: string,
  given: Readonly<Record<string, unknown>> = {},
  around: Surroundings = SEEDED,
): Record<string, unknown> {
  const own = descriptorOf(type);
  const basics = own.args(around);
  const inputs = definitions.find((definition) => definition.type === type)?.inputs ?? {};
  const all: ValueType = { kind: "object", members: inputs };
  return { ...basics, ...(filled(all, given, { ...own.others, ...basics }) as object) };
}

/** A valid value of a field that differs from the sample. */
export function anotherOf(type: string, field: string): unknown {
  const drift = descriptorOf(type).inputDrifts[field];
  if (typeof drift !== "object") throw new Error(`there is no other value of ${type}.${field}`);
  return drift.shown;
}

/** Adds required members of nested objects from the sample. */
function filled(type: ValueType, value: unknown, sample: unknown, isMember = false): unknown {
  if (type.kind === "list" && Array.isArray(value))
    return value.map((item) => filled(type.item, item, Array.isArray(sample) ? sample[0] : undefined, true));
  if (type.kind !== "object" || !isRecord(value) || !isRecord(sample)) return value;
  const given = Object.entries(value).map(([name, member]) => {
    const field = Object.hasOwn(type.members, name) ? type.members[name] : undefined;
    return [name, field ? filled(field.type, member, sample[name], true) : member] as const;
  });
  const required = Object.entries(type.members).filter(([, { presence }]) => isMember && presence === "required");
  return { ...Object.fromEntries(required.map(([name]) => [name, sample[name]])), ...Object.fromEntries(given) };
}
