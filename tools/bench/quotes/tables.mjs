import { inWords, total } from "../requests.mjs";
import { goal, howOften, time } from "../tables.mjs";

/** Each bandwidth of a connection has its price. */
const PRICES = 5;

/** The table of `npm run bench -- quotes`. */
export function quoteTables({ resources, runs, latencyMs, quick, late, prices }) {
  return [
    {
      title: `Preview of ${resources} new connections of ${PRICES} bandwidths, ${howOften(runs)}`,
      head: ["latency of the API", "`preflight`", "calls", "time"],
      texts: 3,
      rows: [
        ["none", "`fail`", inWords(quick.calls), time(quick.wallMs)],
        [time(latencyMs), "`fail`", inWords(late.calls), time(late.wallMs)],
        [time(latencyMs), "`off`", inWords(prices.calls), time(prices.wallMs)],
      ],
    },
  ];
}

/** Its goals. */
export function quoteGoals({ resources, latencyMs, quick, late, prices }) {
  const slower = (what, run, calls) => {
    const limitMs = calls * latencyMs + 0.1 * quick.wallMs;
    const slowerMs = run.wallMs - quick.wallMs;
    const text = `${what}: slower by at most ${calls} × ${time(latencyMs)} + 10 %: ${time(limitMs)}`;
    return goal(text, time(slowerMs), slowerMs <= limitMs);
  };
  const asked = (run) => total(run.calls, ["quote"]);
  return [
    slower("preflight `fail`", late, resources),
    goal(`one quote for each resource: ${resources}`, String(asked(late)), asked(late) === resources),
    slower("preflight `off`", prices, PRICES),
    goal(`one quote for each price: ${PRICES}`, String(asked(prices)), asked(prices) === PRICES),
  ];
}
