import fc from "fast-check";
import { misadded } from "../../src/cost/arithmetic";
import type { Cost, UsageDimension } from "../../src/cost/cost";
import { detailsTable } from "../../src/cost/details-table";
import { jsonReport } from "../../src/cost/json-report";
import { costReport, type CostOperation, type CostReport } from "../../src/cost/report";
import { resourceCost, type CostSide } from "../../src/cost/resource-cost";
import { stacksTable } from "../../src/cost/stacks-table";
import { costTable } from "../../src/cost/table";
import { outputSchema } from "../cli/cost-schema";
import { anyAmount, decimalOf, scaled } from "./big-decimals";

// Hundreds of tables, on a machine that may be busy.
jest.setTimeout(60_000);

interface Amounts {
  readonly before: string | null;
  readonly after: string | null;
  readonly delta: string | null;
}
interface ShownDimension {
  readonly before: { readonly monthlyAmount: string } | null;
  readonly after: { readonly monthlyAmount: string } | null;
  readonly delta: string | null;
}
type ShownResource = Amounts & { readonly name: string; readonly usageDimensions: readonly ShownDimension[] };
type ShownReport = Amounts & { readonly atLeast: boolean; readonly resources: readonly ShownResource[] };

/** A quote that adds up, or, where `error` says so, one that does not. */
const anyCost = (error: fc.Arbitrary<bigint> = fc.constant(0n)): fc.Arbitrary<Cost> =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom("cpu", "ram", "disk"), fc.nat(), anyAmount, anyAmount), { maxLength: 4 }),
      anyAmount,
      error,
    )
    .map(([rows, alone, off]) => {
      const usageDimensions = rows.map(([dimension, quantity, unitPrice, monthlyAmount]): UsageDimension => ({
        dimension,
        displayName: dimension,
        quantity,
        unitPrice,
        monthlyAmount,
      }));
      const total = usageDimensions.reduce((sum, { monthlyAmount }) => sum + scaled(monthlyAmount), 0n);
      return { currency: "USD", monthlyTotal: rows.length === 0 ? alone : decimalOf(total + off), usageDimensions };
    });

const priced = anyCost().map((cost): CostSide => ({ cost }));
const anySide = fc.oneof(
  { weight: 8, arbitrary: priced },
  { weight: 1, arbitrary: fc.constant<CostSide>({ cost: undefined }) },
);
const anyChange = fc.oneof(
  fc.record({ operation: fc.constant<CostOperation>("create"), before: fc.constant(undefined), after: anySide }),
  fc.record({ operation: fc.constant<CostOperation>("delete"), before: anySide, after: fc.constant(undefined) }),
  fc.record({
    operation: fc.constantFrom<CostOperation>("update", "replace", "same"),
    before: anySide,
    after: anySide,
  }),
  anySide.map((side) => ({ operation: "same" as const, before: side, after: side })),
);
const anyReport: fc.Arbitrary<CostReport> = fc.array(anyChange, { maxLength: 40, size: "max" }).map((changes) =>
  costReport({
    project: "p",
    stack: "dev",
    resources: changes.map((change, index) =>
      resourceCost({ urn: `urn:pulumi:dev::p::pulumi-nodejs:dynamic/cloudinfra:Link::r${index}`, ...change }),
    ),
  }),
);

interface PrintedLine {
  readonly label: string;
  readonly before: bigint;
  readonly after: bigint;
  readonly difference: bigint;
}

/** The lines of a table that end in three amounts. */
function amountLines(text: string): readonly PrintedLine[] {
  return text.split("\n").flatMap((line) => {
    const [, label = "", ...cells] = /^(.*\S) +(\S+) +(\S+) +([+-]\S+)$/.exec(line) ?? [];
    if (cells.length === 0) return [];
    const [before = 0n, after = 0n, difference = 0n] = cells.map(centsOf);
    return [{ label: label.trim(), before, after, difference }];
  });
}

/** A cell in whole cents. Less than a cent, and nothing at all, add nothing. */
function centsOf(cell: string): bigint {
  if (/^(-|[+-]?<\$0\.01)$/.test(cell)) return 0n;
  const [, sign = "", dollars = "", cents = ""] = /^([+-]?)\$(\d+)\.(\d\d)$/.exec(cell) ?? [];
  if (dollars === "") throw new Error(`no amount: ${cell}`);
  return BigInt(`${sign === "-" ? "-" : ""}${dollars}${cents}`);
}

const SIDES = ["before", "after", "difference"] as const;

function expectAddsUp(lines: readonly PrintedLine[]): void {
  const [total, ...rows] = lines.toReversed();
  for (const side of SIDES) expect(total?.[side]).toBe(rows.reduce((sum, row) => sum + row[side], 0n));
  for (const { before, after, difference } of lines) expect(difference).toBe(after - before);
}

describe("what is printed", () => {
  it.each([
    ["the largest", fc.constant(undefined)],
    ["any number of", fc.integer({ min: 1, max: 45 })],
    ["all", fc.constant(Infinity)],
  ])("when a table has %s rows, they add up to its total, and each difference is after minus before", (_, anyLimit) => {
    fc.assert(
      fc.property(anyReport, anyLimit, (report, limit) => {
        const lines = amountLines(costTable(report, { limit }));
        const known = report.resources.filter(({ before, after }) => before && after);
        const changed = known.filter(
          ({ operation, before, after }) =>
            operation === "create" || operation === "delete" || !before?.equals(after ?? 0),
        );
        if (changed.length === 0) {
          expect(lines).toEqual([]);
          return;
        }
        expectAddsUp(lines);
        const folded = [changed.length > (limit ?? 20), changed.length < known.length].filter(Boolean).length;
        expect(lines).toHaveLength(Math.min(changed.length, limit ?? 20) + folded + 1);
      }),
    );
  });

  it("when there are several stacks, their totals add up to the total of all", () => {
    fc.assert(
      fc.property(fc.array(anyReport, { minLength: 2, maxLength: 4 }), (reports) => {
        const [, together = ""] = stacksTable(reports, { details: false }).split("all stacks, per month");
        const lines = amountLines(together);
        expect(lines).toHaveLength(reports.length + 1);
        expectAddsUp(lines);
      }),
    );
  });

  it("when dimensions are shown, their differences add up to that of their resource, to the last digit", () => {
    fc.assert(
      fc.property(anyCost(), anyCost(), (was, will) => {
        fc.pre(
          was.usageDimensions.length > 0 && will.usageDimensions.length > 0 && was.monthlyTotal !== will.monthlyTotal,
        );
        const urn = "urn:pulumi:dev::p::pulumi-nodejs:dynamic/cloudinfra:Link::r";
        const resource = resourceCost({ urn, operation: "update", before: { cost: was }, after: { cost: will } });
        const text = detailsTable(costReport({ project: "p", stack: "dev", resources: [resource] }), {});
        const differences = Array.from(text.matchAll(/ ([+-])\$(\S+)$/gm), ([, sign = "", amount = ""]) =>
          scaled(`${sign === "-" ? "-" : ""}${amount}`),
        );
        expect(differences).toHaveLength(resource.dimensions.length);
        expect(differences.reduce((sum, each) => sum + each, 0n)).toBe(
          scaled(will.monthlyTotal) - scaled(was.monthlyTotal),
        );
      }),
    );
  });
});

describe("JSON", () => {
  it("when there are any quotes, each amount is the service's own, and each difference is after minus before", () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const json: unknown = JSON.parse(jsonReport([report]));
        expect(outputSchema.safeParse(json).error).toBeUndefined();
        const shown = json as ShownReport;
        const known = shown.resources.filter(({ before, after }) => before !== null && after !== null);
        expect(shown.atLeast).toBe(known.length < shown.resources.length);
        expectExact(shown);
        for (const side of ["before", "after", "delta"] as const) {
          expect(scaled(shown[side] ?? "")).toBe(known.reduce((sum, each) => sum + scaled(each[side] ?? ""), 0n));
        }
        for (const resource of shown.resources) {
          expectExact(resource);
          for (const { before, after, delta } of resource.usageDimensions)
            if (resource.delta === null) expect(delta).toBeNull();
            else expectExact({ before: before?.monthlyAmount ?? "0", after: after?.monthlyAmount ?? "0", delta });
        }
      }),
    );
  });

  it("when a quote is made, its amounts come out as the same numbers", () => {
    fc.assert(
      fc.property(anyCost(), (cost) => {
        const urn = "urn:pulumi:dev::p::pulumi-nodejs:dynamic/cloudinfra:Link::r";
        const resources = [resourceCost({ urn, operation: "create", before: undefined, after: { cost } })];
        const { resources: shown } = JSON.parse(
          jsonReport([costReport({ project: "p", stack: "dev", resources })]),
        ) as ShownReport;
        expect(scaled(shown[0]?.after ?? "")).toBe(scaled(cost.monthlyTotal));
        const amounts = (list: readonly string[]): readonly bigint[] =>
          list.map(scaled).sort((a, b) => (a < b ? -1 : 1));
        expect(amounts(shown[0]?.usageDimensions.map(({ after }) => after?.monthlyAmount ?? "") ?? [])).toEqual(
          amounts(cost.usageDimensions.map(({ monthlyAmount }) => monthlyAmount)),
        );
      }),
    );
  });
});

describe("a quote's own arithmetic", () => {
  it("when its dimensions sum to something else than its total, however little, that is said; else nothing is", () => {
    const anyError = fc.oneof(fc.constant(0n), fc.constant(1n), fc.bigInt({ min: -(10n ** 70n), max: 10n ** 70n }));
    fc.assert(
      fc.property(anyCost(anyError), (cost) => {
        const sum = cost.usageDimensions.reduce((total, { monthlyAmount }) => total + scaled(monthlyAmount), 0n);
        const isOff = cost.usageDimensions.length > 0 && sum !== scaled(cost.monthlyTotal);
        const said = misadded(cost, "after").map((text) => {
          const amounts = / come to (-?)\$(\S+)\/mo, its total is (-?)\$(\S+)\/mo$/.exec(text)?.slice(1) ?? [];
          return [amounts.slice(0, 2), amounts.slice(2)].map((parts) => scaled(parts.join("")));
        });
        expect(said).toEqual(isOff ? [[sum, scaled(cost.monthlyTotal)]] : []);
      }),
    );
  });
});

function expectExact({ before, after, delta }: Amounts): void {
  if (before === null || after === null) expect(delta).toBeNull();
  else expect(scaled(delta ?? "")).toBe(scaled(after) - scaled(before));
}
