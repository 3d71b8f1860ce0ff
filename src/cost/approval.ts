import { listed } from "../text/listed";
import { NAMED } from "./budget";
import type { CostDocument } from "./cost-document";
import { resourceJson } from "./json-report";
import { decimal, decimalText, exactDollars } from "./money";
import { operationWords } from "./notes";
import type { BudgetBreach } from "./cost-document";
import type { CostReport } from "./report";

type ApprovedResource = CostDocument["stacks"][number]["resources"][number];

/** Sentences on the resources whose operation or cost differs from the approved report. Empty if there are none. */
export function approvalBreaches(report: CostReport, approved: CostDocument, source: string): readonly BudgetBreach[] {
  const stack = approved.stacks.find((each) => each.project === report.project && each.stack === report.stack);
  const before = new Map(stack?.resources.map((resource) => [resource.urn, resource]));
  const now = new Map(report.resources.map((resource) => [resource.urn, resourceJson(resource)]));
  const differing = [...new Map([...before, ...now]).values()].filter(
    ({ urn }) => textOf(before.get(urn)) !== textOf(now.get(urn)),
  );
  if (differing.length === 0) return [];
  const allowed = decimal(stack?.after ?? "0");
  const others = approved.stacks.map((each) => `${each.project}/${each.stack}`).join(", ");
  const approvedReport = `the approved report${stack === undefined && others !== "" ? ` (which is of the stack ${others})` : ""}`;
  const texts = differing.map(
    ({ urn, type, name }) => `${type} ${name} ${textOf(now.get(urn))}, approved ${textOf(before.get(urn))}`,
  );
  return [
    {
      limit: "approved",
      source,
      enforce: "mandatory",
      allowed: decimalText(allowed),
      amount: decimalText(report.after),
      exceededBy: decimalText(report.after.minus(allowed)),
      resources: differing.map(({ urn, type, name }) => ({ urn, type, name, amount: now.get(urn)?.after ?? null })),
      reason: `${differing.length === 1 ? "1 resource differs" : `${differing.length} resources differ`} from ${approvedReport}: ${listed(texts, NAMED, "; ")}`,
    },
  ];
}

/** `updated $10.00/mo → $20.00/mo`, with all digits, so that two texts are equal if the exact amounts are. */
function textOf(resource: ApprovedResource | undefined): string {
  if (resource === undefined) return "nothing";
  const { operation, before, after } = resource;
  return `${operationWords[operation]} ${amountText(before)} → ${amountText(after)}`;
}

function amountText(amount: string | null): string {
  return amount === null ? "an unknown cost" : `${exactDollars(decimal(amount))}/mo`;
}
