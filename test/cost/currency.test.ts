import type { CostQuote, CostQuoteUpdate } from "../../src/api/cost-quotes";
import { costLine } from "../../src/cost/cost-line";
import { pairIn, Quoter } from "../../src/cost/quoter";
import { VirtualClock } from "../support/virtual-clock";

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
