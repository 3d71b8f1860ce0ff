import { reasonOf, type Reply } from "../../api/advisory-requests";
import { COST_OF_NOTHING, type Cost, type CostPair, type CostSide, type Quote } from "../../cost/cost";
import { costLine, type LineSubject } from "../../cost/cost-line";
import { decimal } from "../../cost/money";
import { settingName } from "../../engine/settings-list";
import { withoutUndefined } from "../../engine/values";
import { isQuotedIn } from "../kind/collection-at";
import { changedFields, keepSpelling } from "../kind/changed-fields";
import type { Props, ResourceKind } from "../kind/kind";
import type { ResourceState } from "../resource-request";
import { lastCost } from "./cost-in-state";
import { quoteOf, type PricingRun, type Proposal } from "./quote-of-creation";
import { oneLine, type RowLog } from "../../engine/row-log";
import type { RunMemory } from "../memory/run-memory";
import type { Settings } from "../../settings/config";

/** A resource's costs before and after. */
export interface ProposedCost {
  readonly pair: CostPair;
  /** The API's reply about the resource itself. See `quoteOf`. */
  readonly reply?: Reply<unknown> | undefined;
}

/**
 * The cost of a resource before and after this run. It asks for a quote if the resource is new, changes, or has an
 * unknown cost. Otherwise the last quote counts. `adopted` is the object to adopt, as the API shows it.
 */
export async function proposedCost(given: Proposal, adopted: Props | undefined): Promise<ProposedCost> {
  const known = knownCosts(given, adopted);
  const pair = pairWithoutQuote(known);
  if (pair) return { pair };
  const { quote, reply } = await quoteOf(known.proposal);
  const after = costFromQuote(known, quote);
  return { pair: { ...(await costNow(known, after)), after }, reply };
}

type KnownCosts = ReturnType<typeof knownCosts>;

/** What is known before a quote is asked for. */
function knownCosts(given: Proposal, adopted: Props | undefined) {
  const { kind, run, urn } = given;
  const { previous, replaced, isMissing, isPreview } = run.memory.of(urn) ?? {};
  const existing = previous ?? replaced;
  const last = existing && !adopted ? lastCost(existing) : undefined; // an object to adopt has no last quote
  const now = run.api.now();
  // Fields that the program leaves out keep the object's values.
  const inputs = adopted ? keepSpelling(kind.pricedFields, adopted, given.inputs, now) : given.inputs;
  return {
    proposal: { ...given, inputs },
    /** The existing object. Undefined if there is none. */
    object: adopted ?? existing?.props,
    last,
    /** The last cost, if nothing changes that affects the price. */
    lasting: previous && last?.cost && !isRepriced(kind, run, previous.props, inputs) ? last : undefined,
    isUnchanged: previous !== undefined && changedFields(kind.fieldsAtApi, previous.props, inputs, now).length === 0,
    isMissing: isMissing === true && !adopted,
    isRequoted: run.requotes && isPreview === true,
  };
}

/** The costs if no quote is needed, or if quotes are switched off. Otherwise undefined. */
function pairWithoutQuote(known: KnownCosts): CostPair | undefined {
  const { last, lasting, object, isMissing } = known;
  const { kind, run } = known.proposal;
  const { costQuotes } = run.settings;
  const isKnown = last !== undefined && isCostKnown(kind, run, last) && !known.isRequoted;
  if (known.isUnchanged && (isKnown || !costQuotes)) return { before: last, after: last ?? NONE };
  if (costQuotes) return undefined;
  const before = isMissing ? COST_OF_NOTHING : (last ?? (object && switchedOff(run)));
  return { before, after: lasting ?? switchedOff(run) };
}

/**
 * The cost of the proposal: the quote, or the last cost if the API gives no price. With `--requote`, a missing answer
 * makes the cost unknown.
 */
function costFromQuote({ lasting, isRequoted }: KnownCosts, quote: Quote): CostSide {
  const isLast = lasting && quote.status !== "priced" && !(isRequoted && isUnanswered(quote));
  return isLast ? lasting : sideOf(quote);
}

/**
 * True if no new quote is needed: the cost is known, or the kind has no quotes at all. If only the API did not offer
 * one, it may offer one now.
 */
function isCostKnown(kind: ResourceKind, { settings }: PricingRun, { cost, unpriced }: CostSide): boolean {
  return cost !== undefined || (unpriced?.status === "notOffered" && !isQuotedIn(kind, settings.dialect));
}

export function isRepriced(kind: ResourceKind, run: PricingRun, before: Props, after: Props): boolean {
  return changedFields(kind.pricedFields, before, after, run.api.now()).length > 0;
}

async function quotedCost(proposal: Proposal): Promise<CostSide> {
  return proposal.run.settings.costQuotes ? sideOf((await quoteOf(proposal)).quote) : switchedOff(proposal.run);
}

/**
 * The cost for the outputs. It asks for a quote if the cost is unknown, or if a field has changed that affects the
 * price. A reference (`get`) has no cost.
 */
export async function costAfter(
  kind: ResourceKind,
  run: PricingRun,
  before: ResourceState,
  after: Props,
): Promise<CostSide> {
  const last = lastCost(before);
  const isReference = last.cost === undefined && last.unpriced === undefined;
  const isStale =
    !isReference &&
    (isCostKnown(kind, run, last) ? isRepriced(kind, run, before.props, after) : run.settings.costQuotes);
  if (!isStale || !isQuotedIn(kind, run.settings.dialect)) return last;
  return quotedCost({ kind, run, urn: before.urn, inputs: after });
}

/**
 * A state with the cost of its own values. `before`: a state whose cost is known. Never rejects, because the state must
 * be kept even if the API no longer accepts the key: the cost is then unknown.
 */
export async function withOwnCost(
  { kind, run }: { readonly kind: ResourceKind; readonly run: PricingRun },
  before: ResourceState,
  state: ResourceState,
): Promise<ResourceState> {
  const { cost, unpriced } = await costAfter(kind, run, before, state.props).catch((error: unknown): CostSide => ({
    cost: undefined,
    unpriced: { status: "unknown", reason: reasonOf(error) },
  }));
  return { ...state, props: withoutUndefined({ ...state.props, cost }), memory: { ...state.memory, unpriced } };
}

const NONE: CostSide = { cost: undefined };

function switchedOff({ settings: { provider } }: PricingRun): CostSide {
  const reason = `quotes are switched off (${settingName("costQuotes", provider)})`;
  return { cost: undefined, unpriced: { status: "unknown", reason } };
}

/**
 * The cost of the present object at today's prices: the last quote, unless the new quote has other unit prices. If the
 * API has never offered a quote, there is no cost. Otherwise it asks for a quote of the new inputs with the present
 * values of the priced fields.
 */
async function costNow(
  { proposal, object, last, isMissing }: KnownCosts,
  after: CostSide,
): Promise<Pick<CostPair, "before" | "lastQuoted">> {
  if (!object) return { before: undefined };
  if (isMissing) return { before: COST_OF_NOTHING };
  const isTrue = last?.cost
    ? after.cost === undefined || hasSamePrices(last.cost, after.cost)
    : last?.unpriced?.status === "notOffered" && after.cost === undefined;
  if (isTrue) return { before: last };
  const { kind, run, inputs } = proposal;
  const changed = changedFields(kind.pricedFields, object, inputs, run.api.now());
  const present = { ...inputs, ...Object.fromEntries(changed.map((field) => [field, object[field]])) };
  return costBefore(last, await quotedCost({ ...proposal, inputs: present }));
}

function costBefore(last: CostSide | undefined, now: CostSide): Pick<CostPair, "before" | "lastQuoted"> {
  if (!last?.cost) return { before: now };
  // The API may refuse a quote for what it no longer offers. Without an answer, nobody knows today's price.
  if (!now.cost) return { before: isUnanswered(now.unpriced) ? now : last };
  const hasMoved = !decimal(now.cost.monthlyTotal).equals(last.cost.monthlyTotal);
  return { before: hasMoved ? now : last, lastQuoted: hasMoved ? last.cost : undefined };
}

/** True if the fresh quote has each dimension of the last one, at the same unit price. */
function hasSamePrices({ usageDimensions: last }: Cost, fresh: Cost): boolean {
  const prices = new Map(fresh.usageDimensions.map(({ dimension, unitPrice }) => [dimension, unitPrice]));
  const isSame = (dimension: string, unitPrice: string): boolean => {
    return decimal(unitPrice).equals(prices.get(dimension) ?? "NaN");
  };
  return last.length > 0 && last.every(({ dimension, unitPrice }) => isSame(dimension, unitPrice));
}

function isUnanswered(quote: Quote | undefined): boolean {
  return quote?.status === "unknown" && quote.isRefused !== true;
}

function sideOf(quote: Quote): CostSide {
  if (quote.status === "priced") return { cost: quote.cost };
  return { cost: undefined, unpriced: quote };
}

interface CostRowRun {
  readonly settings: Settings;
  readonly rows: RowLog;
  readonly memory: RunMemory;
}

/**
 * Writes a resource's row in one line: the texts in `before`, then the cost line (`costLine`). A failed quote is a
 * warning with advice. `pair`: undefined in an update, whose row shows no cost. If a cost summary has the resource in
 * its table, a row that has only the cost disappears when the run ends.
 */
export async function reportCost(
  run: CostRowRun,
  urn: string,
  pair: CostPair | undefined,
  subject: LineSubject,
  before: readonly (string | false | undefined)[] = [],
): Promise<void> {
  const unpriced = pair?.after.unpriced;
  const trouble = unpriced?.status === "unknown" ? unpriced.trouble : undefined;
  const cost = trouble === undefined ? pair && costLine(pair, subject) : `cost unknown: ${oneLine(trouble)}`;
  const others = before.filter((part) => part !== undefined && part !== false);
  const parts = [...others, ...(run.settings.costQuotes && cost !== undefined ? [cost] : [])];
  if (parts.length === 0) return;
  if (trouble !== undefined) return run.rows.line(urn, "warning", parts.join("; "));
  if (others.length > 0 || !isInTable(run, urn)) return run.rows.line(urn, "info", parts.join("; "));
  await run.rows.line(urn, "passing", parts.join("; "));
}

/** True if a cost summary of the program has the resource in its table. */
export function isInTable({ memory }: Pick<CostRowRun, "memory">, urn: string): boolean {
  return memory.of(urn)?.isSummarized === true;
}
