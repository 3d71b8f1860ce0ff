import { comparison, size, type SampleSize } from "./bench-samples";
import { Sandbox } from "./sandbox";

let sandbox: Sandbox;
beforeEach(() => (sandbox = new Sandbox()));
afterEach(() => sandbox.remove());

/** The lines of a result's tables, as Markdown. */
async function rowsOf(result: object): Promise<readonly string[]> {
  const imports = 'import { tablesOf } from "@/bench/result.mjs"; import { asMarkdown } from "@/bench/tables.mjs";';
  const text = await sandbox.value(imports, `asMarkdown(tablesOf(${JSON.stringify(result)}))`);
  return String(text)
    .split("\n")
    .map((line) => line.replace(/ +/g, " "));
}

describe("the report of a comparison", () => {
  it("when a comparison is reported, each phase has its difference and its ratios", async () => {
    const rows = await rowsOf(comparison(size(100)));
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
    const rows = await rowsOf(comparison(withoutPlain(size(1000))));
    expect(rows).toContain("| no-change preview | 3.25 s | 3.00 s | – | 250 ms | 1.08 | – |");
    expect(rows).toContain("| refresh | 1 list | – | 190 MB | 130 MB | – |");
  });
});
