import { inputFields } from "./definition";
import { isRecord } from "./record";
import type { Props } from "./rules";
import { sameOf } from "./same-of";
import { memberToWire, valueFromWire, wireName } from "./wire";
import type { Definition, Field, Fields, Part } from "./types";

/** An object that a resource was made with. The resource's response has its id, and its own endpoint shows it. */
export interface NamedPart {
  readonly part: Part;
  /** The input for this part. */
  readonly field: string;
  readonly id: string;
}

/** The inputs whose objects have endpoints of their own. */
export function partFields(definition: Definition): [name: string, field: Field, part: Part][] {
  return Object.entries(inputFields(definition)).flatMap(([name, field]) =>
    field.part ? [[name, field, field.part] as [string, Field, Part]] : [],
  );
}

/** The parts in a response. */
export function namedParts(definition: Definition, wire: Props): NamedPart[] {
  return partFields(definition).flatMap(([field, , part]) =>
    itemsOf(wire[part.idAt]).flatMap((id) => (typeof id === "string" && id !== "" ? [{ part, field, id }] : [])),
  );
}

/** A response with its parts, in the members that requests have for them. */
export function withParts(definition: Definition, wire: Props, shown: readonly (readonly [NamedPart, Props])[]): Props {
  const members = partFields(definition).map(([name, field]) => {
    const objects = shown.filter(([part]) => part.field === name).map(([, object]) => object);
    return [wireName(name, field), field.type.kind === "list" ? objects : objects[0]];
  });
  return { ...wire, ...Object.fromEntries(members) } as Props;
}

/** A change of a part: the body of the update request to its own endpoint. */
export interface PartChange {
  readonly part: Part;
  /** Where the program says it: `dataVolumes[0]`. */
  readonly at: string;
  readonly id: string;
  readonly body: Props;
}

/** The requests that make the parts of a field equal to the program. `whole` is a response with its parts. */
export function partChanges(
  definition: Definition,
  name: string,
  whole: Props,
  wanted: unknown,
  now: number,
): PartChange[] {
  const field = inputFields(definition)[name];
  const part = field?.part;
  if (field === undefined || part === undefined) return [];
  const shown = itemsOf(whole[wireName(name, field)]).filter(isRecord);
  const isList = field.type.kind === "list";
  return itemsOf(wanted).flatMap((item, index) => {
    const object = isList ? shown.find((each) => each["name"] === nameOf(item)) : shown[0];
    if (!isRecord(item) || !object || typeof object["id"] !== "string") return [];
    const present = valueFromWire({ kind: "object", members: membersOf(field) }, object) as Props;
    const body = Object.entries(membersOf(field))
      .filter(([member, of]) => of.change !== "replace" && !sameOf(of)(present[member], item[member], now))
      .map(([member, of]) => [wireName(member, of), memberToWire(of, item[member], now)]);
    if (body.length === 0) return [];
    const at = isList ? `${name}[${index}]` : name;
    return [{ part, at, id: object["id"], body: Object.fromEntries(body) as Props }];
  });
}

/** The fields of an object, or of the objects in a list. */
export function membersOf({ type }: Pick<Field, "type">): Fields {
  const of = type.kind === "list" ? type.item : type;
  return of.kind === "object" ? of.members : {};
}

function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function nameOf(item: unknown): unknown {
  return isRecord(item) ? item["name"] : undefined;
}
