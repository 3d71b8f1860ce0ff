import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./support/markdown";

const folder = mkdtempSync(join(tmpdir(), "cloudinfra-performance-"));
beforeEach(() => {
  for (const name of ["performance", "performance.md"]) {
    cpSync(join(ROOT, "docs", name), join(folder, name), { recursive: true });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function docs(...args: string[]): { readonly code: number | null; readonly error: string } {
  const script = join(ROOT, "tools/bench/bench.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, "docs", ...args], { encoding: "utf8" });
  return { code: status, error: stderr };
}

/** Changes a file in the copy. */
function change(name: string, edit: (text: string) => string): void {
  writeFileSync(join(folder, name), edit(readFileSync(join(folder, name), "utf8")));
}

describe("docs/performance.md", () => {
  it("docs/performance.md matches the results in docs/performance", () => {
    expect(docs("--check")).toEqual({ code: 0, error: "" });
  });

  it("the page is written again if a result has changed", () => {
    change("performance/compare.json", (text) => text.replaceAll(/"wallMs": \d+/g, '"wallMs": 123'));
    const { code, error } = docs("--check", "--folder", folder);
    expect(code).toBe(1);
    expect(error).toMatch(/^docs\/performance\.md differs from the results/);
    expect(docs("--folder", folder).code).toBe(0);
    expect(docs("--check", "--folder", folder)).toEqual({ code: 0, error: "" });
    expect(readFileSync(join(folder, "performance.md"), "utf8")).toMatch(/\| +123 ms \|/);
  });

  it("names a result without a mark, and the reverse", () => {
    change("performance.md", (text) => text.replace("<!-- result: start -->", "<!-- result: begin -->"));
    expect(docs("--folder", folder).error).toContain("there is no docs/performance/begin.json");
    change("performance.md", (text) => text.replace("<!-- result: begin -->", ""));
    expect(docs("--folder", folder).error).toContain("docs/performance.md has no mark for start");
  });
});

describe("the fastest set-up", () => {
  interface SetUp {
    readonly name: string;
    readonly changedMs: number;
  }
  const { setUps } = JSON.parse(readFileSync(join(ROOT, "docs/performance/start.json"), "utf8")) as { setUps: SetUp[] };
  const page = readFileSync(join(ROOT, "docs/performance.md"), "utf8").replaceAll("\n", " ");

  it.each([
    ["TypeScript, as Pulumi runs it by default", "quickstart takes # s."],
    ["TypeScript, `noCheck` in tsconfig.json", "`tsconfig.json` it takes # s"],
    ["compiled to dist/index.js, `typescript: false`", "Pulumi's own TypeScript off, it takes # s:"],
  ])("names what was measured for %s", (name, sentence) => {
    const { changedMs = NaN } = setUps.find((setUp) => setUp.name === name) ?? {};
    expect(page).toContain(sentence.replace("#", (changedMs / 1000).toFixed(1)));
  });
});
