import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { transformSync } from "@swc/core";

const ROOT = join(__dirname, "..", "..");
let folder: string;

/** The package as it is built, but from the present sources, and without a build. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudinfra-import-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
  const src = join(ROOT, "src");
  for (const name of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    const { code } = transformSync(readFileSync(join(src, name), "utf8"), {
      jsc: { parser: { syntax: "typescript" }, target: "es2023" },
      module: { type: "commonjs" },
    });
    const file = join(folder, "dist", name.replace(/ts$/, "js"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program has loaded, with nothing configured: packages by name, and our own modules by path. */
function loadedBy(program: string): readonly string[] {
  const print = `console.log(JSON.stringify(Object.keys(require.cache)))`;
  const script = `(async () => { const cloudinfra = require("./dist/index.js"); ${program}; ${print}; })()`;
  const output = execFileSync(process.execPath, ["-e", script], { cwd: folder, encoding: "utf8", env: {} });
  const files = JSON.parse(output.trim().split("\n").at(-1) ?? "") as string[];
  const names = files.map((file) => {
    const [, inPackage] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
    return inPackage ?? file.replace(/.*[\\/]dist[\\/]/, "");
  });
  return [...new Set(names)].sort();
}

const heavy = ["undici", "zod", "fastify", "commander", "cli-table3"];

describe("importing the package", () => {
  it("when a program imports it, it loads no HTTP client, no schema library and no server", () => {
    const loaded = loadedBy("");

    expect(loaded).toContain("index.js");
    expect(loaded.filter((name) => heavy.includes(name) || name === "config.js" || name === "api/client.js")).toEqual(
      [],
    );
  });

  it("when a program calls a function, it loads the client then", () => {
    const loaded = loadedBy("await cloudinfra.getRegions().catch(() => {})");

    expect(loaded).toEqual(expect.arrayContaining(["undici", "zod", "config.js", "api/client.js"]));
    expect(loaded.filter((name) => ["fastify", "commander", "cli-table3"].includes(name))).toEqual([]);
  });
});
