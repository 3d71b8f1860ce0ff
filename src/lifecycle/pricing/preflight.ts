import type { CostQuoteUpdate } from "../../api/cost-quotes";
import { containsUnknown } from "../engine-values";
import { oneLine } from "./cost-row";
import type { Finding, Props, ResourceKind } from "../kind";
import { quoteOfCreation, type ProposedCost } from "./proposed-cost";
import { refusalWords } from "./refusal-words";
import type { Run } from "../run";
import { whatOf } from "../resource-call";

/** A change in place of an existing object. */
export interface ProposedUpdate {
  readonly id: string;
  readonly urn: string;
  readonly changed: readonly string[];
  readonly olds: Props;
  readonly news: Props;
}

/** The API's opinion of a change before it is made. */
export interface UpdateVerdict {
  readonly findings: readonly Finding[];
  /** Its own costs before and after, if it gives them. */
  readonly quote?: CostQuoteUpdate | undefined;
}

/** A refusal is a finding on its resource. `cloudinfra:preflight` sets its severity. */
export function refusalFindings({ settings: { preflight } }: Run, refusal: string | undefined): readonly Finding[] {
  if (refusal === undefined || preflight === "off") return [];
  const [severity, advice] =
    preflight === "warn"
      ? (["warning", "The update would fail too."] as const)
      : (["failure", "Correct it. Or set cloudinfra:preflight to warn, to let the preview pass."] as const);
  return [{ severity, field: "", reason: `the API refuses it: ${refusal}. ${advice}` }];
}

/**
 * The API's objections to a creation. Resources share a price, but never a refusal. If the price of a body is known, the quote
 * serves only to learn of a refusal. A body with a placeholder is not complete, and is not sent.
 */
export async function creationFindings(
  kind: ResourceKind,
  run: Run,
  urn: string,
  inputs: Props,
  { pair, refusal }: ProposedCost,
): Promise<readonly Finding[]> {
  const isComplete = !Object.keys(kind.policies).some((field) => containsUnknown(inputs[field]));
  const isToBeShown = isComplete && pair.after.cost !== undefined && !run.memory.wasShown(kind, urn, inputs);
  if (run.settings.preflight === "off" || !isToBeShown) return refusalFindings(run, refusal);
  const answer = await run.quoter.show((call) => quoteOfCreation(kind, run, urn, inputs, call));
  if (answer?.status !== "unknown") return [];
  if (answer.refusal !== undefined) return refusalFindings(run, refusalWords(kind, run, inputs, answer.refusal));
  return notShown("it", answer.trouble);
}

/** A warning, so that nobody takes silence for consent. */
function notShown(subject: string, trouble: string | undefined): readonly Finding[] {
  if (trouble === undefined) return [];
  return [{ severity: "warning", field: "", reason: `the API could not check ${subject}: ${oneLine(trouble)}` }];
}

/**
 * Asks the API for the quote of a change in place, which refuses what the change itself would be refused for. `isPriced`: whether
 * the price comes from elsewhere, so that the quote is not asked for if refusals do not count.
 */
export async function verdictOnUpdate(
  kind: ResourceKind,
  run: Run,
  update: ProposedUpdate,
  isPriced = true,
): Promise<UpdateVerdict> {
  const { id, urn, changed, olds, news } = update;
  if (!run.settings.costQuotes || (isPriced && run.settings.preflight === "off")) return { findings: [] };
  const unknown = changed.filter((field) => containsUnknown(news[field]));
  const known = changed.filter((field) => !unknown.includes(field));
  const inputs: Props = { ...news, ...Object.fromEntries(unknown.map((field) => [field, olds[field]])) };
  const body = kind.toWireUpdate(inputs, known, run.api.serverNow());
  if (Object.keys(body).length === 0) return { findings: [] }; // nothing of it reaches the API
  const quote = await run.quoter.attempt((call) =>
    kind.handler(run.api).quoteUpdate(id, inputs, body, { ...call, what: whatOf("quote", kind, urn) }),
  );
  if (quote.status === "answered") return { findings: [], quote: quote.answer };
  if (quote.status === "notOffered") return { findings: [] };
  if (quote.refusal?.isAboutPath === true)
    return { findings: refusalFindings(run, `it is gone, run \`pulumi refresh\` (${quote.refusal.words})`) };
  if (quote.refusal !== undefined)
    return { findings: refusalFindings(run, refusalWords(kind, run, inputs, quote.refusal)) };
  return { findings: notShown("the change", quote.trouble) };
}
