import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { forEachTest } from "../support/suite";
import { Sandbox } from "./sandbox";

const sandbox = forEachTest(() => new Sandbox());

/** A compiler that makes both outputs of the one source. */
const COMPILER = `
const { appendFileSync, mkdirSync, writeFileSync } = require("node:fs");
mkdirSync("dist", { recursive: true });
for (const name of ["a.js", "a.d.ts"]) writeFileSync("dist/" + name, "compiled");
appendFileSync("tsc.log", "compiled\\n");
`;

const build = () =>
  sandbox.evaluate(
    'import { build } from "@/build.mjs"; import { inStep } from "@/setup/progress.mjs";',
    `await inStep("build", (step) => build(step, ${JSON.stringify(sandbox.root)}));`,
  );

beforeEach(() => {
  for (const name of ["src/a.ts", "tsconfig.json", "package.json"]) sandbox.write(name, "{}");
  sandbox.write("node_modules/typescript/bin/tsc", COMPILER);
});

it("compiles once for the same sources", async () => {
  expect((await build()).stderr).toContain("compiled");
  expect((await build()).stderr).toContain("up to date");
  sandbox.write("src/a.ts", "changed");
  expect((await build()).stderr).toContain("compiled");
  expect(sandbox.lines("tsc.log")).toHaveLength(2);
});

it.each(["a.js", "left.js"])("compiles again if something else has written dist/%s", async (name) => {
  await build();
  const file = sandbox.write(`dist/${name}`, "tampered");
  expect((await build()).stderr).toContain("compiled");
  expect(existsSync(file) && readFileSync(file, "utf8")).toBe(name === "a.js" && "compiled");
  expect(existsSync(join(sandbox.root, "dist", "a.js"))).toBe(true);
});
