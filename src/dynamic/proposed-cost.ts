import type { Quote } from "../cost/cost";
import type { CostSide } from "../cost/resource-cost";
import { adoptLine, createLine, replaceLine } from "../cost/quote-line";
import { changedFields, type ChangePolicies } from "./change-policy";
import { containsUnknown } from "./engine-values";
import { hiddenOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { costOf } from "./outputs";
import type { Run } from "./run";
import { whatOf } from "./what";

/** A cost, or why there is none, and the row's words for it where there is something to say. */
export interface ProposedCost extends CostSide {
  readonly line: string | undefined;
}

/**
 * What the proposed resource would cost. New, replaced, or a field changed that the price can depend on: the service is
 * asked, with the whole proposed body. Else the last quote stands, and no call is made.
 */
export async function proposedCost(kind: ResourceKind, run: Run, urn: string, inputs: Props): Promise<ProposedCost> {
  const seen = run.memory.of(urn);
  const priced = pricedPolicies(kind);
  const isSame = seen?.previous && changedFields(priced, seen.previous, inputs, run.api.serverNow()).length === 0;
  if (isSame && !(run.requotes && seen.dryRun)) return { ...lastCost(seen.previous), line: undefined };
  if (!run.settings.costQuotes) return { cost: undefined, unpriced: SWITCHED_OFF, line: undefined };

  const quote = await quoteProposal(kind, run, urn, inputs);
  run.memory.note(urn, { quote });
  // An existing resource's line is diff's: only diff knows whether this is an update or a replacement.
  const isTold = seen?.dryRun === true && !seen.previous;
  const line = seen?.replaced
    ? replaceLine(costOf(seen.replaced), quote)
    : seen?.adopts
      ? adoptLine(quote)
      : createLine(quote);
  return { ...costSide(quote), line: isTold ? line : undefined };
}

/** The last quote of a resource, from its inputs or outputs. */
export function lastCost(props: Props): CostSide {
  return { cost: costOf(props), unpriced: hiddenOf(props).unpriced };
}

const SWITCHED_OFF = { status: "unknown", reason: "quotes are switched off (cloudinfra:costQuotes)" } as const;

function costSide(quote: Quote): CostSide {
  if (quote.status === "priced") return { cost: quote.cost };
  if (quote.status === "notOffered") return { cost: undefined, unpriced: { status: "notOffered" } };
  return { cost: undefined, unpriced: { status: "unknown", reason: quote.reason } };
}

async function quoteProposal(kind: ResourceKind, run: Run, urn: string, inputs: Props): Promise<Quote> {
  const priced = pricedPolicies(kind);
  const unknown = Object.keys(priced).filter((field) => containsUnknown(inputs[field]));
  if (unknown.length > 0) {
    return {
      status: "unknown",
      reason: `${unknown.join(" and ")} ${unknown.length === 1 ? "is" : "are"} not known yet`,
    };
  }
  const key = JSON.stringify([kind.type, ...Object.keys(priced).map((field) => inputs[field] ?? null)]);
  const { body, exact } = withPlaceholders(kind, inputs, run.api.serverNow());
  return run.quoter.quote(key, exact, (call) =>
    kind
      .handler(run.api)
      .quoteCreate(body, kind.toWire(body, run.api.serverNow()), { ...call, what: whatOf("quote", kind, urn) }),
  );
}

/** The fields that make up the price key. */
export function pricedPolicies(kind: ResourceKind): ChangePolicies {
  return Object.fromEntries(Object.entries(kind.policies).filter(([, policy]) => policy.priced));
}

function withPlaceholders(
  kind: ResourceKind,
  inputs: Props,
  now: number,
): { readonly body: Props; readonly exact: boolean } {
  const body: Record<string, unknown> = { ...inputs };
  let exact = true;
  for (const [field, policy] of Object.entries(kind.policies)) {
    if (!containsUnknown(inputs[field])) continue;
    exact = false;
    body[field] = policy.placeholder(now);
  }
  return { body, exact };
}
