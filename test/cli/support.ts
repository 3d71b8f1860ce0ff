import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Environment } from "../../src/process/user-folders";
import { systemClock, type Clock } from "../../src/time/clock";
import { main } from "../../src/cli/main";

/** The inputs of the command line. The tests' own environment does not reach it. */
export interface CliRun {
  readonly environment?: Environment;
  readonly cwd?: string;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
  readonly stdin?: string | AsyncIterable<string>;
  /** Called with the output to stdout. */
  readonly onStdout?: (text: string) => void;
  /** Default: this machine's clock, with pauses that take no time. */
  readonly clock?: Clock;
}

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process. Its pauses take no time. */
export async function runCli(argv: readonly string[], run: CliRun = {}): Promise<CliResult> {
  const texts = { stdout: "", stderr: "" };
  const { isTTY = false, columns, signal, stdin, onStdout, clock, environment = {}, cwd = tmpdir() } = run;
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
    environment: { XDG_STATE_HOME: "/no journal here", ...environment },
    cwd,
    clock: clock ?? { ...systemClock, sleep: () => Promise.resolve() },
    ...(signal ? { signal } : {}),
    ...(stdin === undefined
      ? {}
      : { stdin: () => Object.assign(Readable.from(typeof stdin === "string" ? [stdin] : stdin), { isTTY }) }),
  });
  return { code, ...texts };
}

const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** A secret as `pulumi stack export` prints it. */
export const encrypted = { ...secretMark, ciphertext: "v1:canary" };

/** A secret as `pulumi stack export --show-secrets` prints it. */
export function decrypted(value: unknown): object {
  return { ...secretMark, plaintext: JSON.stringify(value) };
}

/** A state with its secrets encrypted. */
function asEncrypted(state: string): string {
  return state.replaceAll(/"plaintext":"(\\.|[^"\\])*"/g, '"ciphertext":"v1:canary"');
}

/** A folder with a Pulumi project, and a `pulumi` with prepared answers that records its arguments. */
export class PulumiProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "cloudinfra-cli-")));
  /** The environment in which that `pulumi` is found. */
  readonly environment = { PATH: this.folder };

  constructor() {
    writeFileSync(join(this.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  }

  /** `pulumi config` shows these values; `pulumi stack` the name `dev`; `pulumi stack export` this state. */
  answer(config: Readonly<Record<string, string>>, state = "", secrets: readonly string[] = ["apiKey"]): this {
    const entries = Object.entries(config).map(([key, value]) => [
      `cloudinfra:${key}`,
      { value, secret: secrets.includes(key) },
    ]);
    const json = JSON.stringify(Object.fromEntries(entries));
    const prints = `"stack export --show-secrets"*) echo '${state}' ;; "stack export"*) echo '${asEncrypted(state)}' ;;`;
    return this.#install(`case "$*" in config*) echo '${json}' ;; ${prints} *) echo dev ;; esac`);
  }

  /**
   * Sets the output of `pulumi preview` and `pulumi destroy`, on stdout and stderr, and the exit code; `script` is
   * shell code that runs first. `pulumi stack` shows `name`, or fails with `nameFault`.
   */
  preview(
    stdout: string,
    { stderr = "", code = 0, script = "", name = "organization/test/dev", nameFault = "" } = {},
  ): this {
    const printed = join(this.folder, "printed");
    writeFileSync(printed, `${stdout}\n`);
    // Only builtins of the shell, because its PATH has nothing else.
    const print = `while IFS= read -r line; do printf '%s\\n' "$line"; done < '${printed}'`;
    const nameStack = nameFault === "" ? `echo ${name}; exit` : `echo 'error: ${nameFault}' >&2; exit 255`;
    return this.#install(
      `if [ "$1" = stack ]; then ${nameStack}; fi\n${script}\n${print}\nprintf '%s' '${stderr}' >&2\nexit ${code}`,
    );
  }

  /** `pulumi` fails. With a state, `pulumi stack export` still prints it, without its secrets. */
  fail(stderr: string, stdout = "", state?: string): this {
    const print =
      state === undefined ? "" : `case "$*" in *--show-secrets*) ;; "stack export"*) echo '${state}'; exit ;; esac\n`;
    return this.#install(`${print}echo '${stdout}'\necho '${stderr}' >&2\nexit 255`);
  }

  /**
   * `pulumi stack ls` lists these stacks, whose states have these resources. The state of one without resources cannot
   * be read, and one with an encrypted value only without its secrets. Other stacks do not exist.
   */
  stacks(resources: Readonly<Record<string, readonly object[] | undefined>>): this {
    const listed = JSON.stringify(Object.keys(resources).map((name) => ({ name })));
    const states = Object.entries(resources).map(([name, all]) => {
      const fails = (flags: string): string =>
        `"stack export${flags}"*"--stack ${name}") echo 'error: it is broken' >&2; exit 255 ;;`;
      if (all === undefined) return fails("");
      const state = JSON.stringify({ deployment: all.length === 0 ? null : { resources: all } });
      const prints = (flags: string, text: string): string =>
        `"stack export${flags}"*"--stack ${name}") echo '${text}' ;;`;
      const flag = " --show-secrets";
      return `${state.includes("ciphertext") ? fails(flag) : prints(flag, state)} ${prints("", asEncrypted(state))}`;
    });
    const known = Object.keys(resources).map((name) => `config*"--stack ${name}")`);
    const configs = known.map((pattern) => `${pattern} echo '{}' ;;`);
    const missing = `config*"--stack "*) echo 'error: no such stack' >&2; exit 255 ;; config*) echo '{}' ;;`;
    return this.#install(
      `case "$*" in ${configs.join(" ")} ${missing} "stack ls"*) echo '${listed}' ;; ${states.join(" ")} *) echo dev ;; esac`,
    );
  }

  /** Fails as if the stack did not exist. `pulumi stack ls` lists these stacks. */
  hasOnly(stacks: readonly string[]): this {
    const listed = JSON.stringify(stacks.map((name) => ({ name, current: false })));
    const print = `case "$*" in "stack ls"*) echo '${listed}'; exit ;; esac`;
    return this.#install(`${print}\necho 'error: no stack named prod found' >&2\nexit 255`);
  }

  /** Sets the output of `pulumi plugin ls`, and the exit code of `pulumi plugin install`. */
  plugins(listed: object, code = 0): this {
    return this.#install(
      `case "$2" in ls) echo '${JSON.stringify(listed)}' ;; *) echo 'error: no room' >&2; exit ${code} ;; esac`,
    );
  }

  /** The recorded command lines, sorted. */
  get commands(): readonly string[] {
    return readFileSync(join(this.folder, "asked"), "utf8").trim().split("\n").sort();
  }

  get hasRun(): boolean {
    return existsSync(join(this.folder, "asked"));
  }

  /** The text of a file in the folder. */
  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  /** Resolves once the folder has a file of this name. */
  async created(file: string): Promise<void> {
    await waitFor(() => existsSync(join(this.folder, file)));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #install(script: string): this {
    const file = join(this.folder, "pulumi");
    writeFileSync(file, `#!/bin/sh\necho "$*" >> '${this.folder}/asked'\n${script}\n`);
    chmodSync(file, 0o755);
    return this;
  }
}

/** Waits for something that another process does. */
export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setImmediate();
}
