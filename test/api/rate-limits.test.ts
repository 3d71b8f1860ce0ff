import fc from "fast-check";
import type { ApiRequest } from "../../src/api/http/request";
import { rejection } from "./support/api-fixture";
import { LimitedService, type Limit } from "./support/limited-service";

const limits: fc.Arbitrary<Limit> = fc
  .record({
    perSecond: fc.double({ min: 0.5, max: 100, noNaN: true }),
    burstSeconds: fc.double({ min: 0, max: 10, noNaN: true }),
    latencyMs: fc.integer({ min: 1, max: 500 }),
    tellsWhen: fc.boolean(),
  })
  .map(({ burstSeconds, ...limit }) => ({ ...limit, burst: Math.max(1, burstSeconds * limit.perSecond) }));

const kinds = {
  mutation: { method: "POST" },
  read: { method: "GET" },
  quote: { method: "POST", idempotent: true },
} as const satisfies Record<string, Partial<ApiRequest>>;
const workload = fc.array(
  fc.record({ kind: fc.constantFrom("mutation", "read", "quote"), afterMs: fc.nat({ max: 50 }) }),
  { minLength: 1, maxLength: 300 },
);

/** Makes the calls in turn at their times. Their names tell the kind and the order. */
async function make(service: LimitedService, calls: readonly { kind: keyof typeof kinds; afterMs: number }[]) {
  const ended: Promise<unknown>[] = [];
  const making = (async () => {
    for (const [number, { kind, afterMs }] of calls.entries()) {
      if (afterMs > 0) await service.clock.sleep(afterMs);
      ended.push(service.caller.request({ ...kinds[kind], path: [kind, String(number)] }));
    }
  })();
  await service.clock.run(86_400_000);
  await making;
  await Promise.all(ended);
}

describe("calls to a service that limits the rate", () => {
  it("all calls succeed in order, and few are refused", async () => {
    await fc.assert(
      fc.asyncProperty(limits, workload, async (limit, calls) => {
        const service = new LimitedService(limit);
        await make(service, calls);
        const paths = calls.map(({ kind }, number) => `/${kind}/${number}`);
        expect([...service.taken].sort()).toEqual([...paths].sort());
        // Before the first refusal nobody knows the limit. So as many calls can be refused as run at once.
        expect(service.refused).toBeLessThanOrEqual(32 + 0.1 * service.sent.length);
        expect([...new Set(service.sent)]).toEqual(paths);
      }),
      { numRuns: 60 },
    );
  });

  it("1,000 calls use nearly all of 20 a second", async () => {
    const service = new LimitedService({ perSecond: 20, burst: 20, latencyMs: 20, tellsWhen: true });
    const startedAt = service.clock.now();
    let endedAt = startedAt;
    const calls = Array.from({ length: 1_000 }, (_, i) =>
      service.caller.request({ method: i % 2 === 0 ? "POST" : "GET", path: [String(i)] }).then(() => {
        endedAt = service.clock.now();
      }),
    );
    await service.clock.run(600_000);
    await Promise.all(calls);
    expect(service.refused).toBeLessThanOrEqual(32 + 20);
    // Using all of it would take (1000 - 20) / 20 = 49 s.
    expect((endedAt - startedAt) / 1000).toBeLessThan(60);
  });

  it("lets no call time out in a long queue", async () => {
    const service = new LimitedService({ perSecond: 1, burst: 1, latencyMs: 20, tellsWhen: true });
    const calls = Array.from({ length: 300 }, () => ({ kind: "mutation", afterMs: 0 }) as const);
    await make(service, calls);
    expect(service.taken).toHaveLength(300);
  });

  it("calls end at their deadline if all are refused", async () => {
    const service = new LimitedService({ perSecond: 0, burst: 0, latencyMs: 20, tellsWhen: false });
    const startedAt = service.clock.now();
    const errors = Array.from({ length: 50 }, (_, i) =>
      rejection(service.caller.request({ method: "POST", path: [String(i)] })).then((error) => ({
        wasSent: service.sent.includes(`/${i}`),
        code: error["code"],
        effect: error["effect"],
        inTime: service.clock.now() - startedAt <= 150_000,
      })),
    );
    await service.clock.run(600_000);
    for (const error of await Promise.all(errors)) {
      expect(["RATE_LIMITED", "PAUSED", "TIMEOUT"]).toContain(error.code);
      // A refusal may be the answer to a second delivery. So after one, a call that ends without an answer may have had
      // an effect.
      const mayHaveEffect = error.code !== "RATE_LIMITED" && error.wasSent;
      expect(error).toMatchObject({ effect: mayHaveEffect ? "unknown" : "none", inTime: true });
    }
    expect(service.taken).toEqual([]);
  });
});
