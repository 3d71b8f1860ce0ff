import { join } from "node:path";
import { comparison, size, type SampleSize } from "./bench-samples";
import { Sandbox, TOOLS } from "./sandbox";

let sandbox: Sandbox;
beforeEach(() => (sandbox = new Sandbox()));
afterEach(() => sandbox.remove());

/** What an expression over the modules of the bench gives. */
async function evaluated(imports: string, expression: string): Promise<unknown> {
  const { stdout, stderr } = await sandbox.evaluate(
    imports.replaceAll('"@/', '"@/bench/'),
    `console.log(JSON.stringify(await (${expression})));`,
  );
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as unknown;
}

const bench = (...args: string[]) => sandbox.run([join(TOOLS, "bench", "bench.mjs"), ...args]);

describe("npm run bench", () => {
  it("when the name is of no bench, it names those that there are", async () => {
    const { code, stderr } = await bench("speed");
    expect(code).toBe(2);
    expect(stderr).toMatch(/usage: npm run bench -- \[compare\|start\|quotes\|/);
  });

  it("when a name of no bench is to be recorded, it names those that are, and measures nothing", async () => {
    const { code, stdout, stderr } = await bench("record", "load");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe("usage: npm run bench -- record [start] [quotes] [simulator] [profile] [compare]\n");
  });

  it.each([
    [["--resources", "10,many"], '--resources takes whole numbers from 1 on, such as 10 or 10,100, not "10,many".'],
    [["--resources", "0"], "--resources takes whole numbers"],
    [["quotes", "--runs", "1,2"], '--runs takes one number, not "1,2".'],
    [["--rounds", "3"], "Options: --resources, --runs, --plain-up-to, --operation-time"],
  ])("when the options are %j, it says in a line what is wrong, and measures nothing", async (args, sentence) => {
    const { code, stdout, stderr } = await bench(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("the requests of a run", () => {
  it("when they are counted, each is of the kind that it asks for", async () => {
    const id = "00000000-0000-4000-8000-000000000003";
    const rules = `/v1/networking/vpcs/${id}/firewall_rules`;
    const requests = [
      ["POST", `${rules}/cost`],
      ["PATCH", `${rules}/${id}/cost`],
      ["POST", rules],
      ["GET", "/v1/operations"],
      ["GET", `/v1/operations/${id}`],
      ["GET", rules],
      ["GET", `${rules}/${id}`],
      ["PATCH", `${rules}/${id}`],
      ["DELETE", `${rules}/${id}`],
    ].map(([method, path]) => ({ method, path }));
    expect(await evaluated('import { tally } from "@/requests.mjs";', `tally(${JSON.stringify(requests)})`)).toEqual({
      ...{ quote: 2, create: 1, "operation list": 1, "operation read": 1, list: 1, read: 1, update: 1, delete: 1 },
    });
  });
});

describe("the result of a comparison", () => {
  const summary = (rounds: object[]) =>
    evaluated(
      'import { summarize } from "@/compare/summary.mjs";',
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
    evaluated(
      'import { TimeLeft } from "@/compare/estimate.mjs"; import { PHASES, PROGRAMS } from "@/compare/round.mjs";',
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
    (await evaluated(
      'import { comparisonGoals } from "@/compare/goals.mjs";',
      `comparisonGoals(${JSON.stringify(comparison(...sizes))})`,
    )) as { text: string; measured: string; met: boolean }[];
  const missed = async (...sizes: SampleSize[]) =>
    (await goals(...sizes)).filter(({ met }) => !met).map(({ text, measured }) => `${text} (${measured})`);

  it("when every figure is at its limit, all of them are met", async () => {
    const all = await goals(size(10), size(100), size(1000, 30_000));
    expect(all).toHaveLength(13);
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
    slow.stateBytes.package.largest = 4001;
    expect(await missed(slow)).toEqual([
      "100: new preview, over the floor, at most 400 ms (401 ms)",
      "100: new preview, quotes of one price: 1 (2)",
      "100: up, over the floor, at most 16.90 s (16.90 s)",
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
      "1,000: memory of the plugin, under 200 MB (240 MB)",
    ]);
  });

  it("when the system does not tell of memory, those goals are not met", async () => {
    const [hundred, thousand] = [size(100), size(1000, 30_000)];
    thousand.phases.up.package.peakBytes = null;
    expect(await missed(hundred, thousand)).toEqual([
      "1,000: memory a resource, at most 1.2 of that at 100 (unknown)",
      "1,000: memory of the plugin, under 200 MB (unknown)",
    ]);
  });
});

describe("the tables of a result", () => {
  const drawn = (name: string, tables: object[]) =>
    evaluated(`import { ${name} } from "@/tables.mjs";`, `${name}(${JSON.stringify(tables)})`);
  const table = { title: "Title", head: ["what", "how | much"], rows: [["a", "12 ms"]], note: "Note." };

  it("when they go to a terminal, they have no colours", async () => {
    const text = await drawn("asText", [table]);
    expect(text).toMatch(/^Title\n┌[─┬]+┐\n│ what │ how \| much │\n[^]*│ a {4}│ {6}12 ms │\n└[─┴]+┘\nNote\.$/);
  });

  it("when they are Markdown, numbers stand right, and a stroke in a cell divides nothing", async () => {
    const text = await drawn("asMarkdown", [table]);
    expect(text).toBe("Title:\n\n| what | how \\| much |\n| :--- | ----------: |\n| a    |       12 ms |\n\nNote.");
  });

  it("when a comparison is reported, each phase has its difference and its ratios", async () => {
    const file = sandbox.write("result.json", JSON.stringify(comparison(size(100))));
    const { code, stdout } = await bench("report", file);
    expect(code).toBe(0);
    const rows = stdout.split("\n").map((line) => line.replace(/ +/g, " "));
    expect(rows).toContain("| no-change preview | 3.25 s | 3.00 s | 6.00 s | 250 ms | 1.08 | 0.54 |");
    expect(rows).toContain("| up | 100 creates, 100 reads, 50 operation lists | 100 reads | 19 MB | 19 MB | 19 MB |");
    expect(rows.filter((row) => row.endsWith(" | yes |"))).toHaveLength(10);
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
    expect(rows).toContain("| refresh | 1 list | – | 190 MB | 190 MB | – |");
  });

  it("when it is drawn, the plain provider's line ends before it", async () => {
    const svg = await evaluated(
      'import { drawChart } from "@/compare/chart.mjs";',
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
    evaluated(
      'import { drawChart } from "@/compare/chart.mjs";',
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
