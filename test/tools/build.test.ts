import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { Sandbox, TOOLS } from "./sandbox";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  const options = { rootDir: "src", outDir: "dist", declaration: true, strict: true, module: "node16", types: [] };
  sandbox.write("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["src"] }));
  sandbox.write("package.json", "{}");
  sandbox.write("src/one.ts", "export const one: number = 1;\n");
  sandbox.write("src/deep/two.ts", "export const two: number = 2;\n");
  sandbox.folder("node_modules");
  symlinkSync(resolve(TOOLS, "../node_modules/typescript"), join(sandbox.root, "node_modules/typescript"));
});
afterEach(() => sandbox.remove());

const build = () =>
  sandbox.evaluate(
    'import { build } from "@/build.mjs"; import { inStep } from "@/setup/progress.mjs";',
    `await inStep("build", (step) => build(step, ${JSON.stringify(sandbox.root)}));`,
  );
const inDist = (file: string) => join(sandbox.root, "dist", file);

describe("the build", () => {
  it("builds nothing if nothing has changed", async () => {
    expect((await build()).stderr).toContain("compiled");
    expect(existsSync(inDist("deep/two.d.ts"))).toBe(true);
    expect((await build()).stderr).toBe("build     up to date\n");
  });

  it("makes the outputs of changed and deleted sources again", async () => {
    await build();
    sandbox.write("src/one.ts", "export const one: number = 11;\n");
    rmSync(join(sandbox.root, "src/deep/two.ts"));
    await build();
    expect(readFileSync(inDist("one.js"), "utf8")).toContain("11");
    expect([existsSync(inDist("deep/two.js")), existsSync(inDist("deep/two.d.ts"))]).toEqual([false, false]);
  });

  it("builds dist again if it is missing", async () => {
    await build();
    rmSync(join(sandbox.root, "dist"), { recursive: true });
    await build();
    expect(existsSync(inDist("one.js"))).toBe(true);
  });

  it("shows the compiler's errors, each time", async () => {
    sandbox.write("src/one.ts", "export const one: number = 'x';\n");
    for (const { code, stderr } of [await build(), await build()]) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/build {5}failed[^]*src\/one\.ts\(1,14\): error TS2322[^]*do not compile/);
    }
  });

  it("without npm packages, says what to run first", async () => {
    rmSync(join(sandbox.root, "node_modules"), { recursive: true });
    const { code, stderr } = await build();
    expect(code).toBe(1);
    expect(stderr).toMatch(/not installed: run `npm install` first\.\n$/);
  });
});
