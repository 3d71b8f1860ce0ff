import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { forEachTest } from "../support/suite";
import { Sandbox } from "./sandbox";

const sandbox = forEachTest(() => new Sandbox());

/** A compiler that makes both outputs of the one source, unless its notes say that it has made them of this source. */
const COMPILER = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const notes = process.argv[process.argv.indexOf("--tsBuildInfoFile") + 1];
const source = readFileSync("src/a.ts", "utf8");
appendFileSync("tsc.log", source + "\\n");
if (source === "wrong") process.exit(1);
if (existsSync(notes) && readFileSync(notes, "utf8") === source) process.exit();
mkdirSync("dist", { recursive: true });
for (const name of ["a.js", "a.d.ts"]) writeFileSync("dist/" + name, "compiled");
mkdirSync(require("node:path").dirname(notes), { recursive: true });
writeFileSync(notes, source);
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

it.each([
  ["a.js", "compiled"],
  ["left.js", undefined],
])("compiles again if something else has written dist/%s", async (name, text) => {
  await build();
  const file = sandbox.write(`dist/${name}`, "tampered");
  expect((await build()).stderr).toContain("compiled");
  expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(text);
});

it("compiles only what has changed after an error", async () => {
  await build();
  const notes = join(sandbox.root, "node_modules/.cache/pulumi-cloudinfra/build.tsbuildinfo");
  sandbox.write("src/a.ts", "wrong");
  expect((await build()).stderr).toContain("do not compile");
  expect((await build()).stderr).toContain("do not compile");
  expect(existsSync(notes)).toBe(true);
});
