import { isRecord } from "../definition/compare-values";
import { withoutUndefined } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";

/**
 * The inputs with the values of the state at the paths of `ignoreChanges`. The engine resets these paths before check
 * only, and then cannot reset a member of an object that check adds.
 */
export function withIgnored(paths: readonly string[], inputs: Props, state: Props): Props {
  return paths.reduce<Props>((news, path) => resetAt(news, state, keysOf(path)) as Props, inputs);
}

/** The keys of a path as the engine reads it: `a.b`, `a[0]`, `a["b"]`, `*`. */
function keysOf(path: string): readonly string[] {
  const keys = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|[^.[\]]+/g);
  return [...keys].map(([key, quoted]) => quoted?.replaceAll(/\\(.)/g, "$1") ?? key);
}

/** As the engine, it makes no objects on the way to a value, and changes the length of no list. */
function resetAt(news: unknown, olds: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return olds;
  const isAt = (name: string): boolean => key === "*" || key === name;
  if (Array.isArray(news) && Array.isArray(olds))
    return news.map((each: unknown, nth) =>
      nth < olds.length && isAt(String(nth)) ? resetAt(each, olds[nth], rest) : each,
    );
  if (!isRecord(news) || !isRecord(olds)) return news;
  // The state has outputs too. All of them would become inputs with `*`.
  const names = key === "*" ? Object.keys(news) : [key];
  const values = names.map((name) => [name, resetAt(news[name], olds[name], rest)] as const);
  return withoutUndefined({ ...news, ...Object.fromEntries(values) });
}
