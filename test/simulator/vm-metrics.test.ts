import { badParameters, expectRejected, harnessForSuite, type Json, paths, requests } from "./support/harness";

const api = harnessForSuite({ operationTime: "0" }, { keeps: true });
let vm: string;
beforeAll(async () => {
  await api.advance("10d");
  vm = (await api.create(paths.vms, requests.vm)).id;
  await api.advance("50d");
});

interface Series {
  readonly metric: string;
  readonly unit: string;
  readonly points: readonly { readonly timestamp: string; readonly value: number | null }[];
}

const cpu = "compute.nirvanalabs.io/vm/cpu";

async function ask(query: string): Promise<Json & { readonly metrics: readonly Series[] }> {
  const { status, body } = await api.call("GET", `${paths.vms}/${vm}/metrics?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body as Json & { readonly metrics: readonly Series[] };
}

it("serves all metrics of the last hour by default", async () => {
  const { items, pagination } = await api.get("/v1/compute/metric_descriptors");
  const described = items as Json[];
  expect(pagination).toEqual({ next_cursor: null, previous_cursor: null, total_count: 10 });
  const { metrics, ...rest } = await ask("");
  const hour = { start_time: "2026-04-30T11:00:00Z", end_time: "2026-04-30T12:00:00Z" };
  expect(rest).toEqual({ vm_id: vm, ...hour, period: "5m", aggregation: "mean" });
  const namesOf = (all: readonly { metric?: unknown; unit?: unknown }[]) =>
    all.map(({ metric, unit }) => [metric, unit]);
  expect(namesOf(metrics)).toEqual(namesOf(described));
  const grids = metrics.map(({ points }) => points.map(({ timestamp }) => timestamp));
  expect(new Set(grids.map(String)).size).toBe(1);
  const [grid] = grids;
  expect([grid?.length, grid?.[0], grid?.at(-1)]).toEqual([12, "2026-04-30T11:05:00Z", "2026-04-30T12:00:00Z"]);
  for (const [index, { points }] of metrics.entries()) {
    const { min_value: min, max_value: max } = described[index] ?? {};
    const values = points.map(({ value }) => Number(value));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(Number(min));
    expect(Math.max(...values)).toBeLessThanOrEqual(max === null ? Infinity : Number(max));
  }
});

it("serves the named metrics, the same each time", async () => {
  const joined = await ask(`metric=${cpu}/utilization,${cpu}/used_cores`);
  expect(joined.metrics.map(({ metric }) => metric)).toEqual([`${cpu}/utilization`, `${cpu}/used_cores`]);
  expect(await ask(`metric=${cpu}/utilization&metric=${cpu}/used_cores`)).toEqual(joined);
  const [share, cores] = joined.metrics;
  expect(cores?.points.map(({ value }) => value)).toEqual(share?.points.map(({ value }) => 2 * Number(value)));
});

it("a value is its period's mean, maximum or minimum", async () => {
  const of = async (aggregation: string, period: string) => {
    const { metrics } = await ask(`metric=${cpu}/utilization&period=${period}&aggregation=${aggregation}`);
    return metrics.flatMap(({ points }) => points.map(({ value }) => Number(value)));
  };
  const samples = await of("mean", "5m");
  expect(await of("max", "1h")).toEqual([Math.max(...samples)]);
  expect(await of("min", "1h")).toEqual([Math.min(...samples)]);
  expect((await of("mean", "1h"))[0]).toBeCloseTo(samples.reduce((sum, value) => sum + value, 0) / 12, 10);
});

it("chooses the shortest period possible for thirty days", async () => {
  const long = await ask("start_time=2026-01-01T00:00:00Z");
  expect([long["start_time"], long["period"]]).toEqual(["2026-03-31T12:00:00Z", "1h"]);
  expect(long.metrics[0]?.points).toHaveLength(720);
  const reply = await api.call("GET", `${paths.vms}/${vm}/metrics?start_time=2026-04-20T00:00:00Z&period=5m`);
  expect([reply.status, badParameters(reply)]).toEqual([400, ["period"]]);
  expect(JSON.stringify(reply.body)).toContain("15m fits");
});

it("metrics have no values before the VM existed", async () => {
  const { at } = await api.create(paths.vms, requests.vm);
  await api.advance("10m");
  const { metrics } = await api.get(`${at}/metrics?metric=${cpu}/utilization`);
  const isNull = (metrics as Series[])[0]?.points.map(({ value }) => value === null);
  expect(isNull).toEqual([...Array<boolean>(10).fill(true), false, false]);
});

it.each([
  ["metric=cpu", "metric"],
  ["period=1m", "period"],
  ["aggregation=sum", "aggregation"],
  ["start_time=2026-04-30T12:00:00Z&end_time=2026-04-30T11:00:00Z", "start_time"],
  ["start_time=2027-01-01T00:00:00Z", "start_time"],
  ["start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z", "end_time"],
])("rejects metrics with %s", (query, bad) =>
  expectRejected(api, "GET", [`${paths.vms}/${vm}/metrics?${query}`], undefined, bad),
);
