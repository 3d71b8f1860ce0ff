import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./support/markdown";

it("docs/performance.md matches the results in docs/performance", () => {
  const args = [join(ROOT, "tools/bench/bench.mjs"), "docs", "--check"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
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
  ])("states the measured time of: %s", (name, sentence) => {
    const { changedMs = NaN } = setUps.find((setUp) => setUp.name === name) ?? {};
    expect(page).toContain(sentence.replace("#", (changedMs / 1000).toFixed(1)));
  });
});
