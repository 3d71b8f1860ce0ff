import { collectionAt, isQuotedIn } from "../kind/collection-at";
import { toWire, toWireUpdate } from "../../definition/wire";
import type { CostQuoteUpdate } from "../../api/cost-quotes";
import { containsUnknown } from "../../engine/values";
import { type Finding, type Props, type ResourceKind, operationName } from "../kind/kind";
import { isRepriced, proposedCost, type ProposedCost } from "../pricing/proposed-cost";
import { quoteOfCreation, type PricingRun, type Proposal, type AdvisoryRun } from "../pricing/quote-of-creation";
import type { Reply } from "../../api/advisory-requests";
import type { ProposedUpdate } from "../objects/resource-call";
import { existenceFindings, noteAccepted } from "./existence";
import { availabilityOfParts } from "./part-availability";
import type { CatalogReader } from "./catalog-reader";
import type { QuotaSums, QuotaVerdict } from "./quota-sums";
import { replyFindings } from "./refusal-findings";

export interface PreflightRun extends PricingRun, AdvisoryRun {
  readonly catalogs: CatalogReader;
  readonly quotaSums: QuotaSums;
}

interface UpdateVerdict {
  readonly findings: readonly Finding[];
  /** The costs before and after, if the API quotes the update. */
  readonly quote?: CostQuoteUpdate | undefined;
}

/** The API's answers about a creation: its price and, in a preview, whether the API would accept it. */
export interface CreationAnswers {
  readonly proposed: ProposedCost;
  readonly availability: Availability;
  readonly verdict: CreationVerdict | undefined;
}

/** The reply of the availability endpoint. Undefined if it was not asked. */
type Availability = Reply<unknown> | undefined;

/**
 * Asks the API for the price of a creation. If `isToBeJudged` (in a preview), also asks whether the API would accept
 * it.
 */
export async function askAboutCreation(
  proposal: Proposal<PreflightRun>,
  isToBeJudged: boolean,
): Promise<CreationAnswers> {
  const isJudged = isToBeJudged && proposal.run.settings.preflight !== "off";
  const [proposed, availability] = await Promise.all([
    proposedCost(proposal, undefined),
    isJudged ? availabilityOfCreation(proposal) : undefined,
  ]);
  const verdict = isJudged ? await verdictOnCreation(proposal, proposed, availability) : undefined;
  return { proposed, availability, verdict };
}

/** Compares a creation with the quotas. `replaced`: the inputs of the object that it replaces. */
export async function roomForCreation(
  { kind, run, urn, inputs }: Proposal<PreflightRun>,
  replaced: Props | undefined,
): Promise<QuotaVerdict | undefined> {
  if (run.settings.preflight === "off") return undefined;
  return run.quotaSums.verdict(kind, urn, { before: replaced, after: inputs });
}

/** Not asked for a body with unknown values, because the API would judge placeholders. */
async function availabilityOfCreation({ kind, run, urn, inputs }: Proposal<PreflightRun>): Promise<Availability> {
  if (!kind.hasAvailability || !isComplete(kind, inputs)) return undefined;
  const body = toWire(kind, inputs, run.api.now());
  return run.advisory.ask("availability", (options) =>
    collectionAt(run.api, kind, inputs).checkCreate(body, { ...options, purpose: operationName("check", kind, urn) }),
  );
}

/**
 * The findings about a creation, from the answers that were asked for. It notes what the API has accepted, and so reads
 * fewer lists.
 */
export async function creationFindings(
  proposal: Proposal<PreflightRun>,
  { availability, verdict }: CreationAnswers,
  quotas: QuotaVerdict | undefined,
): Promise<readonly Finding[]> {
  if (verdict === undefined) return [];
  noteAccepted(proposal, verdict.accepts);
  const absent = verdict.isRefused ? [] : await existenceFindings(proposal, () => true);
  return [...withQuotas(verdict.findings, [availability], quotas), ...absent];
}

/**
 * Reports a lack of room only once: from the sums if the object can never fit, otherwise from the API. If the API
 * refuses the body for good, the sums are not reported.
 */
function withQuotas(
  others: readonly Finding[],
  replies: readonly (Reply<unknown> | undefined)[],
  { findings, isFinal }: QuotaVerdict = { findings: [], isFinal: false },
): readonly Finding[] {
  const refusals = replies.filter((reply) => reply?.status === "refused");
  if (refusals.some((refusal) => refusal.isFinal)) return others;
  if (refusals.length === 0 || findings.length === 0) return [...others, ...findings];
  return isFinal ? findings : others;
}

/** The API's opinion on a creation, and the fields that it has accepted. */
interface CreationVerdict {
  readonly findings: readonly Finding[];
  readonly isRefused: boolean;
  readonly accepts: (field: string) => boolean;
}

const acceptsAll = (): boolean => true;
const acceptsNone = (): boolean => false;

/**
 * Asks for the API's opinion on a creation. The availability endpoint judges the whole body. If the kind has none, the
 * cost endpoint does. The body is sent even if its price is known from another resource, because each body may be
 * refused.
 */
async function verdictOnCreation(
  proposal: Proposal<PreflightRun>,
  { pair, reply: own }: ProposedCost,
  availability: Availability,
): Promise<CreationVerdict> {
  const { kind, run, inputs } = proposal;
  const findings = availability ? await replyFindings(proposal, availability) : [];
  if (availability?.status === "refused") return { findings, isRefused: true, accepts: acceptsNone };
  if (availability?.status === "answered") return { findings, isRefused: false, accepts: acceptsAll };
  if (own?.status === "refused")
    return { findings: [...findings, ...(await replyFindings(proposal, own))], isRefused: true, accepts: acceptsNone };
  const isShown = own?.status === "answered";
  // A quote for another body shows nothing about fields that do not affect the price.
  const isPriced = (field: string): boolean => {
    const priced = kind.pricedFields[field];
    return pair.after.cost !== undefined && priced !== undefined && (isShown || priced.names !== "project");
  };
  if (pair.after.cost === undefined || !isComplete(kind, inputs) || findings.length > 0)
    return { findings, isRefused: false, accepts: isPriced };
  if (isShown) return { findings, isRefused: false, accepts: acceptsAll };
  const reply = await run.advisory.ask("quotes", (options) => quoteOfCreation(proposal, options));
  const isAccepted = reply.status === "answered";
  return {
    findings: await replyFindings(proposal, reply),
    isRefused: reply.status === "refused",
    accepts: isAccepted ? acceptsAll : isPriced,
  };
}

/** Asks the API about a change in place. `toFind`: the fields whose values may be looked for in its lists. */
async function askAboutUpdate(update: ProposedUpdate<PreflightRun>, isPriced: boolean) {
  const { kind, run, id, urn, changed, olds, news } = update;
  const { costQuotes, preflight } = run.settings;
  const isEnabled = preflight !== "off";
  const unknown = changed.filter((field) => containsUnknown(news[field]));
  const known = changed.filter((field) => !unknown.includes(field));
  const inputs: Props = { ...news, ...Object.fromEntries(unknown.map((field) => [field, olds[field]])) };
  const body = toWireUpdate(kind, inputs, known, run.api.now());
  const isSent = Object.keys(body).length > 0; // false if the change uses other endpoints only
  const isChecked = isSent && isEnabled && kind.hasAvailability === true;
  // If the price does not change, a quote would only repeat the answer of the availability endpoint.
  const isOffered = costQuotes && isQuotedIn(kind, run.settings.dialect);
  const isQuoted = isSent && isOffered && (!isPriced || (isChecked ? isRepriced(kind, run, olds, inputs) : isEnabled));
  const collection = collectionAt(run.api, kind, inputs, id);
  const [quotas, partReplies, availability, quote] = await Promise.all([
    isEnabled ? run.quotaSums.verdict(kind, urn, { before: olds, after: news }) : undefined,
    isEnabled ? availabilityOfParts({ ...update, changed: known }) : [],
    isChecked
      ? run.advisory.ask("availability", (options) =>
          collection.checkUpdate(id, body, { ...options, purpose: operationName("check", kind, urn) }),
        )
      : undefined,
    isQuoted
      ? run.quoter.ask((options) =>
          collection.quoteUpdate(id, body, { ...options, purpose: operationName("quote", kind, urn) }),
        )
      : undefined,
  ]);
  const toFind = isEnabled ? known : [];
  return { proposal: { kind, run, urn, inputs }, toFind, quotas, partReplies, availability, quote };
}

/**
 * The API's opinion on a change in place. `isPriced`: the price is already known, so that a quote is only needed for a
 * refusal.
 */
export async function verdictOnUpdate(update: ProposedUpdate<PreflightRun>, isPriced = true): Promise<UpdateVerdict> {
  const { id } = update;
  const { proposal, toFind, quotas, partReplies, availability, quote } = await askAboutUpdate(update, isPriced);
  const replies = [...(availability ? [availability] : []), ...partReplies];
  const replied = (await Promise.all(replies.map((reply) => replyFindings(proposal, reply, id)))).flat();
  const findings = withQuotas(replied, replies, quotas);
  if (availability?.status === "refused") return { findings };
  if (quote?.status === "answered") return { findings, quote: quote.answer };
  const unquoted = quote ? await replyFindings(proposal, quote, id) : [];
  const absent =
    availability?.status === "answered" ? [] : await existenceFindings(proposal, (field) => toFind.includes(field));
  return { findings: [...findings, ...unquoted, ...absent] };
}

function isComplete(kind: ResourceKind, inputs: Props): boolean {
  return !Object.keys(kind.fieldsAtApi).some((field) => containsUnknown(inputs[field]));
}
