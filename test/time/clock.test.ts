import { pollUntil, systemClock } from "../../src/time/clock";
import { VirtualClock } from "../support/virtual-clock";

it("sleeps longer than a timer can hold", async () => {
  const stop = new AbortController();
  const sleep = systemClock.sleep(30 * 24 * 3600 * 1000, stop.signal).then(
    () => "over",
    () => "stopped",
  );
  await new Promise((resolve) => setTimeout(resolve, 20)); // a timer that has overflowed is over after 1 ms
  stop.abort(new Error("enough"));
  expect(await sleep).toBe("stopped");
});

/** Polls until the answer is `wanted`. The answers count up from 1. */
async function poll(wanted: number, limitMs: number) {
  const clock = new VirtualClock();
  const [startedAt, looks, pauses] = [clock.now(), [] as number[], [] as number[]];
  const answer = await pollUntil(
    clock,
    { firstPauseMs: 100, longestPauseMs: 300, endsAt: startedAt + limitMs },
    () => Promise.resolve(looks.push(clock.now() - startedAt)),
    (each) => each === wanted,
    (each) => pauses.push(each),
  );
  return { answer, looks, pauses };
}

describe("pollUntil", () => {
  it("looks once if the first answer is the awaited one", async () => {
    expect(await poll(1, 0)).toEqual({ answer: 1, looks: [0], pauses: [] });
  });

  it("pauses longer each time, up to the longest pause", async () => {
    expect(await poll(5, 10_000)).toEqual({ answer: 5, looks: [0, 100, 300, 600, 900], pauses: [1, 2, 3, 4] });
  });

  it("stops polling if the next pause exceeds the time", async () => {
    expect(await poll(9, 500)).toEqual({ answer: 3, looks: [0, 100, 300], pauses: [1, 2] });
  });
});
