import type { CostQuoteUpdate } from "../../api/cost-quotes";
import { policiesAtApi } from "../change-policy";
import { containsUnknown } from "../engine-values";
import { oneLine } from "../pricing/cost-row";
import type { Finding, Props, ResourceKind } from "../kind";
import { isRepriced, quoteOfCreation, type ProposedCost } from "../pricing/proposed-cost";
import type { Reply } from "./questions";
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

/** A reply on availability. The answer is false if the service has no such endpoint. Undefined if it is not asked. */
type Availability = Reply<boolean> | undefined;

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
 * Asks whether the API would take a creation. A body with an unknown value is not complete, and is not sent: the API would judge
 * a placeholder.
 */
export async function availabilityOfCreation(
  kind: ResourceKind,
  run: Run,
  urn: string,
  inputs: Props,
): Promise<Availability> {
  if (run.settings.preflight === "off" || !kind.hasAvailability || !isComplete(kind, inputs)) return undefined;
  const body = kind.toWire(inputs, run.api.serverNow());
  return run.questions.ask("availability", (call) =>
    kind.handler(run.api).mayCreate(inputs, body, { ...call, what: whatOf("check", kind, urn) }),
  );
}

/**
 * The API's objections to a creation. The availability endpoint judges the whole body. If a kind has none, the quote does:
 * resources share a price, but never a refusal, so a body whose price is known is sent all the same.
 */
export async function creationFindings(
  kind: ResourceKind,
  run: Run,
  urn: string,
  inputs: Props,
  { pair, refusal }: ProposedCost,
  availability: Availability,
): Promise<readonly Finding[]> {
  if (run.settings.preflight === "off") return [];
  const said = availability ? replyFindings(kind, run, inputs, availability) : [];
  if (availability?.status === "refused") return said;
  const isJudged = availability?.status === "answered" && availability.answer;
  const isToBeShown =
    !isJudged && isComplete(kind, inputs) && pair.after.cost !== undefined && !run.memory.wasShown(kind, urn, inputs);
  if (!isToBeShown || said.length > 0) return [...said, ...refusalFindings(run, refusal)];
  const reply = await run.questions.ask("quote", (call) => quoteOfCreation(kind, run, urn, inputs, call));
  return replyFindings(kind, run, inputs, reply);
}

/**
 * Asks the API for its opinion of a change in place. `isPriced`: whether the price comes from elsewhere, so that the quote is
 * not asked for if refusals do not count.
 */
export async function verdictOnUpdate(
  kind: ResourceKind,
  run: Run,
  update: ProposedUpdate,
  isPriced = true,
): Promise<UpdateVerdict> {
  const { id, urn, changed, olds, news } = update;
  const { costQuotes, preflight } = run.settings;
  const unknown = changed.filter((field) => containsUnknown(news[field]));
  const known = changed.filter((field) => !unknown.includes(field));
  const inputs: Props = { ...news, ...Object.fromEntries(unknown.map((field) => [field, olds[field]])) };
  const body = kind.toWireUpdate(inputs, known, run.api.serverNow());
  if (Object.keys(body).length === 0) return { findings: [] }; // nothing of it reaches the API
  const handler = kind.handler(run.api);
  const isChecked = preflight !== "off" && kind.hasAvailability;
  // A quote of a change that costs nothing would only say what the availability endpoint says.
  const isQuoted = costQuotes && (!isPriced || (isChecked ? isRepriced(kind, run, olds, inputs) : preflight !== "off"));
  const [availability, quote] = await Promise.all([
    isChecked
      ? run.questions.ask("availability", (call) =>
          handler.mayUpdate(id, inputs, body, { ...call, what: whatOf("check", kind, urn) }),
        )
      : undefined,
    isQuoted
      ? run.quoter.attempt((call) =>
          handler.quoteUpdate(id, inputs, body, { ...call, what: whatOf("quote", kind, urn) }),
        )
      : undefined,
  ]);
  const said = availability ? replyFindings(kind, run, inputs, availability, id) : [];
  if (availability?.status === "refused" || quote === undefined) return { findings: said };
  if (quote.status === "answered") return { findings: said, quote: quote.answer };
  if (quote.status === "notOffered") return { findings: said };
  const { refusal, trouble } = quote;
  const reply: Reply<never> = refusal
    ? { status: "refused", refusal, isFinal: true }
    : { status: "unanswered", trouble };
  return { findings: [...said, ...replyFindings(kind, run, inputs, reply, id)] };
}

/** A refusal as findings, with the API's words in the program's names. `id`: of the object, if the path leads to it. */
function replyFindings(
  kind: ResourceKind,
  run: Run,
  inputs: Props,
  reply: Reply<unknown>,
  id?: string,
): readonly Finding[] {
  if (reply.status === "answered") return [];
  if (reply.status === "unanswered") return notAnswered(id === undefined ? "it" : "the change", reply.trouble);
  const { refusal, isFinal } = reply;
  if (!isFinal) return notNow(refusal.words);
  if (id !== undefined && refusal.isAboutPath)
    return refusalFindings(run, `it is gone, run \`pulumi refresh\` (${refusal.words})`);
  return refusalFindings(run, refusalWords(kind, run, inputs, refusal));
}

/** What may work later fails no preview: somebody may make room until the update. */
function notNow(words: string): readonly Finding[] {
  const reason = `the API could not do it now: ${words}. It may work later. If not, the update fails`;
  return [{ severity: "warning", field: "", reason }];
}

/** A warning, so that nobody takes silence for consent. */
function notAnswered(subject: string, trouble: string | undefined): readonly Finding[] {
  if (trouble === undefined) return [];
  return [{ severity: "warning", field: "", reason: `the API could not check ${subject}: ${oneLine(trouble)}` }];
}

/** Whether every value that the API gets is known. */
function isComplete(kind: ResourceKind, inputs: Props): boolean {
  return !Object.keys(policiesAtApi(kind.policies)).some((field) => containsUnknown(inputs[field]));
}
