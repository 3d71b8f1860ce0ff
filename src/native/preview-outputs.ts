import { withInputsInside } from "../definition/wire";
import type { Field } from "../definition/types";
import { isDeepStrictEqual } from "node:util";
import { asSecret, UNKNOWN } from "../engine/values";
import { type Props, type ResourceKind, secretNames } from "../lifecycle/kind/kind";
import type { LocalKind } from "../lifecycle/local/local-kind";

/** The outputs of an object that does not exist yet: those that only the API knows are unknown. */
export function unknownOutputs(kind: ResourceKind | LocalKind): Props {
  return outputsFrom(kind, () => UNKNOWN);
}

/** The outputs after a change in place: those that only the API knows stay the same, unless they depend on a changed field. */
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

function outputsFrom(kind: ResourceKind | LocalKind, valueOf: (name: string) => unknown): Props {
  if (!("path" in kind)) return {}; // check computes the outputs of a local kind
  const secrets = secretNames(kind);
  const names = new Set([...kind.computed, ...secrets, ...kind.subResources.map(({ name }) => name)]);
  const values = [...names].map((name) => [name, valueOf(name)] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(values.map(([name, value]) => [name, secrets.includes(name) ? asSecret(value) : value]));
}
