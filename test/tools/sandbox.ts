import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The tools of this checkout. They are plain ES modules, so tests run them as processes. */
export const TOOLS = resolve(__dirname, "../../tools");

/** How a process ended, and its output. */
export interface ProcessResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with another HOME and PATH, so that tools neither find nor change anything else on this machine. */
export class Sandbox {
  readonly root = mkdtempSync(join(tmpdir(), "cloudinfra-tools-"));
  readonly home = this.folder("home");
  readonly bin = this.folder("bin");
  readonly cache = join(this.home, ".cache");
  readonly engineFolder = join(
    this.cache,
    "pulumi-cloudinfra",
    "engine",
    `3.230.0-${process.platform}-${process.arch}`,
  );

  folder(name: string): string {
    const folder = join(this.root, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  write(name: string, text: string): string {
    const file = join(this.root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** An executable shell script at this path. It finds the system's commands, whatever its caller's PATH is. */
  script(file: string, body: string): string {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\nPATH=/usr/bin:/bin\n${body}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** The lines that a fake command wrote with `>>`, one for each call. */
  lines(name: string): string[] {
    const file = join(this.root, name);
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  }

  /** Starts node in this sandbox. `ended` resolves once the process and its output have ended. */
  start(args: readonly string[], env: Record<string, string | undefined> = {}) {
    const child = spawn(process.execPath, args, {
      cwd: this.root,
      env: { HOME: this.home, XDG_CACHE_HOME: this.cache, PATH: this.bin, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    const ended = new Promise<ProcessResult>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve({ code, signal, ...output }));
    });
    return { child, ended };
  }

  run(args: readonly string[], env?: Record<string, string | undefined>): Promise<ProcessResult> {
    return this.start(args, env).ended;
  }

  /** Runs the body of a module that imports from tools/ by `@/…`, as a command would: see tools/setup/main.mjs. */
  evaluate(imports: string, body: string, env?: Record<string, string | undefined>): Promise<ProcessResult> {
    return this.run(this.module(imports, body), env);
  }

  /** The value of an expression over modules of tools/, as JSON. Rejects with the output of the process if it fails. */
  async value(imports: string, expression: string, env?: Record<string, string>): Promise<unknown> {
    const { stdout, stderr } = await this.evaluate(imports, `console.log(JSON.stringify(await (${expression})));`, env);
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout) as unknown;
  }

  /** The node arguments that run such a module. */
  module(imports: string, body: string): string[] {
    const head = `${imports}\nimport { runMain } from "@/setup/main.mjs";`.replaceAll('"@/', `"${TOOLS}/`);
    return [this.write("module.mjs", `${head}\nrunMain(async () => {\n${body}\n});\n`)];
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
