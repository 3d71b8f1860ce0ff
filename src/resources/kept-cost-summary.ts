import type { CostSide } from "../cost/cost";
import { decimal, decimalText } from "../cost/money";
import type { ResourceCost } from "../cost/resource-cost";
import { isRecord } from "../definition/compare-values";
import { withoutUndefined } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";
import { dynamicUrn } from "../engine/urn";
import { unpricedOf } from "../state/kept-state";

// A cost summary as the state keeps it, with the resources that it has counted.

/** Normalizes the amounts, because a state may have `312.5` instead of `312.50`. */
export function withNormalAmounts(props: Props): Props {
  const { resources } = props;
  return {
    ...withAmounts(props, ["before", "after", "delta"]),
    resources:
      resources instanceof Array
        ? resources.map((each: unknown) => (isRecord(each) ? withAmounts(each, ["monthlyTotal"]) : each))
        : resources,
  };
}

function withAmounts(props: Props, names: readonly string[]): Props {
  const amounts = names.flatMap((name): [string, unknown][] => {
    const text = props[name];
    return typeof text === "string" ? [[name, decimalText(decimal(text))]] : [];
  });
  return { ...props, ...Object.fromEntries(amounts) };
}

/** A resource as the state of its summary keeps it. */
export function countedCost({ urn, after, status, reason }: ResourceCost, retained: boolean): Record<string, unknown> {
  const kept = retained ? { retained } : {};
  if (after !== undefined) return { urn, monthlyTotal: decimalText(after), ...kept };
  return {
    urn,
    unpriced: status === "notOffered" ? { status } : withoutUndefined({ status: "unknown", reason }),
    ...kept,
  };
}

/** A resource that the last run counted, with its cost. */
export interface EarlierCost extends CostSide {
  readonly urn: string;
  readonly isRetained: boolean;
}

/**
 * The resources that the last run counted, by the URN of the dynamic provider (`dynamicUrn`), because a stack may move
 * to the other front.
 */
export function countedBefore(previous: Props | undefined): ReadonlyMap<string, EarlierCost> {
  const entries = previous?.["resources"];
  if (!(entries instanceof Array)) return new Map();
  return new Map(
    entries.filter(isRecord).map(({ urn, monthlyTotal, unpriced, retained }): [string, EarlierCost] => {
      const cost =
        typeof monthlyTotal === "string"
          ? ({ currency: "USD", monthlyTotal, usageDimensions: [] } as const)
          : undefined;
      const known = { cost, unpriced: cost ? undefined : unpricedOf(unpriced), isRetained: retained === true };
      return [dynamicUrn(String(urn)), { urn: String(urn), ...known }];
    }),
  );
}
