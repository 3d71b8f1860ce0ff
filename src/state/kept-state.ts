import { isDeepStrictEqual } from "node:util";
import type { CostSide, MissingQuote } from "../cost/cost";
import { isRecord } from "../definition/compare-values";
import type { ProgramFacts } from "../engine/program-facts";
import { asSecret, withoutUndefined } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";
import { costProps } from "../lifecycle/pricing/cost-in-state";
import {
  NO_MEMORY,
  NO_OBJECT_MEMORY,
  type ObjectMemory,
  type ResourceMemory,
  type ResourceRequest,
  type ResourceState,
  type RetiredObject,
} from "../lifecycle/resource-request";
import { dateText, timeOf } from "../time/utc";

/**
 * The key of each value, its reader, and its writer if the state has the value in another form. Readers return
 * undefined for a wrong form.
 */
type MemoryTable<Memory> = {
  readonly [Name in keyof Memory]: readonly [
    key: string,
    read: (kept: unknown) => Memory[Name] | undefined,
    write?: (value: Memory[Name]) => unknown,
  ];
};

const flag = (kept: unknown): boolean => kept === true;
const count = (kept: unknown): number | undefined => (typeof kept === "number" ? kept : undefined);
const text = (kept: unknown): string | undefined => (typeof kept === "string" ? kept : undefined);
const record = (kept: unknown): Props | undefined => (isRecord(kept) ? kept : undefined);
const texts = (kept: unknown): readonly string[] | undefined =>
  Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : undefined;

/** No key may change, because old states have them, and both fronts read them. */
const MEMORY: MemoryTable<Omit<ResourceMemory, "object">> = {
  retainOnDelete: ["__retainOnDelete", flag],
  generation: ["__generation", count],
  autoName: ["__autoName", text],
  adopted: ["__adopted", text],
  retirements: ["__retirements", count],
  lifetimeStart: ["__lifetimeStart", text],
  timeouts: ["__timeouts", record],
  unpriced: ["__unpriced", unpricedOf, unpricedProps],
  costBefore: ["__costBefore", () => undefined, costBeforeProps], // only reports on the run read it
  mark: ["__run", text],
};

/** As `MEMORY`: after the first release, no key may change. */
const OBJECT_MEMORY: MemoryTable<ObjectMemory> = {
  neverReady: ["__neverReady", flag],
  attempted: ["__attempted", texts],
  existedBefore: ["__existedBefore", flag],
  foundAs: ["__foundAs", record],
  ownParts: ["__ownParts", texts],
  replaced: ["__replaced", texts],
  retired: ["__retired", retiredObjects, (retired) => retired.map(retiredProps)],
  keptOfPair: ["__keptOfPair", text],
};

/**
 * The keys of the package's own inputs, beside those of the user, in the state and in the engine's calls. The engine
 * does not show keys that begin with two underscores.
 */
export const HIDDEN_INPUTS: readonly string[] = [
  "__provider",
  "__urn",
  // Only during a run: see ProgramFacts.
  "__program",
  "__registered",
  // The base URL of the last run, among the inputs of a dynamic resource. The engine reports changed settings to other
  // plugins only.
  "__baseUrl",
  // The paths of secret inputs, among the outputs. The engine sends their values to a dynamic provider unmarked.
  "__secretPaths",
  ...Object.values({ ...MEMORY, ...OBJECT_MEMORY }).map(([key]) => key),
];

/** Reads a resource and its memory from the properties in a state. */
export function stateFromProps(sent: Props): ResourceState {
  return {
    urn: text(sent["__urn"]) ?? "",
    props: Object.fromEntries(Object.entries(sent).filter(([key]) => !HIDDEN_INPUTS.includes(key))),
    memory: { ...readMemory(sent, MEMORY, NO_MEMORY), object: readMemory(sent, OBJECT_MEMORY, NO_OBJECT_MEMORY) },
  };
}

/**
 * Parses a request of the engine. `facts`: those in `sent`. `olds`: the properties in the state, for a check, a diff or
 * an update.
 */
export function requestFromProps(
  id: string,
  sent: Props,
  facts: ProgramFacts | undefined,
  olds: Props = {},
): ResourceRequest {
  const { urn, props, memory } = stateFromProps(sent);
  return {
    urn: facts?.urn ?? urn,
    id,
    isPreview: facts?.isPreview === true,
    isSummarized: facts?.isSummarized,
    inputs: props,
    memory,
    last: Object.keys(olds).length > 0 ? stateFromProps(olds) : undefined,
    isReference: false,
    organization: facts?.organization,
    registered: sent["__registered"],
  };
}

/** The properties that keep a resource and its memory in the state. `secretNames`: the properties to mark as secret. */
export function propsFromState({ urn, props, memory }: ResourceState, secretNames: readonly string[]): Props {
  const secrets = secretNames.filter((name) => props[name] !== undefined);
  return withoutUndefined({
    ...props,
    ...Object.fromEntries(secrets.map((name) => [name, asSecret(props[name])])),
    __urn: urn === "" ? undefined : urn,
    ...memoryProps(memory, MEMORY, NO_MEMORY),
    ...memoryProps(memory.object, OBJECT_MEMORY, NO_OBJECT_MEMORY),
  });
}

function readMemory<Memory>(sent: Props, table: MemoryTable<Memory>, none: Memory): Memory {
  const entries = memoryNames(table).map((name) => {
    const [key, read] = table[name];
    return [name, read(sent[key]) ?? none[name]];
  });
  return Object.fromEntries(entries) as Memory;
}

function memoryProps<Memory>(memory: Memory, table: MemoryTable<Memory>, none: Memory): Props {
  const entries = memoryNames(table).map((name) => {
    const [value, [key, , write]] = [memory[name], table[name]];
    return [key, isDeepStrictEqual(value, none[name]) ? undefined : write ? write(value) : value];
  });
  return Object.fromEntries(entries) as Props;
}

function memoryNames<Memory>(table: MemoryTable<Memory>): readonly (keyof Memory)[] {
  return Object.keys(table) as (keyof Memory)[];
}

function retiredObjects(kept: unknown): readonly RetiredObject[] | undefined {
  return Array.isArray(kept) ? kept.flatMap(retiredOf) : undefined;
}

function retiredOf(kept: unknown): RetiredObject[] {
  if (!isRecord(kept) || typeof kept["id"] !== "string") return [];
  const { id, signedIn, replacedAt, expiresAt, leaked } = kept;
  const times = { replacedAt: timeOf(replacedAt) ?? 0, expiresAt: timeOf(expiresAt) };
  return [{ id, isOwn: signedIn === true, ...times, hasLeaked: leaked === true }];
}

function retiredProps({ id, isOwn, replacedAt, expiresAt, hasLeaked }: RetiredObject): unknown {
  const at = (time: number | undefined): string | undefined => (time === undefined ? undefined : dateText(time));
  const times = { replacedAt: at(replacedAt), expiresAt: at(expiresAt) };
  return withoutUndefined({ id, signedIn: isOwn, ...times, leaked: hasLeaked ? true : undefined });
}

function costBeforeProps(cost: CostSide | undefined): unknown {
  return cost && withoutUndefined({ ...costProps(cost), __unpriced: unpricedProps(cost.unpriced) });
}

/** Why there is no cost. The details of a failed quote are left out, because they belong to one run. */
function unpricedProps(unpriced: MissingQuote | undefined): Props | undefined {
  return unpriced?.status === "unknown" ? { status: unpriced.status, reason: unpriced.reason } : unpriced;
}

/** The reason for an unknown cost, from inputs. check writes it. A value of another form counts as none. */
export function unpricedOf(value: unknown): MissingQuote | undefined {
  if (!isRecord(value)) return undefined;
  const { reason, billedFor } = value;
  if (value["status"] === "notOffered")
    return { status: "notOffered", ...(typeof billedFor === "string" && { billedFor }) };
  return value["status"] === "unknown" && typeof reason === "string" ? { status: "unknown", reason } : undefined;
}
