import { PRICES } from "../declared.mjs";
import { inWords, total } from "../requests.mjs";
import { goal, howOften, time } from "../tables.mjs";

/** The question that a preview asks for each new resource, besides those for its price. */
const QUESTIONS = { connections: "quote", volumes: "availability question" };

/** The tables of `npm run bench -- quotes`: one for each kind. */
export function quoteTables({ resources, runs, latencyMs, kinds }) {
  return Object.entries(kinds).map(([kind, { quick, late, prices }]) => ({
    title: `Preview of ${resources} new ${kind} of ${PRICES} prices, ${howOften(runs)}`,
    head: ["latency of the API", "`preflight`", "calls", "time"],
    texts: 3,
    rows: [
      ["none", "`fail`", inWords(quick.calls), time(quick.wallMs)],
      [time(latencyMs), "`fail`", inWords(late.calls), time(late.wallMs)],
      [time(latencyMs), "`off`", inWords(prices.calls), time(prices.wallMs)],
    ],
  }));
}

/** Its goals. */
export function quoteGoals({ resources, latencyMs, kinds }) {
  return Object.entries(kinds).flatMap(([kind, { quick, late, prices }]) => {
    const slower = (what, run, calls) => {
      const limitMs = calls * latencyMs + 0.1 * quick.wallMs;
      const slowerMs = run.wallMs - quick.wallMs;
      const text = `${kind}, ${what}: slower by at most ${calls} × ${time(latencyMs)} + 10 %: ${time(limitMs)}`;
      return goal(text, time(slowerMs), slowerMs <= limitMs);
    };
    const question = QUESTIONS[kind];
    const [asked, quoted] = [total(late.calls, [question]), total(prices.calls, ["quote"])];
    return [
      slower("preflight `fail`", late, resources),
      goal(`${kind}, one ${question} for each resource: ${resources}`, String(asked), asked === resources),
      slower("preflight `off`", prices, PRICES),
      goal(`${kind}, one quote for each price: ${PRICES}`, String(quoted), quoted === PRICES),
    ];
  });
}
