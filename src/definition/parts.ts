import { catalogs } from "./catalogs";
import { inputFields } from "./definition";
import { isRecord } from "./compare-values";
import type { Props } from "./rule-context";
import { sameOf } from "./compare-fields";
import { fromWire, memberToWire, valueFromWire, wireName } from "./wire";
import type { Definition, Field, Fields, Part } from "./types";

/** A part: a separate object that a resource was made with. The resource's response has its id, and its own endpoint shows it. */
export interface NamedPart {
  readonly part: Part;
  /** The input for this part. */
  readonly field: string;
  /** False for the only part of its field, such as a boot volume: no other can take its place. */
  readonly isInList: boolean;
  readonly id: string;
}

/** The inputs that are parts. */
export function partFields(definition: Definition): [name: string, field: Field, part: Part][] {
  return Object.entries(inputFields(definition)).flatMap(([name, field]) =>
    field.part ? [[name, field, field.part] as [string, Field, Part]] : [],
  );
}

export function hasParts(definition: Definition): boolean {
  return partFields(definition).length > 0;
}

/** The parts in a response. */
export function namedParts(definition: Definition, wire: Props): NamedPart[] {
  return partFields(definition).flatMap(([field, { type }, part]) => {
    const isInList = type.kind === "list";
    const ids = itemsOf(wire[part.idAt]).filter((id): id is string => typeof id === "string" && id !== "");
    return ids.map((id) => ({ part, field, isInList, id }));
  });
}

/** The greatest difference between the times of creation of an object and of the parts that the API makes with it. */
const MADE_WITHIN_MS = 600_000;

/** False if the responses show that a part is not as old as its object: then something else has made it. True in doubt. */
export function isMadeWith(wire: Props, part: Props): boolean {
  const [madeAt, partMadeAt] = [wire, part].map((each) => Date.parse(String(each["created_at"]))) as [number, number];
  return !(Math.abs(partMadeAt - madeAt) > MADE_WITHIN_MS);
}

/** The response without some parts of its lists. */
export function withoutParts(definition: Definition, wire: Props, ids: readonly string[]): Props {
  const lists = partFields(definition).filter(([, { type }]) => type.kind === "list");
  const members = lists.map(([, , { idAt }]) => [idAt, itemsOf(wire[idAt]).filter((id) => !ids.includes(String(id)))]);
  return { ...wire, ...Object.fromEntries(members) } as Props;
}

/** The parts in the outputs of a resource. */
export function partsIn(definition: Definition, outputs: Props): NamedPart[] {
  const members = Object.entries(definition.outputs).map(([name, field]) => [wireName(name, field), outputs[name]]);
  return namedParts(definition, Object.fromEntries(members) as Props);
}

/** Puts the parts into a response, in the members that requests have for them. */
export function withParts(definition: Definition, wire: Props, shown: readonly (readonly [NamedPart, Props])[]): Props {
  const members = partFields(definition).map(([name, field]) => {
    const objects = shown.filter(([part]) => part.field === name).map(([, object]) => object);
    return [wireName(name, field), field.type.kind === "list" ? objects : objects[0]];
  });
  return { ...wire, ...Object.fromEntries(members) } as Props;
}

/**
 * The parts that a response lists, and that are not among those put into it: the API shows no such object. `own`: the ids of the parts that
 * count. Default: all.
 */
export function unshownParts(definition: Definition, complete: Props, own?: readonly string[]): NamedPart[] {
  const shown = partFields(definition).flatMap(([name, field]) => itemsOf(complete[wireName(name, field)]));
  const isIn = (ids: readonly unknown[], id: string): boolean =>
    ids.some((each) => String(each).toLowerCase() === id.toLowerCase()); // the API may write an id in another case
  const shownIds = shown.filter(isRecord).map(({ id }) => id);
  return namedParts(definition, complete).filter(
    ({ id }) => !isIn(shownIds, id) && (own === undefined || isIn(own, id)),
  );
}

/** A part of the program that an object does not show. */
export interface LackingPart {
  readonly part: Part;
  readonly field: string;
  /** For messages: `dataVolumes "data"`, or with the id that the object lists. */
  readonly at: string;
  /** Undefined if the object lists it, and the API does not show it. */
  readonly name?: string;
}

/** The parts in the fields of the program that an object with its parts does not list, or that it lists and the API does not show. */
export function lackingParts(definition: Definition, complete: Props, inputs: Props): LackingPart[] {
  const shown = fromWire(definition, complete);
  const hidden = unshownParts(definition, complete)
    .filter(({ field }) => itemsOf(inputs[field]).length > 0)
    .map(({ part, field, id }) => ({ part, field, at: `${field} (${id})` }));
  const unlisted = partFields(definition).flatMap(([field, { type }, part]) => {
    const names = type.kind === "list" ? namesOf(inputs[field]) : [];
    const listed = namesOf(shown[field]);
    const lacking = names.filter((name) => typeof name === "string" && !listed.includes(name));
    return lacking.map((name) => ({ part, field, at: `${field} ${JSON.stringify(name)}`, name: String(name) }));
  });
  return [...hidden, ...unlisted];
}

/** As `lackingParts`, by the numbers of parts that the object lists: for a key that may not read them. */
export function shortLists(definition: Definition, wire: Props, inputs: Props): LackingPart[] {
  const lists = partFields(definition).filter(([, { type }]) => type.kind === "list");
  const short = lists.filter(([field, , { idAt }]) => itemsOf(wire[idAt]).length < itemsOf(inputs[field]).length);
  return short.map(([field, , part]) => ({ part, field, at: field }));
}

/** Adds the parts that the program names and that a state lacks. */
export function withLackingParts(definition: Definition, state: Props, inputs: Props): Props {
  const fields = partFields(definition).filter(([field]) => inputs[field] !== undefined);
  const complete = fields.map(([field, { type }]) => {
    if (type.kind !== "list") return [field, state[field] ?? inputs[field]];
    const names = namesOf(state[field]);
    const lacking = itemsOf(inputs[field]).filter((item) => isRecord(item) && !names.includes(item["name"]));
    return [field, [...itemsOf(state[field]), ...lacking]];
  });
  return { ...state, ...Object.fromEntries(complete) } as Props;
}

/** Adds the known parts that the object does not show. `shown` and `known` have the values of the program's fields. */
export function withUnseenParts(
  definition: Definition,
  shown: Props,
  known: Props,
  unseen: readonly NamedPart[],
): Props {
  const fields = partFields(definition).filter(
    ([name]) => known[name] !== undefined && unseen.some(({ field }) => field === name),
  );
  const kept = fields.map(([field, { type }]) => {
    if (type.kind !== "list") return [field, shown[field] ?? known[field]];
    const items = itemsOf(shown[field]).filter(isRecord);
    return [
      field,
      itemsOf(known[field]).map((one) => (isRecord(one) && items.find(({ name }) => name === one["name"])) || one),
    ];
  });
  return { ...shown, ...Object.fromEntries(kept) } as Props;
}

/** Removes the parts that the program does not name, because they do not belong to the resource. */
export function withNamedPartsOnly(definition: Definition, shown: Props, inputs: Props): Props {
  const own = listsOfParts(definition, shown, inputs).map(([field, named]) => [field, inputs[field] && named]);
  return { ...shown, ...Object.fromEntries(own) } as Props;
}

/** The names of the parts that the program does not name, by field. */
export function unnamedParts(definition: Definition, shown: Props, inputs: Props): [field: string, names: unknown[]][] {
  return listsOfParts(definition, shown, inputs)
    .map(([field, , others]): [string, unknown[]] => [field, others.map(({ name }) => name)])
    .filter(([, names]) => names.length > 0);
}

/** The parts in each list of parts: those that the program names, and the others. */
function listsOfParts(
  definition: Definition,
  shown: Props,
  inputs: Props,
): [field: string, named: Props[], others: Props[]][] {
  const lists = partFields(definition).filter(([, { type }]) => type.kind === "list");
  return lists.map(([field]) => {
    const names = namesOf(inputs[field]);
    const parts = itemsOf(shown[field]).filter(isRecord);
    const isNamed = ({ name }: Props): boolean => names.includes(name);
    return [field, parts.filter(isNamed), parts.filter((part) => !isNamed(part))];
  });
}

/** A change of a part: the body of the update request to its own endpoint. */
export interface PartChange {
  readonly part: Part;
  /** The part's path in the program: `dataVolumes[0]`. */
  readonly at: string;
  readonly id: string;
  readonly body: Props;
}

interface PartDifferences {
  /** The requests that bring the parts to the program's values. */
  readonly changes: readonly PartChange[];
  /** The paths in the program of parts that the response does not show: `dataVolumes[0]`. */
  readonly missing: readonly string[];
}

/** Compares the parts of a field with the program. `complete` is a response with its parts. */
export function partDifferences(
  definition: Definition,
  name: string,
  complete: Props,
  wanted: unknown,
  now: number,
): PartDifferences {
  const field = inputFields(definition)[name];
  const part = field?.part;
  if (field === undefined || part === undefined) return { changes: [], missing: [] };
  const shown = itemsOf(complete[wireName(name, field)]).filter(isRecord);
  const isList = field.type.kind === "list";
  const items = itemsOf(wanted)
    .filter(isRecord)
    .map((item, index) => ({
      item,
      at: isList ? `${name}[${index}]` : name,
      objects: isList ? shown.filter((each) => each["name"] === item["name"]) : shown.slice(0, 1),
    }));
  const changes = items.flatMap(({ item, at, objects }) => {
    const [object, ...twins] = objects;
    if (typeof object?.["id"] !== "string" || twins.length > 0) return [];
    const present = valueFromWire({ kind: "object", members: membersOf(field) }, object) as Props;
    const body = Object.entries(membersOf(field))
      .filter(([member, of]) => of.change !== "replace" && !sameOf(of)(present[member], item[member], now))
      .map(([member, of]) => [wireName(member, of), memberToWire(of, item[member], now)]);
    return body.length === 0 ? [] : [{ part, at, id: object["id"], body: Object.fromEntries(body) as Props }];
  });
  const missing = items.flatMap(({ at, objects }) => {
    const ids = objects.map(({ id }) => String(id)).join(" and ");
    return objects.length === 1 ? [] : [objects.length === 0 ? at : `${at}, because several have its name (${ids})`];
  });
  return { changes, missing };
}

/** Whether the price can depend on a field: the definition says so, or the field says where the object is. */
export function isPriced(field: Field): boolean {
  const isPlace = field.names !== undefined && catalogs[field.names].isLocation === true;
  return isPlace || field.priced === true || Object.values(membersOf(field)).some(isPriced);
}

/** The fields of an object, or of the objects in a list. */
export function membersOf({ type }: Pick<Field, "type">): Fields {
  const of = type.kind === "list" ? type.item : type;
  return of.kind === "object" ? of.members : {};
}

function namesOf(list: unknown): readonly unknown[] {
  return itemsOf(list).map((item) => (isRecord(item) ? item["name"] : undefined));
}

function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
