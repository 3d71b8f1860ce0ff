import type { Cost, Quote } from "../cost/cost";
import { createLine, replaceLine } from "../cost/quote-line";
import { changedFields, type ChangePolicies } from "./change-policy";
import { containsUnknown } from "./engine-values";
import type { Props, ResourceKind } from "./kind";
import { costOf } from "./outputs";
import type { Run } from "./run";
import { whatOf } from "./what";

/** A cost where it is known, and the row's words for it where there is something to say. */
export interface ProposedCost {
  readonly cost: Cost | undefined;
  readonly line: string | undefined;
}

/**
 * What the proposed resource would cost. New, replaced, or a field changed that the price can depend on: the service is
 * asked, with the whole proposed body. Else the last quote stands, and no call is made.
 */
export async function proposedCost(kind: ResourceKind, run: Run, urn: string, inputs: Props): Promise<ProposedCost> {
  const seen = run.memory.of(urn);
  const priced = pricedPolicies(kind);
  if (seen?.previous && changedFields(priced, seen.previous, inputs, run.api.serverNow()).length === 0)
    return { cost: costOf(seen.previous), line: undefined };
  if (!run.settings.costQuotes) return { cost: undefined, line: undefined };

  const quote = await quoteProposal(kind, run, urn, inputs);
  run.memory.note(urn, { quote });
  // An existing resource's line is diff's: only diff knows whether this is an update or a replacement.
  const isTold = seen?.dryRun === true && !seen.previous;
  const line = seen?.replaced ? replaceLine(costOf(seen.replaced), quote) : createLine(quote);
  return { cost: quote.status === "priced" ? quote.cost : undefined, line: isTold ? line : undefined };
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
