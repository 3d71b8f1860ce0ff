import { z } from "zod";
import { invalid } from "../model/api-error";
import { findInstanceType } from "../model/catalogues";
import { formatTimestamp } from "../model/timestamp";
import { aggregations, metrics, type Period, periodsMs, seriesOf } from "../model/vm-metrics";
import { listOf } from "../schemas/list";
import { dateTime, dateTimeInput } from "../schemas/primitives";
import type { CallContext } from "../services/call";
import { type AnyEndpoint, showEndpoint } from "../services/endpoint";

const needs = { resourceType: "vm", level: "read" } as const;

const hourMs = 3_600_000;
const keptMs = 30 * 24 * hourMs;
const mostPeriods = 1440;

const periods = Object.keys(periodsMs) as [Period, ...Period[]];
const names = metrics.map(({ name }) => name);
const unit = z.enum(["ratio", "bytes", "cores", "bytes_per_second", "operations_per_second"]);

const metricFilter = z
  .union([z.string(), z.array(z.string())])
  .transform((asked) => (typeof asked === "string" ? [asked] : asked).flatMap((text) => text.split(",")))
  .refine((asked) => asked.every((name) => names.includes(name)), `must be one or more of ${names.join(", ")}`)
  .optional();

/** The VM of a request, as far as its metrics depend on it. */
interface FoundVm {
  readonly id: string;
  readonly region: string;
  readonly instance_type: string;
  readonly created_at: string;
}

/** The served interval: the last hour by default, and nothing older than the kept time. */
function intervalOf(
  {
    start_time: from,
    end_time: to,
  }: { readonly start_time?: string | undefined; readonly end_time?: string | undefined },
  nowMs: number,
): { readonly startMs: number; readonly endMs: number } {
  const endMs = Math.min(to === undefined ? nowMs : Date.parse(to), nowMs);
  const asked = from === undefined ? endMs - hourMs : Date.parse(from);
  if (asked >= endMs) throw invalid({ start_time: "must be before end_time, and in the past" });
  const startMs = Math.max(asked, nowMs - keptMs);
  if (startMs >= endMs) throw invalid({ end_time: "must be within the 30 days that are kept" });
  return { startMs, endMs };
}

/** The metrics of a VM, and their list. */
export function vmMetricsEndpoints(findVm: (call: CallContext) => FoundVm): readonly AnyEndpoint[] {
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
        end_time: dateTimeInput.optional().describe("Now if it is absent"),
        period: z.enum(periods).optional().describe("The narrowest that fits if it is absent"),
        aggregation: z.enum(aggregations).default("mean"),
        metric: metricFilter.describe("All if it is absent"),
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
        const { aggregation, metric: asked = names, period: askedPeriod, ...times } = call.query();
        const interval = intervalOf(times, call.nowMs);
        const fits =
          periods.find((one) => (interval.endMs - interval.startMs) / periodsMs[one] <= mostPeriods) ?? "24h";
        const period = askedPeriod ?? fits;
        if (periodsMs[period] < periodsMs[fits]) {
          throw invalid({ period: `more than ${mostPeriods} periods: a period of ${fits} fits` });
        }
        const type = findInstanceType(vm.region, vm.instance_type);
        const measured = {
          id: vm.id,
          sinceMs: Date.parse(vm.created_at),
          vcpu: type?.vcpu ?? 1,
          memoryGb: type?.memory_gb ?? 1,
        };
        return {
          vm_id: vm.id,
          start_time: formatTimestamp(interval.startMs),
          end_time: formatTimestamp(interval.endMs),
          ...{ period, aggregation },
          metrics: asked.flatMap((name) =>
            metrics
              .filter((metric) => metric.name === name)
              .map((metric) => ({
                ...{ metric: name, unit: metric.unit },
                points: seriesOf(measured, metric, { ...interval, period, aggregation }),
              })),
          ),
        };
      },
    }),
  ];
}
