import { fromWire } from "../../definition/wire";
import { withoutUndefined } from "../../engine/values";
import type { Props, ResourceKind } from "./kind";

/**
 * The outputs of a resource. Inputs keep the program's spelling if the API's answer means the same; otherwise they are as the
 * API shows them. The other outputs come from the API. `known` is the inputs on create and update, and the old outputs on
 * read. The API shows secrets once, so they come from `known`.
 */
export function outputsOf(kind: ResourceKind, known: Props, wire: Props, now: number): Record<string, unknown> {
  const shown = fromWire(kind, wire);
  const outputs: Record<string, unknown> = { cost: known["cost"] };
  for (const [field, policy] of Object.entries(kind.policies)) {
    if (policy.isNamedOnly && known[field] === undefined) continue;
    const same = shown[field] === undefined || policy.same(known[field], shown[field], now);
    outputs[field] = (same ? (known[field] ?? shown[field]) : shown[field]) ?? undefined; // null: the API shows that there is none
  }
  for (const field of kind.computed) outputs[field] = shown[field];
  for (const field of kind.secretOutputs) outputs[field] = shown[field] ?? known[field];
  for (const { name, member } of kind.subResources) outputs[name] = wire[member] ?? known[name];
  return withoutUndefined(outputs);
}

/** The outputs that a front keeps secret. */
export function secretNames({ secretOutputs, subResources }: ResourceKind): readonly string[] {
  return [...secretOutputs, ...subResources.filter(({ isSecret }) => isSecret).map(({ name }) => name)];
}
