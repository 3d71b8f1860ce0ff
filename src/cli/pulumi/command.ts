import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "../../config";

/** Where Pulumi is asked, and about which stack. */
export interface PulumiPlace {
  readonly cwd: string;
  readonly environment: Environment;
  /** Default: the selected one. */
  readonly stack: string | undefined;
}

/** What a `pulumi` command line ended with. */
export type PulumiOutput =
  | { readonly status: "done"; readonly stdout: string }
  /** There is no Pulumi project in the folder, nor above it. */
  | { readonly status: "no project" }
  /** There is no `pulumi` on PATH. */
  | { readonly status: "no pulumi" }
  /** `reason` is Pulumi's own. */
  | { readonly status: "failed"; readonly reason: string };

const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Runs a `pulumi` command line in the project's folder, for the stack asked for. Never rejects. */
export function askPulumi(args: readonly string[], { cwd, environment, stack }: PulumiPlace): Promise<PulumiOutput> {
  const folder = projectFolder(cwd);
  if (folder === undefined) return Promise.resolve({ status: "no project" });
  const all = [...args, "--non-interactive", ...(stack === undefined ? [] : ["--stack", stack])];
  const options = { cwd: folder, env: { ...environment }, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    const child = execFile("pulumi", all, options, (error, stdout, stderr) => {
      if (error === null) resolve({ status: "done", stdout });
      else if (error.code === "ENOENT") resolve({ status: "no pulumi" });
      // Of stderr the error line alone, and of stdout nothing: secrets are printed there.
      else resolve({ status: "failed", reason: /^error: (.*)$/m.exec(stderr)?.[1] ?? "pulumi gave no reason" });
    });
    child.stdin?.end();
  });
}

/** Whether Pulumi had nothing to ask about, as it was not told which stack, and none is selected. */
export function isNoneSelected({ stack }: PulumiPlace, reason: string): boolean {
  return stack === undefined && /no stack selected/.test(reason);
}

function projectFolder(from: string): string | undefined {
  if (PROJECT_FILES.some((file) => existsSync(join(from, file)))) return from;
  const parent = dirname(from);
  return parent === from ? undefined : projectFolder(parent);
}
