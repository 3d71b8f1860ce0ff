import { settingName } from "../../settings/config-keys";
import type { CallOptions } from "../../api/client";
import type { CostQuote } from "../../api/cost-quotes";
import type { Refusal } from "../../api/advisory-requests";
import type { Cost, CostPair, CostSide, Quote, Unpriced } from "../../cost/cost";
import { decimal } from "../../cost/money";
import { changedFields, isUnseen, policiesAtApi, type ChangePolicies, type ChangePolicy } from "../kind/change-policy";
import { containsUnknown, isRecord } from "../../engine/values";
import type { Props, ResourceKind } from "../kind/kind";
import { lastCost } from "./cost-in-state";
import { inProgramsWords, refusedFields } from "../kind/objections";
import type { ResourceState } from "../request/resource-request";
import type { Run } from "../run/run";
import { operationName } from "../objects/resource-call";

/** A resource's pair of costs, and the service's objections to the proposal. */
export interface ProposedCost {
  readonly pair: CostPair;
  /** Only an objection that is not about a placeholder. */
  readonly refusal?: Refusal | undefined;
}

/**
 * The cost of a resource before and after this run. The service is asked if the resource is new, changes, or has an unknown
 * cost. Otherwise the last quote counts, and there is no call. `adopted` is the object to adopt, as the API shows it.
 */
export async function proposedCost(
  kind: ResourceKind,
  run: Run,
  urn: string,
  inputs: Props,
  adopted: Props | undefined,
): Promise<ProposedCost> {
  const seen = run.memory.of(urn);
  const existing = seen?.previous ?? seen?.replaced;
  const last = existing && !adopted ? lastCost(existing) : undefined; // of what is adopted, no quote is known
  const now = run.api.serverNow();
  const isUnchanged =
    seen?.previous && changedFields(policiesAtApi(kind.policies), seen.previous.props, inputs, now).length === 0;
  const isKnown = last !== undefined && isSettled(last) && !(run.requotes && seen?.isPreview === true);
  if (isUnchanged === true && (isKnown || !run.settings.costQuotes))
    return { pair: { before: last, after: last ?? NONE } };
  const stands = seen?.previous && last?.cost && !isRepriced(kind, run, seen.previous.props, inputs);
  if (!run.settings.costQuotes)
    return { pair: { before: last ?? (adopted && switchedOff(run)), after: stands ? last : switchedOff(run) } };

  const quote = await quoteOf(kind, run, urn, inputs);
  const after = stands && quote.status !== "priced" ? last : sideOf(quote);
  const refusal = quote.status === "unknown" ? quote.refusal : undefined;
  const there = adopted ?? existing?.props;
  if (!there) return { pair: { before: undefined, after }, refusal };
  return { pair: { ...(await costNow(kind, run, urn, { inputs, there, last, after })), after }, refusal };
}

/** Whether a cost needs no new quote: it is priced, or known to have no price. */
export function isSettled({ cost, unpriced }: CostSide): boolean {
  return cost !== undefined || unpriced?.status === "notOffered";
}

/** Whether a field differs that affects the price. */
export function isRepriced(kind: ResourceKind, run: Run, before: Props, after: Props): boolean {
  return changedFields(pricedPolicies(kind), before, after, run.api.serverNow()).length > 0;
}

/** The cost of the present object. */
export async function quotedCost(kind: ResourceKind, run: Run, urn: string, inputs: Props): Promise<CostSide> {
  return run.settings.costQuotes ? sideOf(await quoteOf(kind, run, urn, inputs)) : switchedOff(run);
}

/**
 * The cost in the outputs. The service is asked if it is unknown, or if a field has changed that affects the price. A
 * reference (`get`) has neither a cost nor a reason why there is none.
 */
export async function costAfter(kind: ResourceKind, run: Run, before: ResourceState, after: Props): Promise<CostSide> {
  const last = lastCost(before);
  const isReference = last.cost === undefined && last.unpriced === undefined;
  const isStale =
    !isReference && (isSettled(last) ? isRepriced(kind, run, before.props, after) : run.settings.costQuotes);
  if (!isStale || last.unpriced?.status === "notOffered") return last;
  return quotedCost(kind, run, before.urn, after);
}

/** The fields of the price key. */
export function pricedPolicies(kind: ResourceKind): ChangePolicies {
  return Object.fromEntries(Object.entries(kind.policies).filter(([, policy]) => policy.priced));
}

const NONE: CostSide = { cost: undefined };

function switchedOff({ settings: { provider } }: Run): CostSide {
  const reason = `quotes are switched off (${settingName("costQuotes", provider)})`;
  return { cost: undefined, unpriced: { status: "unknown", reason } };
}

interface Existing {
  readonly inputs: Props;
  /** The priced fields of the present object. */
  readonly there: Props;
  readonly last: CostSide | undefined;
  readonly after: CostSide;
}

/**
 * The cost of the present object at today's prices. The last quote has it, unless it is unknown or the new quote shows that
 * prices have moved. Then the service is asked for the new proposal with the priced fields of the present object.
 */
async function costNow(
  kind: ResourceKind,
  run: Run,
  urn: string,
  { inputs, there, last, after }: Existing,
): Promise<Pick<CostPair, "before" | "lastQuoted">> {
  const isTrue = last?.cost
    ? after.cost === undefined || hasSamePrices(last.cost, after.cost)
    : last && isSettled(last);
  if (isTrue === true) return { before: last };
  const changed = changedFields(pricedPolicies(kind), there, inputs, run.api.serverNow());
  const present = { ...inputs, ...Object.fromEntries(changed.map((field) => [field, there[field]])) };
  const now = await quotedCost(kind, run, urn, present);
  if (!last?.cost) return { before: now };
  if (!now.cost) return { before: last };
  const hasMoved = !decimal(now.cost.monthlyTotal).equals(last.cost.monthlyTotal);
  return { before: hasMoved ? now : last, lastQuoted: hasMoved ? last.cost : undefined };
}

/** Whether two quotes use the same unit prices in the dimensions that they share. */
function hasSamePrices(last: Cost, fresh: Cost): boolean {
  const prices = new Map(fresh.usageDimensions.map(({ dimension, unitPrice }) => [dimension, unitPrice]));
  const common = last.usageDimensions.filter(({ dimension }) => prices.has(dimension));
  return (
    common.length > 0 &&
    common.every(({ dimension, unitPrice }) => decimal(unitPrice).equals(prices.get(dimension) ?? "NaN"))
  );
}

function sideOf(quote: Quote): CostSide {
  if (quote.status === "priced") return { cost: quote.cost };
  return { cost: undefined, unpriced: quote };
}

async function quoteOf(kind: ResourceKind, run: Run, urn: string, given: Props): Promise<Quote> {
  if (!kind.isQuoted(run.settings.dialect)) {
    const billedFor = kind.billedFor?.(given);
    return { status: "notOffered", ...(billedFor !== undefined && { billedFor }) };
  }
  const standIn = await run.standIns.inputsFor(kind, given);
  const inputs = { ...inConfiguredProject(kind, run, given), ...standIn };
  const priced = pricedPolicies(kind);
  const unknown = Object.keys(priced).filter((field) => containsUnknown(inputs[field]));
  if (unknown.length > 0) {
    return {
      status: "unknown",
      reason: `${unknown.join(" and ")} ${unknown.length === 1 ? "is" : "are"} not known yet`,
    };
  }
  const { priceKey, project } = keysOf(kind, inputs);
  const unknownFields = openFields(kind, given);
  const body = withPlaceholders(kind, inputs, run.api.serverNow());
  const quote = await run.quoter.quote(priceKey, project, (call) => {
    run.memory.noteShown(kind, urn, given);
    return quoteOfCreation(kind, run, urn, body, call);
  });
  if (quote.status === "priced") return quote;
  if (standIn && quote.status === "unknown" && quote.refusal) return NOT_KNOWN_YET;
  return isAboutPlaceholder(kind, run, quote, unknownFields) ? NOT_KNOWN_YET : inProgramsWords(kind, run, given, quote);
}

/** The values that a price can depend on. The project is not one of them, but not every key may ask in every project. */
function keysOf(kind: ResourceKind, inputs: Props): { readonly priceKey: string; readonly project: string } {
  const priced = Object.entries(pricedPolicies(kind));
  const valuesOf = (isMeant: (policy: ChangePolicy) => boolean): string =>
    JSON.stringify(priced.filter(([, policy]) => isMeant(policy)).map(([field]) => inputs[field] ?? null));
  const priceKey = `${kind.type} ${valuesOf(({ isProject }) => !isProject)}`;
  return { priceKey, project: valuesOf(({ isProject }) => isProject) };
}

/**
 * Prices are those of an organization, and a project that this run makes belongs to the organization of the configured one. So the
 * configured one stands for it in a quote.
 */
function inConfiguredProject(kind: ResourceKind, { settings }: Run, inputs: Props): Props {
  const configured = kind.defaults(settings);
  const isNew = (field: string): boolean => containsUnknown(inputs[field]) && configured[field] !== undefined;
  const fields = Object.keys(kind.policies).filter((field) => kind.policies[field]?.isProject === true && isNew(field));
  return { ...inputs, ...Object.fromEntries(fields.map((field) => [field, configured[field]])) };
}

/** Asks the API for the quote of a creation. */
export function quoteOfCreation(
  kind: ResourceKind,
  run: Run,
  urn: string,
  inputs: Props,
  call: CallOptions,
): Promise<CostQuote> {
  const body = kind.toWire(inputs, run.api.serverNow());
  return kind.collection(run.api, inputs).quoteCreate(body, { ...call, what: operationName("quote", kind, urn) });
}

/** A refusal of a placeholder says nothing about the proposal. */
function isAboutPlaceholder(kind: ResourceKind, run: Run, quote: Unpriced, unknownFields: readonly string[]): boolean {
  if (quote.status !== "unknown" || quote.refusal === undefined || unknownFields.length === 0) return false;
  if (quote.refusal.isAboutPath) return false;
  const refused = refusedFields(kind, run, quote.refusal);
  return refused.length === 0 || refused.some((field) => unknownFields.includes(field));
}

const NOT_KNOWN_YET: Quote = { status: "unknown", reason: "some of its values are not known yet" };

/** The fields whose values nobody knows, or nobody knows yet. */
function openFields({ policies }: ResourceKind, inputs: Props): string[] {
  return Object.keys(policies).filter(
    (field) => containsUnknown(inputs[field]) || isUnseen(policies[field], inputs[field]),
  );
}

/** In place of what is not known: of the whole value, or of some of its members. */
function placeholderFor({ policies }: ResourceKind, field: string, value: unknown, now: number): unknown {
  const policy = policies[field];
  if (!isRecord(value) || containsUnknown(value)) return policy?.placeholder(now);
  const members = Object.entries(policy?.unshownMembers ?? {}).map(([name, placeholder]) => [name, placeholder(now)]);
  return { ...(Object.fromEntries(members) as Props), ...value };
}

function withPlaceholders(kind: ResourceKind, inputs: Props, now: number): Props {
  const placeholders = openFields(kind, inputs).map((field): [string, unknown] => [
    field,
    placeholderFor(kind, field, inputs[field], now),
  ]);
  return { ...inputs, ...Object.fromEntries(placeholders) };
}
