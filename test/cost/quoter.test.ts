import type { CostQuote } from "../../src/api/cost-quotes";
import { Quoter } from "../../src/cost/quoter";
import { VirtualClock } from "../support/virtual-clock";

const NOTHING: CostQuote = {
  currency: "USD",
  monthly_total: "0.00",
  priced_at: "2026-01-01T00:00:00Z",
  usage_dimensions: [],
};

it("when bodies were shown for thirty seconds in all, no more are, and that is told once", async () => {
  const clock = new VirtualClock();
  const quoter = new Quoter(clock);
  let asked = 0;
  const answerLate = (): Promise<CostQuote> => {
    asked += 1;
    clock.advance(1_500);
    return Promise.resolve(NOTHING);
  };
  const answers = [];
  for (let n = 0; n < 40; n += 1) answers.push(await quoter.show(answerLate));
  expect(asked).toBe(20);
  const missed = answers.filter((answer) => answer !== undefined);
  expect(missed).toHaveLength(20);
  const told = missed.flatMap((answer) => (answer.status === "unknown" ? [answer.trouble] : [])).filter(Boolean);
  expect(told).toEqual([expect.stringContaining("for 30 s")]);
});

it("prices are asked for all the same", async () => {
  const clock = new VirtualClock();
  const quoter = new Quoter(clock);
  await quoter.show(() => {
    clock.advance(60_000);
    return Promise.resolve(NOTHING);
  });
  expect(await quoter.quote("another", () => Promise.resolve(NOTHING))).toMatchObject({ status: "priced" });
});
