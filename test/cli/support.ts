import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../src/config";
import { main } from "../../src/cli/main";

/** What the command line is started with; nothing of the tests' own environment reaches it. */
export interface CliRun {
  readonly environment?: Environment;
  readonly cwd?: string;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Sees stdout as it is written. */
  readonly onStdout?: (text: string) => void;
}

/** What it ended with. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process. Its pauses take no time. */
export async function runCli(argv: readonly string[], run: CliRun = {}): Promise<CliResult> {
  const texts = { stdout: "", stderr: "" };
  const { isTTY = false, columns, signal, onStdout, environment = {}, cwd = tmpdir() } = run;
  const code = await main(argv, {
    stdout: {
      isTTY,
      columns,
      write: (text) => {
        texts.stdout += text;
        onStdout?.(text);
      },
    },
    stderr: { write: (text) => void (texts.stderr += text) },
    environment,
    cwd,
    clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
    ...(signal ? { signal } : {}),
  });
  return { code, ...texts };
}

/** A folder with a Pulumi project, and a `pulumi` that answers as it is told and writes down what it is asked. */
export class PulumiProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "cloudinfra-doctor-")));
  /** The environment in which that `pulumi` is found. */
  readonly environment = { PATH: this.folder };

  constructor() {
    writeFileSync(join(this.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  }

  /** `pulumi config` shows these values; `pulumi stack` the name `dev`. */
  answer(config: Readonly<Record<string, string>>): this {
    const entries = Object.entries(config).map(([key, value]) => [
      `cloudinfra:${key}`,
      { value, secret: key === "apiKey" },
    ]);
    const json = JSON.stringify(Object.fromEntries(entries));
    return this.#install(`case "$1" in config) echo '${json}' ;; stack) echo dev ;; esac`);
  }

  /** `pulumi` ends with an error. */
  fail(stderr: string, stdout = ""): this {
    return this.#install(`echo '${stdout}'\necho '${stderr}' >&2\nexit 255`);
  }

  /** The command lines so far, sorted. */
  get asked(): readonly string[] {
    return readFileSync(join(this.folder, "asked"), "utf8").trim().split("\n").sort();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #install(script: string): this {
    const file = join(this.folder, "pulumi");
    writeFileSync(file, `#!/bin/sh\necho "$*" >> '${this.folder}/asked'\n${script}\n`);
    chmodSync(file, 0o755);
    return this;
  }
}
