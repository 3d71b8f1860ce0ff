import type { CostQuoteUpdate } from "../../api/cost-quotes";
import { containsUnknown } from "../engine-values";
import { oneLine } from "./cost-row";
import type { Finding, Props, ResourceKind } from "../kind";
import type { Run } from "../run";
import { whatOf } from "../what";

/** A change in place of an object that is there. */
export interface ProposedUpdate {
  readonly id: string;
  readonly urn: string;
  readonly changed: readonly string[];
  readonly olds: Props;
  readonly news: Props;
}

/** What the API says of a change before it is made. */
export interface UpdateVerdict {
  readonly findings: readonly Finding[];
  /** Its own before and after, if it gives them. */
  readonly quote?: CostQuoteUpdate | undefined;
}

/** What the API refuses is a finding on its resource, as grave as `cloudinfra:preflight` says. */
export function refusalFindings({ settings: { preflight } }: Run, refusal: string | undefined): readonly Finding[] {
  if (refusal === undefined || preflight === "off") return [];
  const [severity, advice] =
    preflight === "warn"
      ? (["warning", "The update would fail with that."] as const)
      : (["failure", "Correct it; or set cloudinfra:preflight to warn, to preview all the same."] as const);
  return [{ severity, field: "", reason: `the API refuses it: ${refusal}. ${advice}` }];
}

/** Asks the API for the quote of a change in place, which refuses what the change itself would be refused for. */
export async function verdictOnUpdate(kind: ResourceKind, run: Run, update: ProposedUpdate): Promise<UpdateVerdict> {
  const { id, urn, changed, olds, news } = update;
  if (!run.settings.costQuotes || run.settings.preflight === "off") return { findings: [] };
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
  if (quote.refusal !== undefined) return { findings: refusalFindings(run, quote.refusal.words) };
  if (quote.trouble === undefined) return { findings: [] };
  const reason = `the change was not shown to the API: ${oneLine(quote.trouble)}`;
  return { findings: [{ severity: "warning", field: "", reason }] };
}
