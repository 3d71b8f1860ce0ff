import { overBudget } from "../cost/budget";
import { decimalText } from "../cost/money";
import { costReport, organizationNow, type CostReport, type ResourceCost } from "../cost/report";
import { resourceCost, type CostSide } from "../cost/resource-cost";
import { costTable } from "../cost/table";
import { isRecord, withoutUndefined } from "../dynamic/engine-values";
import { hiddenOf, unpricedOf } from "../dynamic/hidden-inputs";
import type { Finding, Props } from "../dynamic/kind";
import type { LocalPlan, LocalPlanContext } from "../dynamic/local-kind";
import { lastCost } from "../dynamic/proposed-cost";
import type { RunMemory } from "../dynamic/run-memory";
import { budgetOf } from "./cost-budget";
import { urnParts } from "../urn";

/** Adds up what this run's checks have found out, and holds the budget. Makes no call. */
export function planCostSummary(inputs: Props, context: LocalPlanContext): Promise<LocalPlan> {
  const report = reportOf(context);
  return Promise.resolve({
    inputs: {
      before: decimalText(report.before),
      after: decimalText(report.after),
      delta: decimalText(report.delta),
      atLeast: report.atLeast,
      resources: report.resources
        .filter(({ operation }) => operation !== "delete")
        .map(countedCost)
        .sort(byUrn),
      currency: "USD",
    },
    line: costTable(report, { isForRow: true }),
    findings: budgetFindings(inputs["budget"], report, context),
  });
}

function reportOf({ previous, run, urn, registered }: LocalPlanContext): CostReport {
  const { urns, late } = registeredOf(registered);
  const counted = countedBefore(previous);
  const { bill } = run.quoter;
  const { stack, project } = urnParts(urn);
  return costReport({
    stack,
    project,
    resources: [
      ...urns.map((each) => present(each, run.memory, counted.get(each))),
      ...gone(urns, late, run.memory, counted),
    ],
    notCounted: late,
    organization: bill && organizationNow(bill),
  });
}

/** A resource of the program, by what its own check has left in the memory of this run. */
function present(urn: string, memory: RunMemory, counted: CostSide | undefined): ResourceCost {
  const seen = memory.of(urn);
  if (seen?.proposed === undefined) {
    const side = counted ?? { cost: undefined, unpriced: { status: "unknown", reason: "it is not part of this run" } };
    return resourceCost({ urn, operation: "same", before: side, after: side });
  }
  const { previous, replaced, proposed, adopts } = seen;
  const earlier = previous ?? replaced;
  const before = earlier ? lastCost(earlier) : adopts ? proposed : undefined;
  const isSame = before?.cost?.monthlyTotal === proposed.cost?.monthlyTotal;
  const operation = replaced ? "replace" : !previous ? "create" : isSame ? "same" : "update";
  const remains = adopts && !earlier ? "adopted" : undefined;
  return resourceCost({ urn, operation, before, after: proposed, remains });
}

/** What was counted before and is in the program no more. A resource that an alias has renamed is there under another URN. */
function gone(
  urns: readonly string[],
  late: readonly string[],
  memory: RunMemory,
  counted: ReadonlyMap<string, CostSide>,
): readonly ResourceCost[] {
  const formerUrns = urns.map((urn) => hiddenOf(memory.of(urn)?.previous ?? memory.of(urn)?.replaced ?? {}).urn);
  const here = new Set([...urns, ...formerUrns]);
  return [...counted]
    .filter(([urn]) => !here.has(urn) && !late.includes(urnParts(urn).name))
    .map(([urn, before]) => resourceCost({ urn, operation: "delete", before, after: undefined }));
}

function budgetFindings(
  value: unknown,
  report: CostReport,
  { dryRun, urn, run }: LocalPlanContext,
): readonly Finding[] {
  const { budget, findings } = budgetOf(value);
  if (budget === undefined) return findings;
  const over = overBudget(report, budget);
  if (over.length === 0) return findings;
  const isMandatory = budget.enforce !== "advisory";
  if (isMandatory && dryRun) run.notes?.add({ note: "overBudget", urn, reasons: over });
  // In an update there is nothing left to prevent; and who takes notes wants the whole preview, and ends with its verdict.
  const severity = isMandatory && dryRun && !run.notes ? "failure" : "warning";
  return [...findings, { severity, field: "budget", reason: over.join("; ") }];
}

function countedCost({ urn, after, status, reason }: ResourceCost): Record<string, unknown> {
  if (after !== undefined) return { urn, monthlyTotal: decimalText(after) };
  return { urn, unpriced: status === "notOffered" ? { status } : withoutUndefined({ status: "unknown", reason }) };
}

/** What the last run counted, by URN. */
function countedBefore(previous: Props | undefined): ReadonlyMap<string, CostSide> {
  const entries = previous?.["resources"];
  if (!(entries instanceof Array)) return new Map();
  return new Map(
    entries
      .filter(isRecord)
      .map(({ urn, monthlyTotal, unpriced }): [string, CostSide] => [
        String(urn),
        typeof monthlyTotal === "string"
          ? { cost: { currency: "USD", monthlyTotal, usageDimensions: [] } }
          : { cost: undefined, unpriced: unpricedOf(unpriced) },
      ]),
  );
}

function registeredOf(value: unknown): { readonly urns: readonly string[]; readonly late: readonly string[] } {
  const { urns, late } = isRecord(value) ? value : {};
  return { urns: texts(urns), late: texts(late) };
}

function texts(value: unknown): readonly string[] {
  return value instanceof Array ? value.filter((text) => typeof text === "string") : [];
}

function byUrn(a: Record<string, unknown>, b: Record<string, unknown>): number {
  return String(a["urn"]) < String(b["urn"]) ? -1 : 1;
}
