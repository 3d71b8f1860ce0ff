import { comparison, size, type SampleSize } from "./bench-samples";
import { Sandbox } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

describe("the result of a comparison", () => {
  const summary = (rounds: object[]) =>
    sandbox.value(
      'import { summarize } from "@/bench/summary.mjs";',
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

  it("has the medians of several rounds, and the most memory", async () => {
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

  it("the median of an even number is a mean", async () => {
    const rounds = [100, 200, 400, 900].map((wallMs) => round(wallMs, {}, null, [1]));
    const measured = (await summary(rounds)) as SampleSize;
    expect(measured.phases.up.package).toMatchObject({ wallMs: 300, peakBytes: null });
  });
});

/** A size at which the plain provider was left out. */
function withoutPlain(measured: SampleSize): SampleSize {
  const left = structuredClone(measured);
  for (const programs of [...Object.values(left.phases), left.stateBytes]) delete programs.plain;
  return left;
}

/** The lines of a result's tables, as Markdown. */
async function rowsOf(result: object): Promise<readonly string[]> {
  const imports = 'import { asMarkdown, tablesOf } from "@/bench/results.mjs";';
  const text = await sandbox.value(imports, `asMarkdown(tablesOf(${JSON.stringify(result)}))`);
  return String(text)
    .split("\n")
    .map((line) => line.replace(/ +/g, " "));
}

describe("the report of a comparison", () => {
  it("has the difference and the ratios of each phase", async () => {
    const rows = await rowsOf(comparison(size(100)));
    expect(rows).toContain("| no-change preview | 3.25 s | 3.00 s | 6.00 s | 250 ms | 1.08 | 0.54 |");
    expect(rows).toContain(
      "| up | 1 quote, 100 creates, 100 reads, 49 operation lists | 100 reads | 19 MB | 13 MB | 19 MB |",
    );
  });

  it("has a dash for what was not measured", async () => {
    const rows = await rowsOf(comparison(withoutPlain(size(1000))));
    expect(rows).toContain("| no-change preview | 3.25 s | 3.00 s | – | 250 ms | 1.08 | – |");
    expect(rows).toContain("| refresh | 1 list | – | 190 MB | 130 MB | – |");
  });
});
