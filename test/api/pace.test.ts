import fc from "fast-check";
import { Pace } from "../../src/api/http/pace";

/** Sends calls in turn as soon as the pace allows; each is accepted. Resolves with the times of sending. */
function sendAll(pace: Pace, from: number, count: number): number[] {
  let now = from;
  return Array.from({ length: count }, () => {
    now = Math.max(now, pace.opensAt);
    pace.recordSent(now);
    pace.recordAccepted(now);
    return now;
  });
}

describe("the pace", () => {
  it("a request does not wait before the first refusal", () => {
    const pace = new Pace();
    expect([pace.isLimited, pace.pausedUntil, pace.opensAt]).toEqual([false, -Infinity, -Infinity]);
    expect(sendAll(pace, 5_000, 1_000).at(-1)).toBe(5_000);
    expect(pace.perSecond(5_000)).toBe(Infinity);
  });

  it("pauses after a refusal, and recovers soon", () => {
    const pace = new Pace();
    sendAll(pace, 0, 50);
    sendAll(pace, 1_300, 20);
    sendAll(pace, 1_401, 12);
    sendAll(pace, 2_400, 28);
    pace.recordRefused(2_400, 2_400, 2_000);
    expect(pace.opensAt).toBe(4_400);
    expect(pace.perSecond(4_400)).toBeCloseTo(32);
    expect(pace.perSecond(5_400)).toBeCloseTo(40);
  });

  it("learns the rate again from each refusal", () => {
    const pace = new Pace();
    sendAll(pace, 0, 40);
    pace.recordRefused(0, 0, 1_000);
    for (let i = 0; i < 20; i += 1) pace.recordAccepted(1_500);
    pace.recordRefused(1_900, 2_000, 1_000);
    expect(pace.perSecond(3_000)).toBeCloseTo(8);
    expect(pace.perSecond(9_000)).toBeCloseTo(10);
  });

  it("divides the rate by four at most per refusal", () => {
    const pace = new Pace();
    sendAll(pace, 0, 40);
    let now = 0;
    const known: number[] = [];
    for (let refusals = 0; refusals < 6; refusals += 1) {
      pace.recordRefused(now, now, 1_000);
      known.push(pace.perSecond(now + 1_000) / 0.8);
      now += 1_001;
    }
    expect(known.map((perSecond) => Number(perSecond.toFixed(4)))).toEqual([40, 10, 2.5, 0.625, 0.1563, 0.05]);
  });

  it("counts refusals of one burst once", () => {
    const pace = new Pace();
    sendAll(pace, 0, 40);
    for (let now = 10; now < 40; now += 1) pace.recordRefused(0, now, 1_000);
    expect(pace.opensAt).toBe(1_039);
    expect(pace.perSecond(1_039)).toBeCloseTo(32);
  });

  it("keeps the known rate, then tries a higher one", () => {
    const pace = new Pace();
    sendAll(pace, 0, 40);
    pace.recordRefused(0, 0, 1_000);
    for (let i = 0; i < 40; i += 1) pace.recordAccepted(2_000);
    pace.recordRefused(1_500, 2_000, 1_000);
    const at = (seconds: number): number => pace.perSecond(3_000 + seconds * 1_000) / 20;
    const shares = [at(0), at(3), at(6), at(9), at(30)].map((share) => share.toFixed(2));
    expect(shares).toEqual(["0.80", "0.97", "1.00", "1.02", "13.80"]);
  });

  it("sends one request more after a late timer", () => {
    const pace = new Pace();
    sendAll(pace, 0, 10);
    pace.recordRefused(0, 0, 1_000);
    const [first, second, third] = sendAll(pace, 10_000, 3);
    expect([first, second]).toEqual([10_000, 10_000]);
    expect(third).toBeGreaterThan(10_000);
  });

  it("never opens early, stops, or exceeds its rate", () => {
    const event = fc.record({
      afterMs: fc.integer({ min: 0, max: 5_000 }),
      event: fc.constantFrom("send", "send", "send", "accept", "refuse"),
      pauseMs: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const pace = new Pace();
        let now = 0;
        let pausedUntil = 0;
        for (const { afterMs, event, pauseMs } of events) {
          now += afterMs;
          if (event === "accept") pace.recordAccepted(now);
          if (event === "refuse") {
            pace.recordRefused(now, now, pauseMs);
            pausedUntil = Math.max(pausedUntil, now + pauseMs);
          }
          if (event === "send" && pace.opensAt <= now) pace.recordSent(now);
          if (!pace.isLimited) continue;
          expect(pace.opensAt).toBeGreaterThanOrEqual(pausedUntil);
          // One request in 20 s, after a step back: it is open 25 s from now, or 25 s after the pause.
          expect(pace.opensAt).toBeLessThanOrEqual(Math.max(now, pausedUntil) + 25_001);
        }
      }),
    );
  });
});
