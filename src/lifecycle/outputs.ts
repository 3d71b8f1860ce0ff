import type { Cost, CostPair, CostSide } from "../cost/cost";
import { asSecret, isRecord, withoutUndefined } from "./engine-values";
import { hiddenPropsOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";

/**
 * The outputs of a resource: its inputs as its program spells them, wherever the API's answer means the same, and as the
 * API shows them elsewhere; then what the API alone knows. `known` is the inputs on create and update, the old outputs on
 * read. Secrets are shown by the API once, so they are carried over from what is known.
 */
export function outputsOf(kind: ResourceKind, known: Props, wire: Props, now: number): Record<string, unknown> {
  const shown = kind.fromWire(wire);
  const outputs: Record<string, unknown> = { ...hiddenPropsOf(known), __costBefore: undefined, cost: known["cost"] };
  for (const [field, policy] of Object.entries(kind.policies)) {
    if (policy.isNamedOnly && known[field] === undefined) continue;
    const same = shown[field] === undefined || policy.same(known[field], shown[field], now);
    outputs[field] = (same ? (known[field] ?? shown[field]) : shown[field]) ?? undefined; // null: the API shows that there is none
  }
  for (const field of kind.computed) outputs[field] = shown[field];
  for (const field of kind.secretOutputs) {
    const secret = shown[field] ?? known[field];
    outputs[field] = secret === undefined ? undefined : asSecret(secret);
  }
  for (const { name, member, isSecret } of kind.apart) {
    const value = wire[member] ?? known[name];
    outputs[name] = value === undefined || !isSecret ? value : asSecret(value);
  }
  return withoutUndefined(outputs);
}

/** The inputs that outputs stand for, so that the next comparison sees what changed behind Pulumi's back. */
export function inputsOf(kind: ResourceKind, outputs: Props): Record<string, unknown> {
  const inputs: Record<string, unknown> = { ...hiddenPropsOf(outputs), cost: withoutPricedAt(costOf(outputs)) };
  for (const field of Object.keys(kind.policies)) inputs[field] = outputs[field];
  return withoutUndefined(inputs);
}

/** The last known cost in inputs or outputs. */
export function costOf(props: Props | undefined): Cost | undefined {
  const cost = props?.["cost"];
  // Only check writes it, from a validated quote; one of a foreign shape has no total and counts as none.
  return isRecord(cost) && typeof cost["monthlyTotal"] === "string" ? (cost as unknown as Cost) : undefined;
}

/** A cost, or why there is none, as it stands in the state. */
export function costProps({ cost, unpriced }: CostSide): Record<string, unknown> {
  return {
    cost,
    __unpriced: unpriced?.status === "unknown" ? { status: "unknown", reason: unpriced.reason } : unpriced,
  };
}

/**
 * A pair as it stands in inputs: what comes after, and what is before where the state and what comes after do not say it. `last`
 * is the state's; of a resource that is not in the state, what was there is taken to cost what it will.
 */
export function pairProps({ before, after }: CostPair, last: CostSide | undefined): Record<string, unknown> {
  const isSaid = before?.cost?.monthlyTotal === (last ?? after).cost?.monthlyTotal;
  return { ...inputProps(after), __costBefore: before === undefined || isSaid ? undefined : inputProps(before) };
}

function inputProps(side: CostSide): Record<string, unknown> {
  return withoutUndefined({ ...costProps(side), cost: withoutPricedAt(side.cost) });
}

/** A cost as it stands in inputs: a time of day there would differ between preview and update, and break update plans. */
export function withoutPricedAt(cost: Cost | undefined): Record<string, unknown> | undefined {
  if (cost === undefined) return undefined;
  const { currency, monthlyTotal, usageDimensions } = cost;
  return { currency, monthlyTotal, usageDimensions };
}

/** The cost as it stands in outputs, with the time of the quote it comes from. */
export function withPricedAt(cost: unknown, pricedAt: string | undefined): unknown {
  return isRecord(cost) ? withoutUndefined({ ...cost, pricedAt }) : undefined;
}
