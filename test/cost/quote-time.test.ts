import type { CallOptions } from "../../src/api/client";
import type { CostQuote } from "../../src/api/cost-quotes";
import { Quoter } from "../../src/cost/quoter";
import { VirtualClock } from "../support/virtual-clock";

const answer = {
  ...{ currency: "USD", monthly_total: "1.00", priced_at: "2026-01-01T00:00:00Z", usage_dimensions: [] },
} as unknown as CostQuote;

/** A service that takes this long for each quote, and a hundred different prices. */
async function quotes(eachMs: number): Promise<{ priced: number; troubles: string[]; limits: number[] }> {
  const clock = new VirtualClock();
  const quoter = new Quoter(clock);
  const limits: number[] = [];
  const ask = ({ deadlineMs = NaN }: CallOptions): Promise<CostQuote> => {
    limits.push(deadlineMs);
    clock.advance(eachMs);
    return Promise.resolve(answer);
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
