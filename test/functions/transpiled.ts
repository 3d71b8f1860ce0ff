import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { transformSync } from "@swc/core";

const ROOT = join(__dirname, "..", "..");

/** The package as built from the current sources, in its own folder. */
export class Transpiled {
  readonly #folder = mkdtempSync(join(tmpdir(), "cloudinfra-package-"));

  constructor() {
    symlinkSync(join(ROOT, "node_modules"), join(this.#folder, "node_modules"));
    cpSync(join(ROOT, "package.json"), join(this.#folder, "package.json"));
    cpSync(join(ROOT, "bin"), join(this.#folder, "bin"), { recursive: true });
    const src = join(ROOT, "src");
    for (const name of readdirSync(src, { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      const { code } = transformSync(readFileSync(join(src, name), "utf8"), {
        jsc: { parser: { syntax: "typescript" }, target: "es2023" },
        module: { type: "commonjs" },
      });
      const file = join(this.#folder, "dist", name.replace(/ts$/, "js"));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, code);
    }
  }

  /** The command line, for its own process. */
  get commandLine(): string {
    return join(this.#folder, "bin", "cloudinfra.js");
  }

  /**
   * What a process has loaded after these statements without a configuration: packages by name, our own modules by
   * path.
   */
  loadedBy(statements: string): readonly string[] {
    const print = `console.log(JSON.stringify(Object.keys(require.cache)))`;
    const script = `(async () => { ${statements}; ${print}; })()`;
    const output = execFileSync(process.execPath, ["-e", script], { cwd: this.#folder, encoding: "utf8", env: {} });
    const files = JSON.parse(output.trim().split("\n").at(-1) ?? "") as string[];
    const names = files.map((file) => {
      const [, inPackage] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
      return inPackage ?? file.replace(/.*[\\/]dist[\\/]/, "");
    });
    return [...new Set(names)].sort();
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
