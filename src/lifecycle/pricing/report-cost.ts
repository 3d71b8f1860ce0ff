import { costLine, type CostPair, type LineSubject } from "../../cost/cost";
import { oneLine, type RowLog } from "../../engine/row-log";
import type { RunMemory } from "../memory/run-memory";
import type { Settings } from "../../settings/config";

interface CostRowRun {
  readonly settings: Settings;
  readonly rows: RowLog;
  readonly memory: RunMemory;
}

/**
 * Writes a resource's row: other texts, then its cost, in one line. A failed quote is a warning with advice. `pair` is undefined in an
 * update, which has nothing to decide. If a cost summary has the resource in its table, the cost is only shown while the run goes
 * on.
 */
export async function reportCost(
  run: CostRowRun,
  urn: string,
  pair: CostPair | undefined,
  subject: LineSubject,
  before: readonly (string | false | undefined)[] = [],
): Promise<void> {
  const unpriced = pair?.after.unpriced;
  const trouble = unpriced?.status === "unknown" ? unpriced.trouble : undefined;
  const cost = trouble === undefined ? pair && costLine(pair, subject) : `cost unknown: ${oneLine(trouble)}`;
  const others = before.filter((part) => part !== undefined && part !== false);
  const parts = [...others, ...(run.settings.costQuotes && cost !== undefined ? [cost] : [])];
  if (parts.length === 0) return;
  if (trouble !== undefined) return run.rows.line(urn, "warning", parts.join("; "));
  if (others.length > 0 || !isInTable(run, urn)) return run.rows.line(urn, "info", parts.join("; "));
  await run.rows.line(urn, "passing", parts.join("; "));
}

/** True if a cost summary of the program has the resource in its table. */
export function isInTable({ memory }: Pick<CostRowRun, "memory">, urn: string): boolean {
  return memory.of(urn)?.isSummarized === true;
}
