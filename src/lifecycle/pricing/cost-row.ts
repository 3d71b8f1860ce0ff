import type { CostPair } from "../../cost/cost";
import { costLine, type LineSubject } from "../../cost/quote-line";
import { oneLine } from "../row-log";
import type { Run } from "../run";

/**
 * A resource's cost on its row, after other texts, in one complete line. A failed quote is a warning with advice. An update
 * says nothing of the cost, because nothing is left to decide.
 */
export async function tellCost(
  run: Run,
  urn: string,
  pair: CostPair | undefined,
  subject: LineSubject,
  before: readonly (string | false | undefined)[] = [],
): Promise<void> {
  const unpriced = pair?.after.unpriced;
  const trouble = unpriced?.status === "unknown" ? unpriced.trouble : undefined;
  const cost = trouble === undefined ? pair && costLine(pair, subject) : `cost unknown: ${oneLine(trouble)}`;
  const parts = [...before, run.settings.costQuotes ? cost : undefined].filter(
    (part) => part !== undefined && part !== false,
  );
  if (parts.length > 0) await run.rows.line(urn, trouble === undefined ? "info" : "warning", parts.join("; "));
}
