import { warning } from "../../definition/rule-context";
import type { Reply } from "../../api/advisory-requests";
import { isCapacityRefusal } from "../../api/errors";
import { oneLine } from "../../engine/row-log";
import { type Finding, operationName } from "../kind/kind";
import { objectionsIn } from "../kind/objections";
import { explainObjection, type CatalogRun, type NamingProposal, preflightSeverity, CORRECT_IT } from "./existence";
import { partCollection } from "../kind/collection-at";
import type { CallOptions } from "../../api/client";
import { partDifferences, type PartChange } from "../../definition/parts";
import { getWithParts } from "../objects/get-with-parts";
import type { ProposedUpdate } from "../objects/resource-call";
import type { AdvisoryRun } from "../pricing/quote-of-creation";

/** Turns a reply into findings, with the program's names. `id`: the id of the object, if the request was about an existing one. */
export async function replyFindings(
  proposal: NamingProposal,
  reply: Reply<unknown>,
  id?: string,
): Promise<readonly Finding[]> {
  const { kind, run, inputs } = proposal;
  if (reply.status === "answered" || reply.status === "notOffered") return [];
  if (reply.status === "skipped") return noAnswerFindings(id === undefined ? "it" : "the change", reply.trouble);
  if (run.settings.preflight === "off") return [];
  const { refusal, isFinal } = reply;
  if (!isFinal) return notNowFindings(run, refusal.words, inputs["region"]);
  if (id !== undefined && refusal.isAboutPath)
    return [
      refusalOf(
        run,
        ` the object no longer exists (${refusal.words}). Run \`pulumi refresh\`: the update would fail too`,
      ),
    ];
  const objections = objectionsIn(kind, run.settings.dialect, inputs, refusal);
  return [
    refusalFinding(run, ...(await Promise.all(objections.map((objection) => explainObjection(proposal, objection))))),
  ];
}

/** The finding about a refusal, with a line for each objection. `cloudinfra:preflight` sets its severity. */
function refusalFinding(run: CatalogRun, ...lines: readonly string[]): Finding {
  const words = lines.length === 1 ? ` ${lines.join("")}. ` : `\n${lines.map((line) => `  ${line}\n`).join("")}`;
  return refusalOf(run, `${words}${CORRECT_IT}`);
}

function refusalOf(run: CatalogRun, text: string): Finding {
  return { severity: preflightSeverity(run), field: "", reason: `the API refuses it:${text}` };
}

/**
 * The finding about a change that may work later. It fails a strict preview only, because there may be room again by the time of the
 * update.
 */
function notNowFindings(run: CatalogRun, words: string, region: unknown): readonly Finding[] {
  const location = typeof region === "string" ? region : "its region";
  const reason = isCapacityRefusal(words)
    ? `no capacity in ${location} now: update later, or choose another region or type (${words})`
    : `the API could not do it now: ${words}. It may work later. If not, the update fails`;
  return [{ severity: preflightSeverity(run, "now"), field: "", reason }];
}

/** A warning, because a missing answer is no consent. */
function noAnswerFindings(subject: string, trouble: string | undefined): readonly Finding[] {
  if (trouble === undefined) return [];
  return [warning("", `the API could not check ${subject}: ${oneLine(trouble)}`)];
}

/**
 * Asks whether the API would accept the changes of a resource's parts, such as a larger boot volume of a VM. It asks the endpoints of
 * the parts, because the request that changes the resource does not contain them. Resolves with one reply for each part.
 */
export async function availabilityOfParts({
  kind,
  run,
  id,
  urn,
  changed,
  news,
  ownParts,
}: ProposedUpdate<AdvisoryRun>): Promise<readonly Reply<unknown>[]> {
  const fields = changed.filter((field) => kind.fields[field]?.part !== undefined);
  if (fields.length === 0) return [];
  const purpose = operationName("check", kind, urn);
  const object = await run.preflight.ask("availability", (call) =>
    getWithParts(run.api, kind, { id, inputs: news, ownParts }, { ...call, purpose }),
  );
  if (object.status !== "answered") return [object];
  const differences = fields.map((field) => partDifferences(kind, field, object.answer, news[field], run.api.now()));
  const [changes, missing] = [differences.flatMap((each) => each.changes), differences.flatMap((each) => each.missing)];
  const askFor = async (change: PartChange): Promise<Reply<unknown>> => {
    const ofPart = (call: CallOptions): CallOptions => ({ ...call, purpose: `${purpose}, ${change.at}` });
    const parts = partCollection(run.api, change, news);
    const reply = await run.preflight.ask("availability", (call) =>
      parts.mayUpdate(change.id, change.body, ofPart(call)),
    );
    return inPart(change.at, reply);
  };
  return [...(missing.length === 0 ? [] : [missingReply(missing)]), ...(await Promise.all(changes.map(askFor)))];
}

/** The reply for parts that the program changes and the object no longer has. */
function missingReply(missing: readonly string[]): Reply<unknown> {
  const reason =
    "is not there: it may have been renamed, detached or deleted outside Pulumi. Undo that, or run `pulumi refresh` and take it out of the program";
  const faults = missing.map((member) => ({ member, reason }));
  return { status: "refused", refusal: { words: reason, isAboutPath: false, faults }, isFinal: true };
}

/** A refusal with the program's path: the part's members are inside this field. */
function inPart(at: string, reply: Reply<unknown>): Reply<unknown> {
  if (reply.status !== "refused") return reply;
  const { refusal } = reply;
  const faults = refusal.faults.map(({ member, reason }) => ({ member: `${at}.${member}`, reason }));
  return { ...reply, refusal: { ...refusal, faults, words: `${at}: ${refusal.words}` } };
}
