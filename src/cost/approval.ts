import { listed } from "../text/listed";
import { NAMED } from "./budget";
import type { CostDocument } from "./cost-document";
import { resourceJson } from "./json-report";
import { decimal, decimalText, exactDollars, sum } from "./money";
import { operationWords } from "./notes";
import type { BudgetBreach } from "./cost-document";
import type { CostReport } from "./report";

type ApprovedResource = CostDocument["stacks"][number]["resources"][number];

/** One breach that names the resources whose operation or cost differs from the approved report. Empty if none differs. */
export function approvalBreaches(report: CostReport, approved: CostDocument, source: string): readonly BudgetBreach[] {
  const stack = approved.stacks.find((each) => each.project === report.project && each.stack === report.stack);
  // A resource has several rows if its replacement keeps the old object.
  const before = Map.groupBy(stack?.resources ?? [], ({ urn }) => urn);
  const now = Map.groupBy(report.resources.map(resourceJson), ({ urn }) => urn);
  const differing = [...new Map([...before, ...now]).values()].flatMap(([first]) =>
    first !== undefined && costsText(before.get(first.urn)) !== costsText(now.get(first.urn)) ? [first] : [],
  );
  if (differing.length === 0) return [];
  const allowed = decimal(stack?.after ?? "0");
  const others = approved.stacks.map((each) => `${each.project}/${each.stack}`).join(", ");
  const approvedReport = `the approved report${stack === undefined && others !== "" ? ` (of ${others})` : ""}`;
  const texts = differing.map(
    ({ urn, type, name }) => `${type} ${name} ${costsText(now.get(urn))}, approved ${costsText(before.get(urn))}`,
  );
  return [
    {
      limit: "approved",
      source,
      enforce: "mandatory",
      allowed: decimalText(allowed),
      amount: decimalText(report.after),
      exceededBy: decimalText(report.after.minus(allowed)),
      resources: differing.map(({ urn, type, name }) => ({ urn, type, name, amount: amountOf(now.get(urn)) })),
      reason: `${differing.length === 1 ? "1 resource differs" : `${differing.length} resources differ`} from ${approvedReport}: ${listed(texts, NAMED, "; ")}`,
    },
  ];
}

/** `updated $10.00/mo → $20.00/mo`, with all digits, so that two texts are equal if the exact amounts are. */
function costsText(rows: readonly ApprovedResource[] | undefined): string {
  if (rows === undefined) return "nothing";
  const texts = rows.map(
    ({ operation, before, after }) => `${operationWords[operation]} ${amountText(before)} → ${amountText(after)}`,
  );
  return texts.sort().join(" and ");
}

/** The cost of a resource after the changes. Null if it is unknown, or if there is no such resource. */
function amountOf(rows: readonly ApprovedResource[] | undefined): string | null {
  if (rows === undefined || rows.some(({ after }) => after === null)) return null;
  return decimalText(sum(rows.map(({ after }) => decimal(after ?? "0"))));
}

function amountText(amount: string | null): string {
  return amount === null ? "an unknown cost" : `${exactDollars(decimal(amount))}/mo`;
}
