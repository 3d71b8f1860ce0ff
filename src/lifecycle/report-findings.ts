import type { Reply } from "../api/advisory-requests";
import { findingText, type Finding } from "../definition/rules";
import { oneLine, STACK, type RowLog } from "../engine/row-log";
import { goDurationMs } from "../settings/duration";
import type { Timeouts } from "./resource-request";

export function isFailure({ severity }: Finding): boolean {
  return severity === "failure";
}

/** Reports the warnings on the row. Failures are left to the answer of the call. */
export async function warn(
  { rows }: { readonly rows: RowLog },
  urn: string,
  findings: readonly Finding[],
): Promise<void> {
  for (const finding of findings.filter((each) => !isFailure(each)))
    await rows.line(urn, "warning", findingText(finding));
}

export function timeoutFindings(timeouts: Timeouts): readonly Finding[] {
  return Object.entries(timeouts)
    .filter(([, text]) => goDurationMs(text) === undefined)
    .map(([verb, text]) => ({
      severity: "failure",
      field: `customTimeouts.${verb}`,
      reason: `must be a duration such as "90s" or "1h30m", and is ${JSON.stringify(text)}`,
    }));
}

/** Warns under the stack of an advisory request that was skipped. `attempt` completes "The preview could not …". */
export async function warnOfTrouble(
  { previewRows }: { readonly previewRows: RowLog },
  reply: Reply<unknown>,
  attempt: string,
): Promise<void> {
  if (reply.status === "skipped" && reply.trouble !== undefined)
    await previewRows.line(STACK, "warning", `The preview could not ${attempt}: ${oneLine(reply.trouble)}`);
}
