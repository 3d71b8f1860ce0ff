import Decimal from "decimal.js";
import fc from "fast-check";
import { volumeType } from "../../src/simulator/nouns/volume";
import { billing, checkedTotal, sum, type Leaf } from "./support/billing";
import { harnessForSuite, type Json, paths, requests, startOfTime } from "./support/harness";

const api = harnessForSuite({ operationTime: "0" });

/* The metered usage, days, statements and balance after random changes, compared with a sum of their own. */

const hourMs = 3_600_000;

async function dailySum(from: string, to: string): Promise<Decimal> {
  const { days } = await api.get(`${billing}/cost?from=${from}&to=${to}`);
  return sum((days as Json[]).map(({ cost }) => String(cost)));
}

const made = async (path: string, body: Json): Promise<string> => (await api.create(path, body)).id;

type Kind = "volumes" | "vms" | "connections";
type IdsByKind = Record<Kind, string[]>;
type Step = (made: IdsByKind) => Promise<unknown>;

const anyPrice = fc.constantFrom("0", "0.01", "7.30", "1.5625", "99.999", "720");
const anySize = fc.integer({ min: 1, max: 900 });
const pick = fc.nat({ max: 5 });
const step = <T>(arbitrary: fc.Arbitrary<T>, run: (value: T, ids: IdsByKind) => Promise<unknown>) =>
  arbitrary.map(
    (value): Step =>
      (ids) =>
        run(value, ids),
  );
const at = (list: readonly string[], which: number): string => list[which % Math.max(list.length, 1)] ?? "x";
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: step(fc.integer({ min: 1, max: 200 * hourMs }), (ms) => api.advance(`${ms}ms`)) },
  step(fc.record({ size: anySize, type: fc.constantFrom(...volumeType.options) }), async (more, ids) =>
    ids.volumes.push(await made(paths.volumes, { ...requests.volume, ...more })),
  ),
  step(fc.constantFrom(50, 500), async (bandwidth_mbps, ids) =>
    ids.connections.push(await made(paths.connections, { ...requests.connection, bandwidth_mbps })),
  ),
  step(fc.boolean(), async (public_ip_enabled, ids) =>
    ids.vms.push(await made(paths.vms, { ...requests.vm, public_ip_enabled })),
  ),
  fc.constant(() => api.create(paths.vpcs, requests.vpc)),
  step(fc.tuple(pick, anySize), ([which, size], ids) =>
    api.call("PATCH", `${paths.volumes}/${at(ids.volumes, which)}`, { body: { size } }),
  ),
  step(
    fc.record({
      which: pick,
      public_ip_enabled: fc.boolean(),
      instance_type: fc.constantFrom("n1-standard-2", "n1-standard-4", "n1-highmem-2"),
    }),
    ({ which, ...body }, ids) => api.call("PATCH", `${paths.vms}/${at(ids.vms, which)}`, { body }),
  ),
  step(fc.tuple(fc.constantFrom<Kind[]>("volumes", "vms", "connections"), pick), ([kind, which], ids) =>
    api.call("DELETE", `${paths[kind]}/${at(ids[kind], which)}`),
  ),
  step(
    fc.tuple(fc.constantFrom("storage_abs_gb", "compute_vcpu", "networking_vpc", "networking_connect_mbps"), anyPrice),
    ([dimension, price]) => api.control("POST", "/prices", { [dimension]: price }),
  ),
);

/** What all resources cost over a time, computed from the objects, not from the metered usage. */
async function costOfTime(ms: number): Promise<Decimal> {
  const state = await api.state();
  const price = (await api.control("GET", "/prices")).body as Record<string, string>;
  const monthly = [
    ...(state["vpcs"] ?? []).map(() => [1, "networking_vpc"] as const),
    ...(state["volumes"] ?? []).map(({ size, type }) => [Number(size), `storage_${String(type)}_gb`] as const),
    ...(state["connections"] ?? []).map((one) => [Number(one["bandwidth_mbps"]), "networking_connect_mbps"] as const),
    ...(state["vms"] ?? []).flatMap((vm) => [
      [Number((vm["cpu_config"] as Json)["vcpu"]), "compute_vcpu"] as const,
      [Number((vm["memory_config"] as Json)["size"]), "compute_memory_gb"] as const,
      [vm["public_ip_enabled"] === true ? 1 : 0, "networking_public_ip"] as const,
    ]),
  ].reduce(
    (total, [quantity, dimension]) => total.plus(new Decimal(price[dimension] ?? 0).times(quantity)),
    new Decimal(0),
  );
  return monthly.times(ms).dividedBy(720 * hourMs);
}

/** What the usage records cost, at the prices of their times. */
async function costOfUsage(prices: readonly { readonly sinceMs: number; readonly price: Record<string, string> }[]) {
  const nowMs = Date.parse(String((await api.control("GET", "/clock")).body["now"]));
  const { items } = await api.get("/v1/usage?limit=100");
  const leaves = (items as Json[]).flatMap(({ dimensions }) =>
    (dimensions as Leaf[]).flatMap((segment) => segment.children ?? [segment]),
  );
  let cost = new Decimal(0);
  for (const { dimension, quantity, started_at, ended_at } of leaves) {
    for (const [index, { sinceMs, price }] of prices.entries()) {
      const from = Math.max(Date.parse(started_at), sinceMs);
      const to = Math.min(ended_at === null ? nowMs : Date.parse(ended_at), prices[index + 1]?.sinceMs ?? Infinity);
      if (from >= to) continue;
      const monthly = new Decimal(price[dimension] ?? 0).times(quantity);
      cost = cost.plus(monthly.times(to - from).dividedBy(720 * hourMs));
    }
  }
  return cost;
}

it("usage, days, statements and balance agree to the cent", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 25 }), async (program) => {
      api.reset();
      const ids = { volumes: [], vms: [], connections: [] };
      const priceNow = async () => (await api.control("GET", "/prices")).body as Record<string, string>;
      const prices = [{ sinceMs: 0, price: await priceNow() }];
      let expected = new Decimal(0);
      let lastMs = startOfTime;
      for (const step of program) {
        const before = await costOfTime(1);
        await step(ids);
        const nowMs = Date.parse(String((await api.control("GET", "/clock")).body["now"]));
        expected = expected.plus(before.times(nowMs - lastMs));
        lastMs = nowMs;
        prices.push({ sinceMs: nowMs, price: await priceNow() });
      }
      const cents = (amount: Decimal): number => amount.minus(expected).abs().toDecimalPlaces(2).toNumber();
      const days = (await dailySum("2026-03-01", "2026-05-30"))
        .plus(await dailySum("2026-05-31", "2026-08-29"))
        .plus(await dailySum("2026-08-30", "2026-11-27"));
      expect(cents(days)).toBe(0);
      expect(cents(await costOfUsage(prices))).toBe(0);
      const months = ["03", "04", "05", "06", "07", "08", "09", "10", "11"];
      const totals = await Promise.all(months.map((month) => checkedTotal(api, `2026-${month}`)));
      expect(sum(totals.map(String)).toFixed()).toBe(days.toFixed());
      const { effective_balance: balance } = await api.get(`${billing}/summary`);
      expect(new Decimal(10_000).minus(String(balance)).toFixed()).toBe(days.toFixed());
    }),
    { numRuns: 15, seed: 20_260_301, endOnFailure: true },
  );
});
