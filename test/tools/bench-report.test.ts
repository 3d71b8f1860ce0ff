import { join } from "node:path";
import { comparison, size, type SampleSize } from "./bench-samples";
import { Sandbox, TOOLS } from "./sandbox";

let sandbox: Sandbox;
beforeEach(() => (sandbox = new Sandbox()));
afterEach(() => sandbox.remove());

const bench = (...args: string[]) => sandbox.run([join(TOOLS, "bench", "bench.mjs"), ...args]);

describe("the report of a comparison", () => {
  it("when a comparison is reported, each phase has its difference and its ratios", async () => {
    const file = sandbox.write("result.json", JSON.stringify(comparison(size(100))));
    const { code, stdout } = await bench("report", file);
    expect(code).toBe(0);
    const rows = stdout.split("\n").map((line) => line.replace(/ +/g, " "));
    expect(rows).toContain("| no-change preview | 3.25 s | 3.00 s | 6.00 s | 250 ms | 1.08 | 0.54 |");
    expect(rows).toContain(
      "| up | 1 quote, 100 creates, 100 reads, 49 operation lists | 100 reads | 19 MB | 13 MB | 19 MB |",
    );
    expect(rows.filter((row) => row.endsWith(" | yes |"))).toHaveLength(11);
  });
});

/** A size at which the plain provider was left out. */
function withoutPlain(measured: SampleSize): SampleSize {
  const left = structuredClone(measured);
  for (const programs of [...Object.values(left.phases), left.stateBytes]) delete programs.plain;
  return left;
}

describe("a size at which the plain provider was left out", () => {
  it("when it is reported, a dash stands for what was not measured, and the rest is there", async () => {
    const file = sandbox.write("result.json", JSON.stringify(comparison(withoutPlain(size(1000)))));
    const rows = (await bench("report", file)).stdout.split("\n").map((line) => line.replace(/ +/g, " "));
    expect(rows).toContain("| no-change preview | 3.25 s | 3.00 s | – | 250 ms | 1.08 | – |");
    expect(rows).toContain("| refresh | 1 list | – | 190 MB | 130 MB | – |");
  });

  it("when it is drawn, the plain provider's line ends before it", async () => {
    const svg = await sandbox.value(
      'import { drawChart } from "@/bench/compare/chart.mjs";',
      `drawChart(${JSON.stringify(comparison(size(10), size(100), withoutPlain(size(1000))))})`,
    );
    const pointsOfLines = Array.from(String(svg).matchAll(/<polyline points="([^"]*)"/g), ([, points]) =>
      String(points).split(" "),
    );
    expect(pointsOfLines.map((points) => points.length)).toEqual(Array.from({ length: 6 }, () => [3, 3, 2]).flat());
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe("the chart of a comparison", () => {
  const draw = (...sizes: SampleSize[]) =>
    sandbox.value(
      'import { drawChart } from "@/bench/compare/chart.mjs";',
      `drawChart(${JSON.stringify(comparison(...sizes))})`,
    ) as Promise<string>;

  it("when it is drawn, each bar has its value, is as long as it, and stands in the description too", async () => {
    const svg = await draw(size(10), size(100));
    expect(svg).toContain(`<title id="title">`);
    expect(svg).toContain("up: this package 19.90 s, floor: nothing is done 3.00 s, plain dynamic provider 6.00 s.");
    const bars = Array.from(svg.matchAll(/<rect x="0"[^>]* width="([\d.]+)"[^>]*\/><text[^>]*>([^<]+)</g), (bar) => [
      Number(bar[1]),
      bar[2],
    ]);
    expect(bars).toHaveLength(6 * 3);
    const [longest = 0] = bars[3] ?? [];
    expect(bars.slice(3, 6)).toEqual([
      [longest, "19.90 s"],
      [expect.closeTo((Number(longest) * 3) / 19.9, 1), "3.00 s"],
      [expect.closeTo((Number(longest) * 6) / 19.9, 1), "6.00 s"],
    ]);
  });

  it("when there is one size only, it shows no growth, and no coordinate is missing", async () => {
    const [one, two] = [await draw(size(100)), await draw(size(10), size(100))];
    expect([one.match(/<polyline/g), two.match(/<polyline/g)?.length]).toEqual([null, 18]);
    expect(one + two).not.toMatch(/NaN|undefined|Infinity/);
  });
});
