import { isDeepStrictEqual } from "node:util";
import type { MachineOf } from "../../../src/definition/quotas";
import { replacingMembers } from "../../../src/lifecycle/kind/changed-fields";
import type { ResourceKind } from "../../../src/lifecycle/kind/kind";
import { definitions, kinds } from "../../../src/resources/registry";
import type { Definition } from "../../../src/definition/types";
import { toWire } from "../../../src/definition/wire";
import { checkNew } from "../../support/lifecycle";
import { argsOf, collectionOf, type World } from "../../support/world";
import { up } from "../../support/mini-engine";
import { anotherOf, descriptorOf, madeTypes } from "..";
import type { Change } from "../descriptor";

/** Compares under a label, which a failure shows. */
export function expectEqual(label: string, actual: unknown, expected: unknown): void {
  expect({ [label]: actual }).toEqual({ [label]: expected });
}

/** Each kind with a creation request, and its definition. */
export const madeKinds = kinds
  .filter(({ type }) => madeTypes.includes(type))
  .map((kind): [type: string, kind: ResourceKind, definition: Definition] => [
    kind.type,
    kind,
    definitionOf(kind.type),
  ]);

export function definitionOf(type: string): Definition {
  const found = definitions.find((definition) => definition.type === type);
  if (!found) throw new Error(`no definition ${type}`);
  return found;
}

/** Another valid value of each field that has one, except ids of other objects. */
export function changesOf(kind: ResourceKind): [field: string, change: Change][] {
  const { changes, inputDrifts } = descriptorOf(kind.type);
  return Object.entries(kind.fields).flatMap(([field, { local, change, actions }]): [string, Change][] => {
    const drift = inputDrifts[field];
    const isReference = /Ids?$/.test(field);
    if (isReference || (local === true && change !== "replace" && actions === undefined)) return [];
    if (changes[field]) return [[field, changes[field]]];
    return typeof drift === "object" && drift.shown !== undefined ? [[field, { to: drift.shown }]] : [];
  });
}

/** Those that the API changes in place. */
export function changesInPlace(kind: ResourceKind): [field: string, change: Change][] {
  return changesOf(kind).filter(([field]) => kind.fields[field]?.change !== "replace");
}

/** Arguments that replace the object in its present parent, if there are any. */
export function replacementOf({ type, fields, pathFields }: ResourceKind): Record<string, unknown> | undefined {
  const surroundings = { projectId: "", region: "", vpcId: "", vpcs: [], vmIds: [] };
  const descriptor = descriptorOf(type);
  const own = descriptor.args(surroundings);
  const replacesWith = ([name, value]: [string, unknown]): boolean => {
    const field = fields[name];
    const replaces = field !== undefined && (field.change === "replace" || replacingMembers(field).length > 0);
    return replaces && !isDeepStrictEqual(value, own[name]);
  };
  for (const replace of [1, 2]) {
    const given = Object.entries(descriptor.edited({ fields: 0, replace, rotates: false, name: "x" }, surroundings));
    const entries = given.filter(([field]) => field !== "region" && !pathFields.includes(field));
    const local = entries.filter(([field]) => fields[field]?.local === true);
    const replacing = entries.find(replacesWith);
    // The new object may need another name than the old one.
    if (replacing) return { name: undefined, ...Object.fromEntries([...local, replacing]) };
  }
  return undefined;
}

/** Arguments that replace the object, in its present parent if possible, otherwise in another parent or region. */
export async function replacementIn(world: World, kind: ResourceKind): Promise<Record<string, unknown>> {
  const { type } = kind;
  const inPlace = replacementOf(kind);
  if (inPlace) return inPlace;
  const { parent, input } = parentOf(definitionOf(type)) ?? {};
  if (!parent || !input) return { region: anotherOf(type, "region"), name: undefined };
  return { ...(await argsElsewhere(world, type, parent, input)), name: undefined };
}

/** The kind of the parent in an object's path, and the input with its id. */
export function parentOf({ path }: Definition): { readonly parent: Definition; readonly input: string } | undefined {
  const [, at, input = ""] = /^(.*)\/\{(\w+)\}/.exec(path) ?? [];
  const parent = definitions.find((definition) => definition.path === at);
  return parent && { parent, input };
}

/** Creates another parent, and returns the arguments for an object in it. */
export async function argsElsewhere(
  world: World,
  type: string,
  parent: Definition,
  input: string,
): Promise<Record<string, unknown>> {
  const { id, outs } = await world.create(parent.type, argsOf(parent.type, world.simulator), { name: "elsewhere" });
  const { cidr = "" } = (outs["subnet"] ?? {}) as { readonly cidr?: string };
  const edits = { fields: 0, replace: 0, rotates: false, name: "x" };
  const there = descriptorOf(type).edited(edits, { ...world.simulator, vpcs: [{ id, cidr }], vmIds: [] });
  return { ...there, [input]: id };
}

/** The used amount of each quota of the region at the API. */
export async function usedQuotas(world: World): Promise<Record<string, number>> {
  const { region, ...groups } = await world.api("GET", `/v1/quotas/${world.simulator.region}`);
  expect(region).toBe(world.simulator.region);
  return Object.fromEntries(
    Object.entries(groups as Record<string, Record<string, { used: number }>>).flatMap(([group, members]) =>
      Object.entries(members).map(([member, { used }]) => [`${group}.${member}`, used] as const),
    ),
  );
}

/** The non-zero differences between two counts. */
export function countedBetween(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const amounts = names.map((name): [string, number] => [name, (after[name] ?? 0) - (before[name] ?? 0)]);
  return Object.fromEntries(amounts.filter(([, amount]) => amount !== 0));
}

/** The sizes of the instance types, as the API has them. */
export async function machinesOf(world: World): Promise<MachineOf> {
  const { items } = (await world.api("GET", "/v1/instance_types?limit=100")) as {
    items: { name: string; vcpu: number; memory_gb: number }[];
  };
  const sizes = new Map(items.map(({ name, vcpu, memory_gb: memoryGb }) => [name, { vcpu, memoryGb }]));
  return (name) => sizes.get(name ?? "");
}

/** The body of a valid creation, of the present program, after a time. */
export async function bodyOf(
  world: World,
  kind: ResourceKind,
  { given = {}, afterMs = 0 }: { readonly given?: object; readonly afterMs?: number } = {},
): Promise<Record<string, unknown>> {
  const args = { ...argsOf(kind.type, world.simulator), ...given, name: "sample" };
  const { inputs } = await checkNew(world.run(), kind.type, args);
  world.clock.advance(afterMs);
  return toWire(kind, inputs, world.clock.now());
}

/** An object created by a raw request: the members of the answer, and of the object. */
export async function madeRaw(
  world: World,
  type: string,
  body: object,
): Promise<{ readonly answer: Record<string, unknown>; readonly shown: Record<string, unknown> }> {
  const path = collectionOf(type, world.simulator);
  const answer = await world.api("POST", path, body);
  world.clock.advance(60_000);
  return { answer, shown: await world.api("GET", `${path}/${String(answer["resource_id"] ?? answer["id"])}`) };
}

/** An object of a kind as the API shows it. */
export async function shownBy(world: World, type: string): Promise<Record<string, unknown>> {
  const { state } = await up(world.run(), type, argsOf(type, world.simulator), undefined);
  return world.api("GET", `${collectionOf(type, world.simulator)}/${state.id}`);
}
