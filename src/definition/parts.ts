import { inputFields, membersOf } from "./definition";
import { isRecord } from "./compare-values";
import type { Props } from "./rule-context";
import { sameOf } from "./compare-fields";
import { isSameId } from "./same-id";
import { fromWire, memberToWire, valueFromWire, wireName } from "./wire";
import type { Definition, Fields, Part } from "./types";

/** A separate object that a resource was made with. The resource's response has its id, its own endpoint shows it. */
export interface NamedPart {
  readonly part: Part;
  /** The input for this part. */
  readonly field: string;
  /** False for the only part of its field, such as a boot volume: no other can take its place. */
  readonly isInList: boolean;
  readonly id: string;
}

/** An input whose value is a part, or a list of parts. */
interface PartField {
  readonly name: string;
  /** Its member in requests. */
  readonly member: string;
  readonly members: Fields;
  readonly isList: boolean;
  readonly part: Part;
}

export function partFields(definition: Definition): PartField[] {
  return Object.entries(inputFields(definition)).flatMap(([name, field]) => {
    const { part, type } = field;
    return part
      ? [{ name, member: wireName(name, field), members: membersOf(field), isList: type.kind === "list", part }]
      : [];
  });
}

export function listsOfParts(definition: Definition): PartField[] {
  return partFields(definition).filter(({ isList }) => isList);
}

export function hasParts(definition: Definition): boolean {
  return partFields(definition).length > 0;
}

/** The parts in a response. */
export function namedParts(definition: Definition, wire: Props): NamedPart[] {
  return partFields(definition).flatMap(({ name: field, isList: isInList, part }) => {
    const ids = itemsOf(wire[part.idAt]).filter((id): id is string => typeof id === "string" && id !== "");
    return ids.map((id) => ({ part, field, isInList, id }));
  });
}

/**
 * False if the responses show that a part is not as old as its object: then something else has made it. True in doubt.
 */
export function isMadeWith({ madeWithinMs }: Part, wire: Props, part: Props): boolean {
  const [madeAt, partMadeAt] = [wire, part].map((each) => Date.parse(String(each["created_at"]))) as [number, number];
  return !(Math.abs(partMadeAt - madeAt) > madeWithinMs);
}

/** The response without some parts of its lists. */
export function withoutParts(definition: Definition, wire: Props, ids: readonly string[]): Props {
  const members = listsOfParts(definition).map(({ part: { idAt } }) => {
    return [idAt, itemsOf(wire[idAt]).filter((id) => !ids.includes(String(id)))];
  });
  return { ...wire, ...Object.fromEntries(members) } as Props;
}

/** The parts that a state knows, from the ids in its outputs. */
export function partsIn(definition: Definition, outputs: Props): NamedPart[] {
  const members = Object.entries(definition.outputs).map(([name, field]) => [wireName(name, field), outputs[name]]);
  return namedParts(definition, Object.fromEntries(members) as Props);
}

/** Puts the parts into a response, in the members that requests have for them. */
export function withParts(definition: Definition, wire: Props, shown: readonly (readonly [NamedPart, Props])[]): Props {
  const members = partFields(definition).map(({ name, member, isList }) => {
    const objects = shown.filter(([{ field }]) => field === name).map(([, object]) => object);
    return [member, isList ? objects : objects[0]];
  });
  return { ...wire, ...Object.fromEntries(members) } as Props;
}

/**
 * The parts that a response lists, and that are not among those put into it: the API shows no such object. `own`: the
 * ids of the parts that count. Default: all.
 */
export function unshownParts(definition: Definition, complete: Props, own?: readonly string[]): NamedPart[] {
  const shown = partFields(definition).flatMap(({ member }) => itemsOf(complete[member]));
  const isIn = (ids: readonly unknown[], id: string): boolean => ids.some((each) => isSameId(String(each), id));
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

/** The parts that an object does not show. A hidden part counts only if a name of its list is missing. */
export function lackingParts(definition: Definition, complete: Props, inputs: Props): LackingPart[] {
  const shown = fromWire(definition, complete);
  const unlisted = listsOfParts(definition).flatMap(({ name: field, part }) => {
    const listed = namesOf(shown[field]);
    const lacking = namesOf(inputs[field]).filter((name) => typeof name === "string" && !listed.includes(name));
    return lacking.map((name) => ({ part, field, at: `${field} ${JSON.stringify(name)}`, name: String(name) }));
  });
  const hidden = unshownParts(definition, complete)
    .filter(({ field, isInList }) => (isInList ? unlisted.some((each) => each.field === field) : inputs[field]))
    .map(({ part, field, id }) => ({ part, field, at: `${field} (${id})` }));
  return [...hidden, ...unlisted];
}

/** As `lackingParts`, for a key that may not read the parts: it compares only the number of parts in each list. */
export function shortLists(definition: Definition, wire: Props, inputs: Props): LackingPart[] {
  return listsOfParts(definition)
    .filter(({ name, part }) => itemsOf(wire[part.idAt]).length < itemsOf(inputs[name]).length)
    .map(({ name, part }) => ({ part, field: name, at: name }));
}

/** Adds the parts that the program names and that a state lacks. */
export function withLackingParts(definition: Definition, state: Props, inputs: Props): Props {
  const fields = partFields(definition).filter(({ name }) => inputs[name] !== undefined);
  return withPartsOf(state, fields, ({ name, isList }) => {
    if (!isList) return state[name] ?? inputs[name];
    const names = namesOf(state[name]);
    const lacking = itemsOf(inputs[name]).filter((item) => isRecord(item) && !names.includes(item["name"]));
    return [...itemsOf(state[name]), ...lacking];
  });
}

/** Adds the known parts that the object does not show. `shown` and `known` have the values of the program's fields. */
export function withUnseenParts(
  definition: Definition,
  shown: Props,
  known: Props,
  unseen: readonly NamedPart[],
): Props {
  const isUnseen = ({ name }: PartField): boolean => unseen.some(({ field }) => field === name);
  const fields = partFields(definition).filter((each) => known[each.name] !== undefined && isUnseen(each));
  return withPartsOf(shown, fields, ({ name, isList }) => {
    if (!isList) return shown[name] ?? known[name];
    const items = itemsOf(shown[name]).filter(isRecord);
    const shownAs = (one: unknown): unknown => isRecord(one) && items.find((item) => item["name"] === one["name"]);
    return itemsOf(known[name]).map((one) => shownAs(one) || one);
  });
}

/** Removes the parts that the program does not name, because they do not belong to the resource. */
export function withNamedPartsOnly(definition: Definition, shown: Props, inputs: Props): Props {
  return withPartsOf(shown, listsOfParts(definition), ({ name }) => {
    const names = namesOf(inputs[name]);
    return inputs[name] && itemsOf(shown[name]).filter((item) => isRecord(item) && names.includes(item["name"]));
  });
}

/** The parts in a response that the program does not name. */
export function unnamedParts(
  definition: Definition,
  complete: Props,
  inputs: Props,
): readonly { readonly field: string; readonly part: Part; readonly id: string; readonly name: string }[] {
  return listsOfParts(definition).flatMap(({ name: field, member, part }) => {
    const named = namesOf(inputs[field]);
    const shown = itemsOf(complete[member]).filter(isRecord);
    return shown.flatMap(({ id, name }) =>
      named.includes(name) ? [] : [{ field, part, id: String(id), name: String(name) }],
    );
  });
}

/** The properties with new values in some fields. */
function withPartsOf(props: Props, fields: readonly PartField[], valueOf: (field: PartField) => unknown): Props {
  return { ...props, ...Object.fromEntries(fields.map((field) => [field.name, valueOf(field)])) };
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
  /** True if a part differs in what no request changes. */
  readonly isFixed: boolean;
}

/** Compares the parts of a field with the program. `complete` is a response with its parts. */
export function partDifferences(
  definition: Definition,
  name: string,
  complete: Props,
  wanted: unknown,
  now: number,
): PartDifferences {
  const field = partFields(definition).find((each) => each.name === name);
  if (field === undefined) return { changes: [], missing: [], isFixed: false };
  const { part, isList, members } = field;
  const shown = itemsOf(complete[field.member]).filter(isRecord);
  const items = itemsOf(wanted)
    .filter(isRecord)
    .map((item, index) => ({
      item,
      at: isList ? `${name}[${index}]` : name,
      objects: isList ? shown.filter((each) => each["name"] === item["name"]) : shown.slice(0, 1),
    }));
  const differing = items.flatMap(({ item, at, objects }) => {
    const [object, ...twins] = objects;
    if (typeof object?.["id"] !== "string" || twins.length > 0) return [];
    const present = valueFromWire({ kind: "object", members }, object) as Props;
    const others = Object.entries(members).filter(([member, of]) => !sameOf(of)(present[member], item[member], now));
    return [{ part, at, id: object["id"], item, others }];
  });
  const changes = differing.flatMap(({ item, others, ...object }) => {
    const changeable = others.filter(([, { change }]) => change !== "replace");
    const body = changeable.map(([member, of]) => [wireName(member, of), memberToWire(of, item[member], now)]);
    return body.length === 0 ? [] : [{ ...object, body: Object.fromEntries(body) as Props }];
  });
  const missing = items.flatMap(({ at, objects }) => {
    const ids = objects.map(({ id }) => String(id)).join(" and ");
    return objects.length === 1 ? [] : [objects.length === 0 ? at : `${at}, because several have its name (${ids})`];
  });
  const isFixed = differing.some(({ others }) => others.some(([, { change }]) => change === "replace"));
  return { changes, missing, isFixed };
}

function namesOf(list: unknown): readonly unknown[] {
  return itemsOf(list).map((item) => (isRecord(item) ? item["name"] : undefined));
}

export function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
