import { comparison, size, type SampleSize } from "./bench-samples";
import { Sandbox } from "./sandbox";

let sandbox: Sandbox;
beforeEach(() => (sandbox = new Sandbox()));
afterEach(() => sandbox.remove());

describe("the result of a comparison", () => {
  const summary = (rounds: object[]) =>
    sandbox.value(
      'import { summarize } from "@/bench/compare/summary.mjs";',
      `summarize({ sizes: [{ resources: 2, runs: 3, rounds: ${JSON.stringify(rounds)} }] }).sizes[0]`,
    );
  const round = (wallMs: number, calls: object, peakBytes: number | null, bytes: number[]) => ({
    runs: Object.fromEntries(
      ["new preview", "up", "no-change preview", "one-change preview", "refresh", "destroy"].map((phase) => [
        phase,
        { package: { wallMs, calls, peakBytes } },
      ]),
    ),
    stateBytes: { package: bytes },
  });

  it("when there are several rounds, it has the medians of times and calls, and the most memory", async () => {
    const measured = (await summary([
      round(900, { create: 2, read: 1 }, 5, [10, 20]),
      round(100, { create: 2 }, 9, [10, 30]),
      round(300, { create: 4 }, null, [10, 40]),
    ])) as SampleSize;
    expect(measured.phases.up).toEqual({
      package: { wallMs: 300, wallMsOfRuns: [900, 100, 300], calls: { create: 2 }, peakBytes: 9 },
    });
    expect(measured.stateBytes).toEqual({ package: { largest: 40, mean: 20 } });
  });

  it("when the number of rounds is even, the median is the mean of the two in the middle", async () => {
    const rounds = [100, 200, 400, 900].map((wallMs) => round(wallMs, {}, null, [1]));
    const measured = (await summary(rounds)) as SampleSize;
    expect(measured.phases.up.package).toMatchObject({ wallMs: 300, peakBytes: null });
  });
});

describe("the time that a comparison has left", () => {
  const left = (steps: string) =>
    sandbox.value(
      'import { TimeLeft } from "@/bench/compare/estimate.mjs"; import { PHASES, PROGRAMS } from "@/bench/compare/round.mjs";',
      `(() => {
        const left = new TimeLeft([{ resources: 100, runs: 2 }], 8);
        const runs = [1, 2].flatMap(() => PHASES.flatMap((phase) => PROGRAMS.map((program) => [100, phase, program])));
        ${steps}
      })()`,
    );

  it("when runs have been measured, it goes by them, and the last run has nothing behind it", async () => {
    expect(
      await left(`return runs.map((run) => {
        const [nowMs, laterMs] = left.before(...run);
        left.took(...run, 1000);
        return [nowMs, laterMs];
      }).slice(18);`),
    ).toEqual(Array.from({ length: 18 }, (_, i) => [1000, 1000 * (17 - i)]));
  });

  it("when none has been yet, runs that wait for operations are taken to be longer than those that do not", async () => {
    const guessed =
      await left(`return [left.before(100, "new preview", "package")[0], left.before(100, "up", "floor")[0],
      left.before(100, "up", "package")[0]];`);
    expect(guessed).toEqual([...(guessed as number[])].sort((a, b) => a - b));
    expect(new Set(guessed as number[]).size).toBe(3);
  });
});

describe("the goals of a comparison", () => {
  const goals = async (...sizes: SampleSize[]) =>
    (await sandbox.value(
      'import { comparisonGoals } from "@/bench/compare/goals.mjs";',
      `comparisonGoals(${JSON.stringify(comparison(...sizes))})`,
    )) as { text: string; measured: string; met: boolean }[];
  const missed = async (...sizes: SampleSize[]) =>
    (await goals(...sizes)).filter(({ met }) => !met).map(({ text, measured }) => `${text} (${measured})`);

  it("when every figure is at its limit, all of them are met", async () => {
    const all = await goals(size(10), size(100), size(1000, 30_000));
    expect(all).toHaveLength(14);
    expect(all.filter(({ met }) => !met)).toEqual([]);
  });

  it("when neither 100 nor 1,000 resources were measured, there is none to tell of", async () => {
    expect(await goals(size(10), size(50))).toEqual([]);
  });

  it("when every figure at 100 is just beyond its limit, none is met, and each says what was measured", async () => {
    const slow = size(100);
    for (const programs of Object.values(slow.phases)) {
      programs.package.wallMs += 1;
      programs.package.calls = { ...programs.package.calls, quote: (programs.package.calls["quote"] ?? 0) + 1 };
    }
    slow.phases["new preview"].package = { ...slow.phases["new preview"].package, wallMs: 5401, calls: { quote: 101 } };
    slow.stateBytes.package.largest = 4001;
    expect(await missed(slow)).toEqual([
      "100: new preview, over the floor, at most 2.40 s (2.40 s)",
      "100: new preview, quotes, at most 100 (101)",
      "100: up, over the floor, at most 16.90 s (16.90 s)",
      "100: up, quotes of one price: 1 (2)",
      "100: up, calls, at most 250 (251)",
      "100: no-change preview, over the floor, at most 250 ms (251 ms)",
      "100: no-change preview, calls: 0 (1)",
      "100: refresh, calls for one collection: 1 (2)",
      "100: destroy, over the floor, at most 16.90 s (16.90 s)",
      "100: destroy, calls, at most 150 (151)",
      "100: a resource in the state, at most 4 kB (4001 B)",
    ]);
  });

  it("when the floor takes long, a tenth of it is allowed to a new preview", async () => {
    const large = size(100, 6000);
    large.phases["new preview"].package.wallMs = 6600;
    expect(await missed(large)).toEqual([]);
  });

  it("when 1,000 resources take more for each than 100 do, it names the phase that is worst", async () => {
    const large = size(1000, 30_000);
    large.phases.refresh.package.wallMs = 40_000;
    large.phases.up.package.peakBytes = 240e6;
    expect(await missed(size(100), large)).toEqual([
      "1,000: time a resource, at most 1.2 of that at 100 (1.29 in refresh (the floor: 1.00))",
      "1,000: memory a resource, at most 1.2 of that at 100 (1.26 in up)",
      "1,000: memory of the plugin, over the floor, at most 60 MB (110 MB in up)",
    ]);
  });

  it("when the system does not tell of memory, those goals are not met", async () => {
    const [hundred, thousand] = [size(100), size(1000, 30_000)];
    thousand.phases.up.package.peakBytes = null;
    expect(await missed(hundred, thousand)).toEqual([
      "1,000: memory a resource, at most 1.2 of that at 100 (unknown)",
      "1,000: memory of the plugin, over the floor, at most 60 MB (unknown)",
    ]);
  });
});
