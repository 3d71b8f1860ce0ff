import { decimal } from "../../src/cost/money";
import { costReport, type CostReport, type ReportParts } from "../../src/cost/report";
import type { Cost, CostSide } from "../../src/cost/cost";
import { resourceCost, type CostOperation, type ResourceCost } from "../../src/cost/resource-cost";

/** A resource of a sample. An amount stands for a quote of one dimension. Undefined: the resource does not exist. */
export interface Sample {
  readonly name: string;
  readonly type?: string;
  readonly operation?: CostOperation;
  readonly before?: string | Cost | undefined;
  readonly after?: string | Cost | undefined;
  /** Why there is no cost after the change. */
  readonly unknown?: string;
  readonly notOffered?: true;
}

/** A quote of one dimension or several: `[displayName, quantity, unitPrice, monthlyAmount]`. */
export function quote(total: string, ...rows: readonly (readonly [string, number, string, string])[]): Cost {
  return {
    currency: "USD",
    monthlyTotal: total,
    usageDimensions: rows.map(([displayName, quantity, unitPrice, monthlyAmount]) => ({
      dimension: displayName.toLowerCase().replaceAll(/\W+/g, "_"),
      displayName,
      quantity,
      unitPrice,
      monthlyAmount,
    })),
  };
}

/** A resource's cost, in the form that the commands build. */
function sampleCost({ name, type = "ConnectConnection", ...sample }: Sample, stack = "dev"): ResourceCost {
  const { before, after, unknown, notOffered } = sample;
  const isUnpriced = unknown !== undefined || notOffered === true;
  const operation = sample.operation ?? operationOf(before !== undefined, after !== undefined || isUnpriced);
  const unpriced = notOffered
    ? ({ status: "notOffered" } as const)
    : ({ status: "unknown", reason: unknown ?? "" } as const);
  return resourceCost({
    urn: `urn:pulumi:${stack}::my-infra::pulumi-nodejs:dynamic/cloudinfra:${type}::${name}`,
    operation,
    before: before === undefined ? undefined : side(before),
    after: isUnpriced ? { cost: undefined, unpriced } : after === undefined ? undefined : side(after),
  });
}

/** A report of these resources. */
export function sampleReport(samples: readonly Sample[], parts: Partial<ReportParts> = {}): CostReport {
  const { stack = "dev" } = parts;
  return costReport({
    project: "my-infra",
    ...parts,
    stack,
    resources: parts.resources ?? samples.map((sample) => sampleCost(sample, stack)),
  });
}

/** A report with every possible content. */
export function everyKindOfRow(): CostReport {
  const link = (mbps: number, amount: string): Cost => quote(amount, ["Bandwidth (Mbps)", mbps, "1.5625", amount]);
  return sampleReport(
    [
      { name: "aws-link", operation: "replace", before: link(50, "78.125"), after: link(200, "312.5") },
      { name: "office-link", before: link(500, "781.25") },
      {
        name: "lab-link",
        after: quote("12.005", ["Bandwidth (Mbps)", 5, "1.5625", "7.8125"], ["Ports", 1, "4.1925", "4.1925"]),
      },
      { name: "deployer", type: "ApiKey", operation: "same", before: "0", after: "0" },
      { name: "core-link", operation: "same", before: link(1000, "1562.5"), after: link(1000, "1562.5") },
      { name: "allow-https", type: "FirewallRule", operation: "update", before: "1.004", after: "1.0045" },
      { name: "backup-link", unknown: "the API did not answer in time" },
      { name: "old-style", type: "FirewallRule", notOffered: true },
      {
        name: "odd-link",
        before: quote("3", ["Bandwidth (Mbps)", 1, "1", "1"]),
        after: quote("3", ["Bandwidth (Mbps)", 3, "1", "3"]),
      },
    ],
    {
      notCounted: ["late-link"],
      organization: { before: decimal("1875.40"), balance: decimal("5000"), runwayMonths: decimal("2.66") },
    },
  );
}

function operationOf(isThere: boolean, willBe: boolean): CostOperation {
  if (isThere) return willBe ? "update" : "delete";
  return "create";
}

function side(cost: string | Cost): CostSide {
  return { cost: typeof cost === "string" ? quote(cost) : cost };
}
