import { isRecord } from "./compare-values";
import { valuesIn } from "./named-values";
import { failure, warning, type Finding, type Props, type RuleContext } from "./rule-context";
import type { Definition, Fields, ValueType } from "./types";
import { inPresentNames } from "./compare-fields";
import { inputFields, membersOf, pathInputs } from "./definition";
import { nameMeant } from "../text/closest";

/** Findings for fields that can only grow but would shrink in place. */
export function shrinkFindings({ inputs, noun }: Definition, present: Props, values: Props): Finding[] {
  return shrunk(inputs, present, values, { path: "", of: `the ${noun}` }).map(({ field, of, before, after }) => {
    const advice = `Give ${before} or more, or make another ${noun}`;
    return failure(field, `cannot become smaller: ${of} has ${before}, the program says ${after}. ${advice}`);
  });
}

interface ShrunkField {
  readonly field: string;
  /** The object with the field, in words. */
  readonly of: string;
  readonly before: number;
  readonly after: number;
}

function shrunk(
  fields: Fields,
  present: Props,
  values: Props,
  { path, of }: { readonly path: string; readonly of: string },
): ShrunkField[] {
  return Object.entries(fields).flatMap(([name, field]): ShrunkField[] => {
    const [before, after] = [present[name], values[name]];
    const at = `${path}${name}`;
    if (field.growsOnly === true) {
      return typeof before === "number" && typeof after === "number" && after < before
        ? [{ field: at, of, before, after }]
        : [];
    }
    if (isRecord(before) && isRecord(after)) return shrunk(membersOf(field), before, after, { path: `${at}.`, of });
    if (!Array.isArray(before) || !Array.isArray(after)) return [];
    // Items of a list of parts are matched by name.
    const earlier = before.filter(isRecord);
    return after.flatMap((item: unknown, index) => {
      const same =
        isRecord(item) && earlier.find((each) => each["name"] !== undefined && each["name"] === item["name"]);
      if (!same) return [];
      const location = { path: `${at}[${index}].`, of: `"${String(same["name"])}"` };
      return shrunk(membersOf(field), same, item, location);
    });
  });
}

/** Warnings about former names of values. */
export function renamedFindings(fields: Fields, values: Props): Finding[] {
  return [...valuesIn(fields, values)].flatMap(({ path, type, value }) => {
    const present = inPresentNames(type, value);
    if (type.kind !== "oneOf" || present === value) return [];
    const [former, now] = [String(value), String(present)];
    return [warning(path, `"${former}" is now called "${now}". Both mean the same: write "${now}"`)];
  });
}

/**
 * Findings for names that two objects would have at the same time: a replacement and the old object, or two items of a
 * list of parts.
 */
export function nameFindings(definition: Definition, values: Props, context: RuleContext<Props>): Finding[] {
  const lists = Object.entries(inputFields(definition)).flatMap(([field, { part }]) =>
    part && Array.isArray(values[field]) ? repeatedNameFindings(field, values[field].filter(isRecord)) : [],
  );
  return [...heldNameFindings(definition, values, context), ...lists];
}

function repeatedNameFindings(field: string, items: readonly Props[]): Finding[] {
  return items.flatMap(({ name }, index) => {
    const first = items.findIndex((other) => other["name"] === name);
    if (first === index || name === undefined) return [];
    return [failure(`${field}[${index}].name`, `has the same name as ${field}[${first}]: give each a different one`)];
  });
}

/**
 * Refuses a unique name that the replaced object still has: both exist for a while, unless the old one was never ready
 * and is deleted first.
 */
function heldNameFindings(
  definition: Definition,
  values: Props,
  { replaced, deleteBeforeReplace }: RuleContext<Props>,
): Finding[] {
  const { name } = values;
  if (definition.inputs["name"]?.unique === undefined || deleteBeforeReplace || name === undefined) return [];
  const same = ["name", ...pathInputs(definition)].every((input) => replaced?.[input] === values[input]);
  if (replaced === undefined || !same) return [];
  const noun = shortNoun(definition);
  const reason =
    `${JSON.stringify(name)} is still the name of the ${noun} that this one replaces, and both exist for a while. ` +
    `Leave the name out, or choose another one`;
  return [failure("name", reason)];
}

/** The last word of the noun, such as `pool`. */
function shortNoun({ noun }: Definition): string {
  return noun.split(" ").at(-1) ?? noun;
}

/**
 * Findings for unknown names in `values`, at every depth. `owner` is the resource or the function. `planned`: fields
 * that a program does not give.
 */
export function unknownArguments(owner: string, fields: Fields, values: Props, planned: Fields = {}): Finding[] {
  return unknownIn(fields, values, "").map(({ path, name, known: names, at }) => {
    const known = at === "" ? names.filter((each) => !Object.hasOwn(planned, each)) : names;
    const meant = nameMeant(name, known) ?? (at === "" ? memberCalled(name, fields) : undefined);
    const advice =
      meant === undefined
        ? `${at === "" ? "It" : at} takes ${known.length === 0 ? "none" : known.join(", ")}.`
        : `Did you mean ${pathOf(at, meant)}?`;
    return failure(path, `is no argument of ${owner}. ${advice}`);
  });
}

/** The path of the only member of an object that has this name: `sshKey.publicKey` for `publicKey`. */
function memberCalled(name: string, fields: Fields): string | undefined {
  const [path, ...others] = Object.entries(fields)
    .filter(([, { type }]) => type.kind === "object" && Object.hasOwn(type.members, name))
    .map(([each]) => pathOf(each, name));
  return others.length > 0 ? undefined : path;
}

/** An unknown name, and the names that are possible in its place. */
interface UnknownName {
  readonly path: string;
  readonly name: string;
  /** The path of the object with the name. */
  readonly at: string;
  readonly known: readonly string[];
}

function unknownIn(fields: Fields, values: Props, at: string): UnknownName[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    const path = pathOf(at, name);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field === undefined
      ? [{ path, name, at, known: Object.keys(fields) }]
      : unknownInside(field.type, value, path);
  });
}

function unknownInside(type: ValueType, value: unknown, path: string): UnknownName[] {
  if (type.kind === "object" && isRecord(value)) return unknownIn(type.members, value, path);
  if (type.kind === "list" && Array.isArray(value))
    return value.flatMap((item: unknown, index) => unknownInside(type.item, item, `${path}[${index}]`));
  return [];
}

function pathOf(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}
