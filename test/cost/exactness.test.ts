import fc from "fast-check";
import { forAll } from "../support/for-all";
import type { Decimal } from "decimal.js";
import { sumWarnings, resourceCost, type CostOperation } from "../../src/cost/resource-cost";
import type { Cost, CostSide, UsageDimension } from "../../src/cost/cost";
import { costTable, detailsTable, stacksTable } from "../../src/cost/cost-table";
import { jsonReport } from "../../src/cost/json-report";
import { costReport, type CostReport } from "../../src/cost/report";
import { documentOf, type ShownReport } from "../cli/cost-schema";
import { anyAmount, decimalOf, scaled } from "./big-decimals";

type Amounts = Pick<ShownReport["resources"][number], "before" | "after" | "delta">;

/** The report on one stack in the JSON. */
function shownIn(report: CostReport): ShownReport {
  return documentOf({ stdout: jsonReport([report]) }).stacks[0]!;
}

/** A quote that adds up or, with `error`, does not. */
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

/** The lines of a table that end with three amounts. */
function amountLines(text: string): readonly PrintedLine[] {
  return text.split("\n").flatMap((line) => {
    if (line.includes("→")) return [];
    const [, label = "", ...cells] = /^(.*\S) +(\S+) +(\S+) +([+-]\S+)$/.exec(line) ?? [];
    if (cells.length === 0) return [];
    const [before = 0n, after = 0n, difference = 0n] = cells.map(centsOf);
    return [{ label: label.trim(), before, after, difference }];
  });
}

/** A cell in whole cents. An empty cell, or one with less than a cent, is 0. */
function centsOf(cell: string): bigint {
  if (/^(-|[+-]?<\$0\.01)$/.test(cell)) return 0n;
  const [, sign = "", dollars = "", cents = ""] =
    /^([+-]?)\$(\d+)\.(\d\d)$/.exec(cell.replaceAll(/,(?=\d{3}\b)/g, "")) ?? [];
  if (dollars === "") throw new Error(`no amount: ${cell}`);
  return BigInt(`${sign === "-" ? "-" : ""}${dollars}${cents}`);
}

const SIDES = ["before", "after", "difference"] as const;

function addsUp(lines: readonly PrintedLine[]): boolean {
  const [total, ...rows] = lines.toReversed();
  return (
    SIDES.every((side) => total?.[side] === rows.reduce((sum, row) => sum + row[side], 0n)) &&
    lines.every(({ before, after, difference }) => difference === after - before)
  );
}

/** Rounds half up to the cent. */
function roundedCents(amount: Decimal | undefined): bigint {
  const [places, negative] = [10n ** 58n, amount?.isNegative() === true];
  const value = scaled(amount?.abs().toFixed() ?? "0");
  const size = (value + places / 2n) / places;
  return negative ? -size : size;
}

const FOOTNOTE = "the total is exactly";

type Sides = Record<"before" | "after", Decimal>;

describe("printed amounts", () => {
  it.each([
    ["the largest", fc.constant(undefined)],
    ["any number of", fc.integer({ min: 1, max: 45 })],
    ["all", fc.constant(Infinity)],
  ])("rounds %s rows once, with a footnote", (_, anyLimit) => {
    forAll(anyReport, anyLimit, (report, limit) => {
      const text = costTable(report, { limit });
      const lines = amountLines(text);
      const known = report.resources.flatMap(({ operation, before, after }) =>
        before && after ? [{ operation, before, after }] : [],
      );
      const priced = known.filter(({ before, after }) => !before.isZero() || !after.isZero());
      const doesChange = ({ operation, before, after }: (typeof known)[number]): boolean =>
        operation === "create" || operation === "delete" || !before.equals(after);
      const changed = priced.filter(doesChange);
      const same = priced.filter((each) => !doesChange(each));
      const rows = limit === Infinity ? known : changed;
      const folds =
        limit === Infinity
          ? []
          : [
              changed.length > (limit ?? 20),
              same.some(({ operation }) => operation !== "same"),
              same.some(({ operation }) => operation === "same"),
            ].filter(Boolean);
      if (rows.length === 0 && !same.some(({ operation }) => limit !== Infinity && operation !== "same")) {
        expect(lines).toEqual([]);
        return;
      }
      expect(lines).toHaveLength(Math.min(rows.length, limit ?? 20) + folds.length + 1);
      const total = lines.at(-1);
      expect([total?.before, total?.after, total?.difference]).toEqual(
        [report.before, report.after, report.delta].map(roundedCents),
      );
      rows.slice(0, limit ?? 20).forEach(({ before, after }, index) => {
        expect(lines[index]?.difference).toBe(roundedCents(after.minus(before)));
      });
      expect(text.includes(FOOTNOTE)).toBe(!addsUp(lines));
    });
  });

  it("the total of several stacks is exact", () => {
    forAll(fc.array(anyReport, { minLength: 2, maxLength: 4 }), (reports) => {
      const [, together = ""] = stacksTable(reports, { details: false }).split("all stacks, per month");
      const lines = amountLines(together);
      expect(lines).toHaveLength(reports.length + 1);
      const sumOf = (side: keyof Sides): Decimal => reports.map((each) => each[side]).reduce((a, b) => a.plus(b));
      const total = lines.at(-1);
      expect([total?.before, total?.after]).toEqual([sumOf("before"), sumOf("after")].map(roundedCents));
      expect(together.includes(FOOTNOTE)).toBe(!addsUp(lines));
    });
  });

  it("differences of dimensions add up exactly", () => {
    forAll(anyCost(), anyCost(), (was, will) => {
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
    });
  });
});

describe("JSON", () => {
  it("gives exact amounts, and differences as after minus before", () => {
    forAll(anyReport, (report) => {
      const shown = shownIn(report);
      const known = shown.resources.filter(({ before, after }) => before !== null && after !== null);
      expect(shown.atLeast).toBe(known.length < shown.resources.length);
      expectExact(shown);
      for (const side of ["before", "after", "delta"] as const) {
        expect(scaled(shown[side])).toBe(known.reduce((sum, each) => sum + scaled(each[side] ?? ""), 0n));
      }
      for (const resource of shown.resources) {
        expectExact(resource);
        for (const { before, after, delta } of resource.usageDimensions)
          if (resource.delta === null) expect(delta).toBeNull();
          else expectExact({ before: before?.monthlyAmount ?? "0", after: after?.monthlyAmount ?? "0", delta });
      }
    });
  });

  it("JSON has the amounts of a quote unchanged", () => {
    forAll(anyCost(), (cost) => {
      const urn = "urn:pulumi:dev::p::pulumi-nodejs:dynamic/cloudinfra:Link::r";
      const resources = [resourceCost({ urn, operation: "create", before: undefined, after: { cost } })];
      const { resources: shown } = shownIn(costReport({ project: "p", stack: "dev", resources }));
      expect(scaled(shown[0]?.after ?? "")).toBe(scaled(cost.monthlyTotal));
      const amounts = (list: readonly string[]): readonly bigint[] => list.map(scaled).sort((a, b) => (a < b ? -1 : 1));
      expect(amounts(shown[0]?.usageDimensions.map(({ after }) => after?.monthlyAmount ?? "") ?? [])).toEqual(
        amounts(cost.usageDimensions.map(({ monthlyAmount }) => monthlyAmount)),
      );
    });
  });
});

describe("a quote's own arithmetic", () => {
  it("says if dimensions do not add up", () => {
    const anyError = fc.oneof(fc.constant(0n), fc.constant(1n), fc.bigInt({ min: -(10n ** 70n), max: 10n ** 70n }));
    forAll(anyCost(anyError), (cost) => {
      const sum = cost.usageDimensions.reduce((total, { monthlyAmount }) => total + scaled(monthlyAmount), 0n);
      const isOff = cost.usageDimensions.length > 0 && sum !== scaled(cost.monthlyTotal);
      const notes = sumWarnings(cost, "after").map((text) => {
        const amounts = / come to (-?)\$(\S+)\/mo, its total is (-?)\$(\S+)\/mo$/.exec(text)?.slice(1) ?? [];
        return [amounts.slice(0, 2), amounts.slice(2)].map((parts) => scaled(parts.join("")));
      });
      expect(notes).toEqual(isOff ? [[sum, scaled(cost.monthlyTotal)]] : []);
    });
  });
});

function expectExact({ before, after, delta }: Amounts): void {
  if (before === null || after === null) expect(delta).toBeNull();
  else expect(scaled(delta ?? "")).toBe(scaled(after) - scaled(before));
}
