import { findingText, type Finding } from "../../definition/rules";
import type { RowLog } from "../../engine/row-log";

export function isFailure({ severity }: Finding): boolean {
  return severity === "failure";
}

/** Puts findings that do not stop the preview on the row. */
export async function warn(
  { rows }: { readonly rows: RowLog },
  urn: string,
  findings: readonly Finding[],
): Promise<void> {
  for (const finding of findings.filter((each) => !isFailure(each)))
    await rows.line(urn, "warning", findingText(finding));
}
