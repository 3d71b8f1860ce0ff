import { AdvisoryRequests } from "../../src/api/advisory-requests";
import type { CostQuote, CostQuoteUpdate } from "../../src/api/cost-quotes";
import type { Bill } from "../../src/cost/cost";
import { costLine } from "../../src/cost/cost-line";
import { organizationNote } from "../../src/cost/notes";
import { Quoter, pairIn, type QuoteKeys } from "../../src/cost/quoter";
import { costReport, organizationNow } from "../../src/cost/report";
import { decimal } from "../../src/cost/money";
import { VirtualClock } from "../support/virtual-clock";

const summary = { monthly_cost: "100.50", effective_balance: "1000" };

function quoteWith(current: object | null): CostQuote {
  return {
    ...{ currency: "USD", monthly_total: "0.00", priced_at: "2026-01-01T00:00:00Z", usage_dimensions: [] },
    current_summary: current,
  } as CostQuote;
}

const keys = (price: string): QuoteKeys => ({ price, project: "", body: "" });

/** What a quoter reports about the bill after these answers. */
async function billsAfter(...answers: readonly CostQuote[]): Promise<Bill[]> {
  const bills: Bill[] = [];
  const quoter = new Quoter(new AdvisoryRequests(new VirtualClock()), (bill) => bills.push(bill));
  for (const [index, answer] of answers.entries())
    await quoter.quote(keys(String(index)), () => Promise.resolve(answer));
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

const DEARER = "$100.50/mo now → $110.50/mo";
const PRESENT = "balance $1,000.00, which lasts 10 months at the present cost";

it.each<[string, runwayMonths: string | undefined, after: string, note: string, notCounted?: readonly string[]]>([
  ["the runway now and after", "9.95", "110.50", `${DEARER}, ${PRESENT}, 9 at the new one`],
  ["no runway if there is none", undefined, "110.50", "$100.50/mo now → $110.50/mo, balance $1,000.00"],
  ["the runway once at the same cost", "9.95", "100.50", `$100.50/mo, ${PRESENT}`],
  ["no new runway without a cost", "9.95", "0", `$100.50/mo now → $0.00/mo, ${PRESENT}`],
  ["no new runway with unknown costs", "9.95", "110.50", `${DEARER} and 1 unknown, ${PRESENT}`, ["x"]],
])("shows %s", (_case, runwayMonths, after, note, notCounted = []) => {
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

const EXPECTED = "cost unknown: it is quoted in EUR";
const body = { monthly_total: "5.00", usage_dimensions: [] };
const euros = { currency: "EUR", priced_at: "2026-01-01T00:00:00Z" };

it("shows no dollars for a quote in euros", async () => {
  const answer = { ...euros, ...body } as CostQuote;
  const quoter = new Quoter(new AdvisoryRequests(new VirtualClock()));
  const { quote } = await quoter.quote(keys("any"), () => Promise.resolve(answer));
  if (quote.status === "priced") throw new Error("it has a price");
  expect(costLine({ before: undefined, after: { cost: undefined, unpriced: quote } }, "new")).toBe(EXPECTED);
});

it("shows no dollars for a change in euros", () => {
  const answer = { ...euros, before: body, after: body } as unknown as CostQuoteUpdate;
  expect(costLine(pairIn(answer), "existing")).toBe(EXPECTED);
});
