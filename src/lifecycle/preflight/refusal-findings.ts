import { warning } from "../../definition/rule-context";
import type { Reply } from "../../api/advisory-requests";
import { isCapacityRefusal } from "../../api/errors";
import { oneLine } from "../../engine/row-log";
import type { Finding } from "../kind/kind";
import { objectionsIn } from "../kind/objections";
import { explainObjection, type CatalogRun, type NamingProposal, preflightSeverity, CORRECT_IT } from "./existence";

/**
 * Turns a reply into findings, with the program's names. `id`: the id of the object, if the request was about an
 * existing one.
 */
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
        ` the object no longer exists (${refusal.words}). Run \`pulumi refresh\`. If that keeps it in the state, a run has deleted it to replace it: run \`pulumi up --skip-preview\` once`,
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
 * The finding about a change that may work later. It fails a strict preview only, because there may be room again by
 * the time of the update.
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
