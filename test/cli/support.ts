import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Environment } from "../../src/config";
import { main } from "../../src/cli/main";

/** What the command line is started with; nothing of the tests' own environment reaches it. */
export interface CliRun {
  readonly environment?: Environment;
  readonly cwd?: string;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
  readonly stdin?: string;
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
  const { isTTY = false, columns, signal, stdin, onStdout, environment = {}, cwd = tmpdir() } = run;
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
    ...(stdin === undefined ? {} : { stdin: Readable.from([stdin]) }),
  });
  return { code, ...texts };
}

/** A folder with a Pulumi project, and a `pulumi` that answers as it is told and writes down what it is asked. */
export class PulumiProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "cloudinfra-cli-")));
  /** The environment in which that `pulumi` is found. */
  readonly environment = { PATH: this.folder };

  constructor() {
    writeFileSync(join(this.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  }

  /** `pulumi config` shows these values; `pulumi stack` the name `dev`; `pulumi stack export` this state. */
  answer(config: Readonly<Record<string, string>>, state = ""): this {
    const entries = Object.entries(config).map(([key, value]) => [
      `cloudinfra:${key}`,
      { value, secret: key === "apiKey" },
    ]);
    const json = JSON.stringify(Object.fromEntries(entries));
    return this.#install(
      `case "$1 $2" in config*) echo '${json}' ;; "stack export") echo '${state}' ;; *) echo dev ;; esac`,
    );
  }

  /** `pulumi` ends with an error; with a state, `pulumi stack export` prints that all the same. */
  fail(stderr: string, stdout = "", state?: string): this {
    const print = state === undefined ? "" : `if [ "$1 $2" = "stack export" ]; then echo '${state}'; exit; fi\n`;
    return this.#install(`${print}echo '${stdout}'\necho '${stderr}' >&2\nexit 255`);
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
