import { isRecord } from "../definition/compare-values";
import type { PropertyPath } from "../engine/program-facts";
import { containsSecret, isSecret } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";

/** The key among the outputs. Both fronts write it, because the dynamic one needs it after a move. */
const SECRET_PATHS = "__secretPaths";

/** The paths of secrets that the outputs in a state name. */
export function keptPaths({ [SECRET_PATHS]: kept }: Props): readonly PropertyPath[] {
  return Array.isArray(kept) ? kept.filter(Array.isArray) : [];
}

/** The outputs with the paths of secrets. */
export function withPaths(props: Props, paths: readonly PropertyPath[]): Props {
  const different = [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
  return different.length > 0 ? { ...props, [SECRET_PATHS]: different } : props;
}

/** The paths of the values that are marked as secret. A list with a secret counts as secret. */
export function markedPaths(props: Props): readonly PropertyPath[] {
  return Object.entries(props).flatMap(([key, value]) => {
    if (isRecord(value) && !isSecret(value)) return markedPaths(value).map((path) => [key, ...path]);
    return containsSecret(value) ? [[key]] : [];
  });
}
