import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../definition/compare-values";
import type { Props, ResourceKind } from "../lifecycle/kind/kind";
import type { LocalKind } from "../lifecycle/local/local-kind";
import type { DiffAnswer } from "../lifecycle/resource-request";

type Path = readonly (string | number)[];

/** A value that differs, in the form that the engine shows and that `replaceOnChanges` matches. */
export interface Difference {
  readonly path: Path;
  readonly kind: "ADD" | "UPDATE" | "DELETE";
  readonly replaces: boolean;
  /** True if the inputs differ. False if only the object differs. */
  readonly isInput: boolean;
}

/** The inputs of the last run and of this one, and the outputs, without hidden inputs. */
interface Comparison {
  readonly inputs: Props;
  readonly outputs: Props;
  readonly news: Props;
}

export function differencesOf(
  kind: ResourceKind | LocalKind,
  { inputs, outputs, news }: Comparison,
  { changed = [], replaces = [] }: DiffAnswer,
): readonly Difference[] {
  const members = (field: string): readonly string[] =>
    "path" in kind ? (kind.policies[field]?.replacingMembers ?? []) : [];
  const isReplacing = ([field, member]: Path): boolean =>
    replaces.includes(String(field)) &&
    (members(String(field)).length === 0 || member === undefined || members(String(field)).includes(String(member)));
  const of = (before: Props, after: Props, isInput: boolean): readonly Difference[] =>
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
    ...rest.map((field): Difference => ({ path: [field], kind: "UPDATE", replaces: true, isInput: false })),
  ];
}

/** The differences between inputs whose changes replace nothing. */
export function differencesIn(before: Props, after: Props): readonly Difference[] {
  return [...differencesAt(before, after, [])].map((each) => ({ ...each, replaces: false, isInput: true }));
}

/** A path as the engine reads it: `nodeConfig.labels[0]`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}

function* differencesAt(before: unknown, after: unknown, path: Path): Iterable<Pick<Difference, "path" | "kind">> {
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const key of keys) yield* differencesAt(before[key], after[key], [...path, key]);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    for (let nth = 0; nth < length; nth += 1) yield* differencesAt(before[nth], after[nth], [...path, nth]);
  } else if (!isDeepStrictEqual(before ?? undefined, after ?? undefined)) {
    yield { path, kind: isAbsent(before) ? "ADD" : isAbsent(after) ? "DELETE" : "UPDATE" };
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function pick(props: Props, fields: readonly string[]): Props {
  return Object.fromEntries(fields.map((field) => [field, props[field]]));
}
