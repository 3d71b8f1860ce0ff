import type { Reply } from "../api/advisory-requests";
import { findingText, isFailure, type Finding } from "../definition/rule-context";
import { oneLine, STACK, type RowLog } from "../engine/row-log";

/** Reports the warnings on the row. Failures are left to the answer of the call. */
export async function reportWarnings(
  { rows }: { readonly rows: RowLog },
  urn: string,
  findings: readonly Finding[],
): Promise<void> {
  for (const finding of findings.filter((each) => !isFailure(each)))
    await rows.line(urn, "warning", findingText(finding));
}

/** Turns a refusal into a skipped reply, because here it says nothing about a resource. */
export function withoutAnswer<T>(reply: Reply<T>): Reply<T> {
  return reply.status === "refused"
    ? { status: "skipped", reason: reply.refusal.words, trouble: reply.refusal.words }
    : reply;
}

/** Warns under the stack of an advisory request that was skipped. `attempt` completes "The preview could not …". */
export async function warnOfTrouble(
  { previewRows }: { readonly previewRows: Pick<RowLog, "line"> },
  reply: Reply<unknown>,
  attempt: string,
): Promise<void> {
  if (reply.status === "skipped" && reply.trouble !== undefined)
    await previewRows.line(STACK, "warning", `The preview could not ${attempt}: ${oneLine(reply.trouble)}`);
}
