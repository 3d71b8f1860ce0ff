import { z } from "zod";
import { invalid } from "../model/rejection";
import { findInstanceType } from "../model/catalogs";
import { formatTimestamp } from "../model/time";
import { listOf, textList } from "../schemas/lists";
import { dateTime, dateTimeInput } from "../schemas/primitives";
import type { Call } from "../services/call";
import { type Endpoint, showEndpoint } from "../services/endpoint";

/**
 * The metrics of a VM (names, units and rules are those of the public clients). The values are made up, and the same
 * for each request.
 */

const prefix = "compute.nirvanalabs.io/vm/";

/** How the values of a period become one value. */
const aggregations = ["mean", "max", "min"] as const;

type Aggregation = (typeof aggregations)[number];

const minuteMs = 60_000;

/** The possible lengths of a period, shortest first. */
const periodsMs = {
  "5m": 5 * minuteMs,
  "15m": 15 * minuteMs,
  "1h": 60 * minuteMs,
  "6h": 360 * minuteMs,
  "24h": 1440 * minuteMs,
} as const;

type Period = keyof typeof periodsMs;

interface MeasuredVm {
  readonly id: string;
  readonly region: string;
  readonly instance_type: string;
  readonly created_at: string;
}

const gigabyte = 1_000_000_000;

interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly text: string;
  /** The highest value. Absent if the metric has none. */
  readonly max?: number;
  of(load: number, size: { readonly vcpu: number; readonly memory_gb: number }): number;
}

/** Each metric: its unit, its ceiling, and the value for a load between 0 and 1. */
const described: readonly Metric[] = [
  { name: "cpu/used_cores", unit: "cores", text: "Cores in use", of: (load, { vcpu }) => load * vcpu },
  { name: "cpu/utilization", unit: "ratio", text: "Share of the cores in use", max: 1, of: (load) => load },
  {
    name: "memory/used_bytes",
    unit: "bytes",
    text: "Memory in use",
    of: (load, size) => load * size.memory_gb * gigabyte,
  },
  { name: "memory/utilization", unit: "ratio", text: "Share of the memory in use", max: 1, of: (load) => load },
  { name: "disk/read_bytes", unit: "bytes_per_second", text: "Bytes read from disks", of: (load) => load * 2e8 },
  { name: "disk/write_bytes", unit: "bytes_per_second", text: "Bytes written to disks", of: (load) => load * 1e8 },
  { name: "disk/read_ops", unit: "operations_per_second", text: "Reads from disks", of: (load) => load * 5000 },
  { name: "disk/write_ops", unit: "operations_per_second", text: "Writes to disks", of: (load) => load * 3000 },
  { name: "network/rx_bytes", unit: "bytes_per_second", text: "Bytes received", of: (load) => load * 3e8 },
  { name: "network/tx_bytes", unit: "bytes_per_second", text: "Bytes sent", of: (load) => load * 2e8 },
];

/** Every metric of a VM, by its full name. */
const metrics = described.map((metric) => ({ ...metric, name: prefix + metric.name }));

/** The points of a metric, one at the end of each complete period. The value is null if the VM reported nothing. */
function seriesOf(
  vm: MeasuredVm,
  metric: Metric,
  { startMs, endMs, period, aggregation }: { startMs: number; endMs: number; period: Period; aggregation: Aggregation },
) {
  const widthMs = periodsMs[period];
  const sinceMs = Date.parse(vm.created_at);
  const size = findInstanceType(vm.region, vm.instance_type) ?? { vcpu: 1, memory_gb: 1 };
  const points: object[] = [];
  // Memory and CPU have different loads; the metrics of each share one.
  const source = hashed(`${vm.id} ${metric.name.replace(/(used_cores|used_bytes|utilization)$/, "")} `);
  for (let atMs = startMs + widthMs; atMs <= endMs; atMs += widthMs) {
    const values: number[] = [];
    for (let sampleMs = atMs - widthMs; sampleMs < atMs; sampleMs += periodsMs["5m"]) {
      if (sampleMs >= sinceMs) values.push(metric.of(loadOf(hashed(String(sampleMs), source)), size));
    }
    points.push({ timestamp: formatTimestamp(atMs), value: values.length === 0 ? null : folded(values, aggregation) });
  }
  return points;
}

function folded(values: readonly number[], aggregation: Aggregation): number {
  if (aggregation === "mean") return values.reduce((sum, value) => sum + value, 0) / values.length;
  return aggregation === "max" ? Math.max(...values) : Math.min(...values);
}

/** FNV-1a. It can continue from the hash of a preceding text. */
function hashed(text: string, before = 2_166_136_261): number {
  let hash = before;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash;
}

/** A load between 0.05 and 0.95, derived from the hash only. */
function loadOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 2_246_822_507) >>> 0;
  return 0.05 + 0.9 * ((mixed % 100_000) / 100_000);
}

const needs = { resourceType: "vm", level: "read" } as const;

const hourMs = 3_600_000;
const keptMs = 30 * 24 * hourMs;
const mostPeriods = 1440;

const periods = Object.keys(periodsMs) as [Period, ...Period[]];
const names = metrics.map(({ name }) => name);
const unit = z.enum(["ratio", "bytes", "cores", "bytes_per_second", "operations_per_second"]);

const metricFilter = textList
  .refine((given) => given.every((name) => names.includes(name)), `must be one or more of ${names.join(", ")}`)
  .optional();

/** The requested interval, cut to now and to the 30 days that are kept. Default: the last hour. */
function intervalOf(from: string | undefined, to: string | undefined, nowMs: number) {
  const endMs = Math.min(to === undefined ? nowMs : Date.parse(to), nowMs);
  const fromMs = from === undefined ? endMs - hourMs : Date.parse(from);
  if (fromMs >= endMs) throw invalid({ start_time: "must be before end_time, and in the past" });
  const startMs = Math.max(fromMs, nowMs - keptMs);
  if (startMs >= endMs) throw invalid({ end_time: "must be within the 30 days that are kept" });
  return { startMs, endMs };
}

export function vmMetricsEndpoints(findVm: (call: Call) => MeasuredVm): readonly Endpoint[] {
  return [
    showEndpoint({
      path: "/v1/compute/metric_descriptors",
      operationId: "listVmMetricDescriptors",
      summary: "Describes every metric of a VM.",
      needs,
      response: listOf(
        z.object({
          metric: z.string(),
          description: z.string(),
          unit,
          min_value: z.number(),
          max_value: z.number().nullable(),
          nullable: z.boolean(),
        }),
      ),
      show: () => ({
        items: metrics.map(({ name, text, unit: measuredIn, max = null }) => ({
          ...{ metric: name, description: text, unit: measuredIn, min_value: 0, max_value: max, nullable: true },
        })),
        pagination: { next_cursor: null, previous_cursor: null, total_count: metrics.length },
      }),
    }),
    showEndpoint({
      path: "/v1/compute/vms/{vm_id}/metrics",
      operationId: "listVmMetrics",
      summary: "Shows the metrics of a VM over an interval, all on one grid of periods.",
      needs,
      query: z.object({
        start_time: dateTimeInput.optional().describe("An hour before the end if it is absent"),
        end_time: dateTimeInput.optional().describe("Default: now"),
        period: z.enum(periods).optional().describe("Default: the shortest that fits"),
        aggregation: z.enum(aggregations).default("mean"),
        metric: metricFilter.describe("Default: all"),
      }),
      response: z.object({
        vm_id: z.string(),
        start_time: dateTime,
        end_time: dateTime,
        period: z.enum(periods),
        aggregation: z.enum(aggregations),
        metrics: z.array(
          z.object({
            metric: z.string(),
            unit,
            points: z.array(z.object({ timestamp: dateTime, value: z.number().nullable() })),
          }),
        ),
      }),
      show(call) {
        const vm = findVm(call);
        const { aggregation, metric: given = names, period: givenPeriod, start_time, end_time } = call.query();
        const interval = intervalOf(start_time, end_time, call.nowMs);
        const fits =
          periods.find((one) => (interval.endMs - interval.startMs) / periodsMs[one] <= mostPeriods) ?? "24h";
        const period = givenPeriod ?? fits;
        if (periodsMs[period] < periodsMs[fits]) {
          throw invalid({ period: `more than ${mostPeriods} periods: a period of ${fits} fits` });
        }
        return {
          vm_id: vm.id,
          start_time: formatTimestamp(interval.startMs),
          end_time: formatTimestamp(interval.endMs),
          ...{ period, aggregation },
          metrics: given
            .flatMap((name) => metrics.filter((metric) => metric.name === name))
            .map((metric) => ({
              ...{ metric: metric.name, unit: metric.unit },
              points: seriesOf(vm, metric, { ...interval, period, aggregation }),
            })),
        };
      },
    }),
  ];
}
