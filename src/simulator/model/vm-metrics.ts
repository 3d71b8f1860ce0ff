/**
 * The metrics of a VM (names, units and rules are those of the public clients). They are made up, and the same for each
 * request.
 */

import { formatTimestamp } from "./timestamp";

const prefix = "compute.nirvanalabs.io/vm/";

/** How values inside one period become one. */
export const aggregations = ["mean", "max", "min"] as const;

/** How values inside one period become one. */
export type Aggregation = (typeof aggregations)[number];

const minuteMs = 60_000;

/** The width of a period, the narrowest first. */
export const periodsMs = {
  "5m": 5 * minuteMs,
  "15m": 15 * minuteMs,
  "1h": 60 * minuteMs,
  "6h": 360 * minuteMs,
  "24h": 1440 * minuteMs,
} as const;

/** The width of a period. */
export type Period = keyof typeof periodsMs;

/** A VM as far as its metrics depend on it. */
export interface MeasuredVm {
  readonly id: string;
  readonly sinceMs: number;
  readonly vcpu: number;
  readonly memoryGb: number;
}

const gigabyte = 1_000_000_000;

/** A metric that a VM reports. */
export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly text: string;
  /** The highest value. Absent if there is no limit of its own. */
  readonly max?: number;
  of(load: number, vm: MeasuredVm): number;
}

/** Each metric: its unit, its ceiling, and the value for a load between 0 and 1. */
const described: readonly Metric[] = [
  { name: "cpu/used_cores", unit: "cores", text: "Cores in use", of: (load, { vcpu }) => load * vcpu },
  { name: "cpu/utilization", unit: "ratio", text: "Share of the cores in use", max: 1, of: (load) => load },
  { name: "memory/used_bytes", unit: "bytes", text: "Memory in use", of: (load, vm) => load * vm.memoryGb * gigabyte },
  { name: "memory/utilization", unit: "ratio", text: "Share of the memory in use", max: 1, of: (load) => load },
  { name: "disk/read_bytes", unit: "bytes_per_second", text: "Bytes read from disks", of: (load) => load * 2e8 },
  { name: "disk/write_bytes", unit: "bytes_per_second", text: "Bytes written to disks", of: (load) => load * 1e8 },
  { name: "disk/read_ops", unit: "operations_per_second", text: "Reads from disks", of: (load) => load * 5000 },
  { name: "disk/write_ops", unit: "operations_per_second", text: "Writes to disks", of: (load) => load * 3000 },
  { name: "network/rx_bytes", unit: "bytes_per_second", text: "Bytes received", of: (load) => load * 3e8 },
  { name: "network/tx_bytes", unit: "bytes_per_second", text: "Bytes sent", of: (load) => load * 2e8 },
];

/** Every metric of a VM, by its full name. */
export const metrics = described.map((metric) => ({ ...metric, name: prefix + metric.name }));

/** A value of a series, at the end of its period. Null if the VM reported nothing. */
interface MetricPoint {
  readonly timestamp: string;
  readonly value: number | null;
}

/** The values of a metric: one for each whole period from the start on. */
export function seriesOf(
  vm: MeasuredVm,
  metric: Metric,
  { startMs, endMs, period, aggregation }: { startMs: number; endMs: number; period: Period; aggregation: Aggregation },
): readonly MetricPoint[] {
  const widthMs = periodsMs[period];
  const points: MetricPoint[] = [];
  // Memory and CPU have loads of their own, their two metrics the same one.
  const source = hashed(`${vm.id} ${metric.name.replace(/(used_cores|used_bytes|utilization)$/, "")} `);
  for (let atMs = startMs + widthMs; atMs <= endMs; atMs += widthMs) {
    const values: number[] = [];
    for (let sampleMs = atMs - widthMs; sampleMs < atMs; sampleMs += periodsMs["5m"]) {
      if (sampleMs >= vm.sinceMs) values.push(metric.of(loadOf(hashed(String(sampleMs), source)), vm));
    }
    points.push({
      timestamp: formatTimestamp(atMs),
      value: values.length === 0 ? null : folded(values, aggregation),
    });
  }
  return points;
}

function folded(values: readonly number[], aggregation: Aggregation): number {
  if (aggregation === "mean") return values.reduce((sum, value) => sum + value, 0) / values.length;
  return aggregation === "max" ? Math.max(...values) : Math.min(...values);
}

/** FNV-1a, which can go on from the hash of what stands before the text. */
function hashed(text: string, before = 2_166_136_261): number {
  let hash = before;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash;
}

/** A load between 0.05 and 0.95 that the hash alone decides. */
function loadOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 2_246_822_507) >>> 0;
  return 0.05 + 0.9 * ((mixed % 100_000) / 100_000);
}
