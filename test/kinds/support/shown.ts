import type { Field, Fields, ValueType } from "../../../src/definition/types";
import { shownAt } from "../../../src/definition/wire";

/** The schema of an answer. */
export interface Json {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/** How the API shows a member: each answer has it, or it may be null, or absent. */
type Shown = "always" | "nullable" | "maybe";

/** What the answers have at a path, and how. */
function memberAt(json: Json, path: readonly string[], shown: Shown): { json: Json; shown: Shown } | undefined {
  const [step, ...rest] = path;
  const isNullable = [json, ...(json.anyOf ?? [])].some(({ type }) => type === "null" || type?.includes("null"));
  const of = json.anyOf?.find(({ type }) => type !== "null") ?? json;
  if (step === undefined) return { json: of, shown: shown === "always" && isNullable ? "nullable" : shown };
  const inner = of.properties?.[step];
  return inner && memberAt(inner, rest, of.required?.includes(step) === true ? shown : "maybe");
}

/** The claims of fields about the members of an answer that are wrong. */
export function* faultsOf(fields: Fields, json: Json, isGiven: boolean, above = ""): Iterable<string> {
  for (const [name, field] of Object.entries(fields)) {
    if (field.part && field.shown !== "maybe")
      yield `${above}${name} is read at its own endpoint, and may be unread: say shown: "maybe"`;
    if (field.local === true || field.part || field.shown === "never" || field.secret === true) continue;
    const member = memberAt(json, shownAt(name, field), "always");
    if (!member)
      yield `${above}${name} is in no answer: say shown: "never" or local, or let the noun show it (a counter by projectCounter)`;
    else if (!allowed(field, isGiven).includes(member.shown))
      yield (
        `${above}${name} is shown ${member.shown}: say optional if it may be null, shown: "maybe" if it may be absent, and "always" if a ` +
        `program may leave it out and each answer has it`
      );
    if (member) yield* faultsOfType(field.type, member.json, isGiven, `${above}${name}`);
  }
}

/** As the API may show such a field. A list that a program leaves out is null, or empty. */
function allowed({ shown, omitsDefault, presence, type }: Field, isGiven: boolean): readonly Shown[] {
  if (shown === "maybe") return ["maybe", "nullable"];
  if (omitsDefault === true) return ["always", "maybe", "nullable"]; // an API may not know the field yet
  if (shown === "always" || presence !== "optional") return ["always"];
  return type.kind === "list" && isGiven ? ["nullable", "always"] : ["nullable"];
}

/** The JSON of each type that is not a string, and not one of several values. */
const jsonTypes: Readonly<Partial<Record<ValueType["kind"], string>>> = {
  ...{ boolean: "boolean", integer: "integer", number: "number", list: "array", object: "object" },
};

function* faultsOfType(type: ValueType, json: Json, isGiven: boolean, at: string): Iterable<string> {
  if (type.kind === "list" && json.items) yield* faultsOfType(type.item, json.items, isGiven, `${at}[0]`);
  if (type.kind === "object") yield* faultsOf(type.members, json, isGiven, `${at}.`);
  const expected = jsonTypes[type.kind] ?? "string";
  if (type.kind !== "oneOf" && json.type !== undefined && ![json.type].flat().includes(expected))
    yield `${at} is of the type ${String(json.type)} in answers, and here ${expected}`;
  const own = type.kind === "oneOf" ? [...type.values].sort().join(", ") : "anything";
  const shown = json.enum ? [...json.enum].sort().join(", ") : "anything";
  if (own !== shown) yield `${at} is ${shown} in answers, and here ${own}`;
}
