import { systemClock } from "../src/process/clock";

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
