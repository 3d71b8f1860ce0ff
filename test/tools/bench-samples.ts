export interface MeasuredRun {
  wallMs: number;
  calls: Record<string, number>;
  peakBytes: number | null;
}

/** A value for each program. The plain provider may be missing. */
type ByProgram<T> = Record<"package" | "floor", T> & { plain?: T };

/** One phase of a comparison. */
export type Phase = ByProgram<MeasuredRun>;

/** A made-up size of a comparison. */
export function size(resources: number, floorMs = 3000): SampleSize {
  const run = (wallMs: number, calls: Record<string, number> = {}, bytesEach = 190_000): MeasuredRun => ({
    wallMs,
    calls,
    peakBytes: resources * bytesEach,
  });
  const phase = (addedMs: number, calls: Record<string, number>): Phase => ({
    package: run(floorMs + addedMs, calls),
    floor: run(floorMs, {}, 130_000),
    plain: run(2 * floorMs, { read: resources }),
  });
  return {
    resources,
    runs: 5,
    phases: {
      "new preview": phase(400, { quote: 1 }),
      up: phase(16_900, { quote: 1, create: 100, read: 100, "operation list": 49 }),
      "no-change preview": phase(250, {}),
      "one-change preview": phase(250, { quote: 1 }),
      refresh: phase(100, { list: 1 }),
      destroy: phase(16_900, { delete: 100, "operation list": 50 }),
    },
    stateBytes: {
      package: { largest: 4000, mean: 3900 },
      floor: { largest: 1800, mean: 1800 },
      plain: { largest: 12_000, mean: 12_000 },
    },
  };
}

/** The shape of one size. */
export interface SampleSize {
  resources: number;
  runs: number;
  phases: Record<"new preview" | "up" | "no-change preview" | "one-change preview" | "refresh" | "destroy", Phase>;
  stateBytes: ByProgram<{ largest: number; mean: number }>;
}

/** A comparison of these sizes. */
export function comparison(...sizes: SampleSize[]): object {
  const machine = {
    ...{ date: "2026-01-31", cores: 2, processor: "made up", memoryGb: 8, system: "linux x64", node: "24.0.0" },
    load: 0.1,
    engine: "3.230.0",
  };
  const settings = { operationTime: "1s", latency: "20ms", parallel: 8 };
  return { bench: "compare", command: "npm run bench", machine, settings, sizes };
}
