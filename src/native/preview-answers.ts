import { isRecord, sameValue } from "../definition/compare-values";
import { replacingMembers } from "../lifecycle/kind/changed-fields";
import { type Props, type ResourceKind, secretNames } from "../lifecycle/kind/kind";
import type { LocalKind } from "../lifecycle/local/local-kind";
import type { DiffAnswer } from "../lifecycle/resource-request";
import { withInputsInside } from "../definition/wire";
import type { Field } from "../definition/types";
import { isDeepStrictEqual } from "node:util";
import { asSecret, UNKNOWN } from "../engine/values";

type ValuePath = readonly (string | number)[];

/** A value that differs, in the form that the engine shows and that `replaceOnChanges` matches. */
export interface PropertyDifference {
  readonly path: ValuePath;
  readonly kind: "ADD" | "UPDATE" | "DELETE";
  readonly replaces: boolean;
  /** True if the inputs differ. False if only the object differs. */
  readonly isInput: boolean;
}

/** The inputs of the last run and of this one, and the outputs, without hidden inputs. */
interface ComparedProps {
  readonly inputs: Props;
  readonly outputs: Props;
  readonly news: Props;
}

export function differencesOf(
  kind: ResourceKind | LocalKind,
  { inputs, outputs, news }: ComparedProps,
  { changed = [], replaces = [] }: DiffAnswer,
): readonly PropertyDifference[] {
  const isReplacing = ([name, member]: ValuePath): boolean => {
    const field = "path" in kind ? kind.fields[String(name)] : undefined;
    const members = field ? replacingMembers(field) : [];
    const isMember = members.length === 0 || member === undefined || members.includes(String(member));
    return isMember && replaces.includes(String(name));
  };
  const of = (before: Props, after: Props, isInput: boolean): readonly PropertyDifference[] =>
    [...differencesAt(before, after, [])].map((each) => ({ ...each, isInput, replaces: isReplacing(each.path) }));

  const byInputs = of(inputs, news, true);
  const isShown = (field: string): boolean => byInputs.some(({ path }) => path[0] === field);
  // Fields with equal inputs: something else has changed the object.
  const others = changed.filter((field) => !isShown(field));
  const byOutputs = of(pick(outputs, others), pick(news, others), false);
  // Reasons for a replacement that are no inputs, such as the status of the object.
  const rest = replaces.filter((field) => !isShown(field) && !others.includes(field));
  return [
    ...byInputs,
    ...byOutputs,
    ...rest.map((field): PropertyDifference => ({ path: [field], kind: "UPDATE", replaces: true, isInput: false })),
  ];
}

/** The differences between inputs whose changes replace nothing. */
export function differencesIn(before: Props, after: Props): readonly PropertyDifference[] {
  return [...differencesAt(before, after, [])].map((each) => ({ ...each, replaces: false, isInput: true }));
}

/** A path as the engine reads it: `nodeConfig.labels[0]`. */
export function pathText(path: ValuePath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}

function* differencesAt(
  before: unknown,
  after: unknown,
  path: ValuePath,
): Iterable<Pick<PropertyDifference, "path" | "kind">> {
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const key of keys) yield* differencesAt(before[key], after[key], [...path, key]);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    for (let nth = 0; nth < length; nth += 1) yield* differencesAt(before[nth], after[nth], [...path, nth]);
  } else if (!sameValue(before, after)) {
    yield { path, kind: isAbsent(before) ? "ADD" : isAbsent(after) ? "DELETE" : "UPDATE" };
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function pick(props: Props, fields: readonly string[]): Props {
  return Object.fromEntries(fields.map((field) => [field, props[field]]));
}

/**
 * The outputs after a change in place: those that only the API knows stay the same, unless they depend on a changed
 * field.
 */
export function keptOutputs(kind: ResourceKind | LocalKind, olds: Props, news: Props): Props {
  if (!("path" in kind)) return {};
  const changed = Object.keys(kind.fields).filter((field) => !isDeepStrictEqual(olds[field], news[field]));
  const moves = ({ changesWith = [] }: Field): boolean =>
    changesWith === "any" || changed.some((name) => changesWith.includes(name));
  return outputsFrom(kind, (name) => {
    const field = kind.outputs[name];
    return field && moves(field) ? UNKNOWN : withInputsInside(kind, name, olds[name], news);
  });
}

/** The outputs that only the API knows, with these values. */
export function outputsFrom(kind: ResourceKind | LocalKind, valueOf: (name: string) => unknown): Props {
  if (!("path" in kind)) return {}; // check computes the outputs of a local kind
  const secrets = secretNames(kind);
  const names = new Set([...kind.computed, ...secrets, ...kind.subResources.map(({ name }) => name)]);
  const values = [...names].map((name) => [name, valueOf(name)] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(values.map(([name, value]) => [name, secrets.includes(name) ? asSecret(value) : value]));
}
