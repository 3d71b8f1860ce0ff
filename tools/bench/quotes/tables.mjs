import { inWords, total } from "../requests.mjs";
import { goal, howOften, time } from "../tables.mjs";

/** Each bandwidth of a connection has its price, and is asked for once. */
const PRICES = 5;

/** The table of `npm run bench -- quotes`. */
export function quoteTables({ resources, runs, latencyMs, quick, late }) {
  return [
    {
      title: `Preview of ${resources} new connections of ${PRICES} bandwidths, ${howOften(runs)}`,
      head: ["latency of the API", "calls", "time"],
      texts: 2,
      rows: [
        ["none", inWords(quick.calls), time(quick.wallMs)],
        [time(latencyMs), inWords(late.calls), time(late.wallMs)],
        ["difference", "", time(late.wallMs - quick.wallMs)],
      ],
    },
  ];
}

/** Its goals. */
export function quoteGoals({ latencyMs, quick, late }) {
  const limitMs = PRICES * latencyMs + 0.1 * quick.wallMs;
  const slowerMs = late.wallMs - quick.wallMs;
  const asked = total(late.calls, ["quote"]);
  return [
    goal(
      `slower by at most ${PRICES} × ${time(latencyMs)} + 10 %: ${time(limitMs)}`,
      time(slowerMs),
      slowerMs <= limitMs,
    ),
    goal(`one quote for each price: ${PRICES}`, String(asked), asked === PRICES),
  ];
}
