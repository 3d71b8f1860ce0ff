import type { CostQuote, CostQuoteUpdate } from "../../src/api/cost-quotes";
import { costLine, type Bill } from "../../src/cost/cost";
import { organizationNote } from "../../src/cost/notes";
import { Quoter, pairIn } from "../../src/cost/quoter";
import { costReport, organizationNow } from "../../src/cost/report";
import { decimal } from "../../src/cost/money";
import { VirtualClock } from "../support/virtual-clock";
import type { CallOptions } from "../../src/api/client";

const summary = { monthly_cost: "100.50", effective_balance: "1000" };

function quoteWith(current: object | null): CostQuote {
  return {
    ...{ currency: "USD", monthly_total: "0.00", priced_at: "2026-01-01T00:00:00Z", usage_dimensions: [] },
    current_summary: current,
  } as CostQuote;
}

/** What a quoter reports about the bill after these answers. */
async function billsAfter(...answers: readonly CostQuote[]): Promise<Bill[]> {
  const bills: Bill[] = [];
  const quoter = new Quoter(new VirtualClock(), (bill) => bills.push(bill));
  for (const [index, answer] of answers.entries()) await quoter.quote(String(index), "", () => Promise.resolve(answer));
  return bills;
}

it.each([
  [{ ...summary, runway_months: "9.95" }, "9.95"],
  [{ ...summary, runway_months: null }, undefined],
  [summary, undefined],
])("reads %j as a runway of %s", async (current, runwayMonths) => {
  expect(await billsAfter(quoteWith(current))).toEqual([{ monthlyCost: "100.50", balance: "1000", runwayMonths }]);
});

it("uses the first usable quote only", async () => {
  const later = { ...summary, monthly_cost: "200" };
  const bills = await billsAfter(quoteWith(null), quoteWith(summary), quoteWith(later));
  expect(bills.map(({ monthlyCost }) => monthlyCost)).toEqual(["100.50"]);
});

/** The note about an organization with this bill, and with this cost after the run. */
function noteOn(
  { monthlyCost = "100.50", balance = "1000", runwayMonths }: Partial<Bill>,
  after: string,
  notCounted: readonly string[] = [],
): string {
  const now = organizationNow({ monthlyCost, balance, runwayMonths }, "default", []);
  const report = costReport({ project: "", stack: "", resources: [], notCounted });
  return organizationNote({ ...report, organization: { ...now!, after: decimal(after) } }).join();
}

const PRESENT = "balance $1,000.00, which lasts 10 months at the present cost";

it.each<[string, runwayMonths: string | undefined, after: string, note: string, notCounted?: readonly string[]]>([
  ["the runway now and after", "9.95", "110.50", `$100.50/mo now → $110.50/mo, ${PRESENT}, 9 at the new one`],
  ["no runway if there is none", undefined, "110.50", "$100.50/mo now → $110.50/mo, balance $1,000.00"],
  ["the runway once at the same cost", "9.95", "100.50", `$100.50/mo, ${PRESENT}`],
  ["no new runway without a cost", "9.95", "0", `$100.50/mo now → $0.00/mo, ${PRESENT}`],
  [
    "no new runway with unknown costs",
    "9.95",
    "110.50",
    `$100.50/mo now → $110.50/mo and 1 unknown, ${PRESENT}`,
    ["x"],
  ],
])("shows %s", (_what, runwayMonths, after, note, notCounted = []) => {
  expect(noteOn({ runwayMonths }, after, notCounted)).toBe(`the organization, estimated: ${note}`);
});

it("shows longer and shorter runways in their units", () => {
  expect(noteOn({ monthlyCost: "1", balance: "10", runwayMonths: "130" }, "10")).toMatch(
    /which lasts more than 10 years at the present cost, 13 months at the new one$/,
  );
});

it.each([
  ["1", "1 month"],
  ["23.94", "23.9 months"],
  ["24", "2 years"],
  ["120", "10 years"],
  ["1369.86", "more than 10 years"],
])("a runway of %s months is %s", (runwayMonths, message) => {
  expect(noteOn({ monthlyCost: "5", runwayMonths }, "5")).toContain(`which lasts ${message} at the present cost`);
});

/** A service that takes this long for each quote, and a hundred different prices. */
async function quotes(eachMs: number): Promise<{ priced: number; troubles: string[]; limits: number[] }> {
  const clock = new VirtualClock();
  const quoter = new Quoter(clock);
  const limits: number[] = [];
  const ask = ({ deadlineMs = NaN }: CallOptions): Promise<CostQuote> => {
    limits.push(deadlineMs);
    clock.advance(eachMs);
    return Promise.resolve(quoteWith(null));
  };
  let priced = 0;
  const troubles: string[] = [];
  for (let price = 0; price < 100; price += 1) {
    const quote = await quoter.quote(String(price), "", ask);
    if (quote.status === "priced") priced += 1;
    if (quote.status === "unknown" && quote.trouble !== undefined) troubles.push(quote.trouble);
  }
  return { priced, troubles, limits };
}

it("stops quotes after a minute, and says so once", async () => {
  const { priced, troubles, limits } = await quotes(1_900);
  expect(priced).toBe(32);
  expect(limits.slice(-2)).toEqual([2_000, 1_100]); // the last quote has the remaining time
  expect(troubles).toEqual([
    expect.stringContaining("this run has waited 60 s for quotes, and asks for no further ones"),
  ]);
});

it("quotes each price of a quick service", async () => {
  expect(await quotes(500)).toMatchObject({ priced: 100, troubles: [] });
});

const EXPECTED = "cost unknown: it is quoted in EUR";
const body = { monthly_total: "5.00", usage_dimensions: [] };
const euros = { currency: "EUR", priced_at: "2026-01-01T00:00:00Z" };

it("shows no dollars for a quote in euros", async () => {
  const answer = { ...euros, ...body } as CostQuote;
  const quote = await new Quoter(new VirtualClock()).quote("key", "", () => Promise.resolve(answer));
  if (quote.status === "priced") throw new Error("it has a price");
  expect(costLine({ before: undefined, after: { cost: undefined, unpriced: quote } }, "new")).toBe(EXPECTED);
});

it("shows no dollars for a change in euros", () => {
  const answer = { ...euros, before: body, after: body } as unknown as CostQuoteUpdate;
  expect(costLine(pairIn(answer), "existing")).toBe(EXPECTED);
});
