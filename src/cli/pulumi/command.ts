import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { closest } from "../../text/closest";
import type { Environment } from "../../process/environment";
import type * as Yaml from "yaml";
import { z } from "zod";

export interface PulumiTarget {
  readonly cwd: string;
  readonly environment: Environment;
  /** Default: the selected one. */
  readonly stack: string | undefined;
}

export type PulumiOutput =
  | { readonly status: "done"; readonly stdout: string }
  /** There is no Pulumi project in the folder or above it. */
  | { readonly status: "no project" }
  /** There is no `pulumi` on PATH. */
  | { readonly status: "no pulumi" }
  /** `reason` has Pulumi's own words. */
  | { readonly status: "failed"; readonly reason: string };

const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Runs a `pulumi` command in the project's folder, for the given stack. Never rejects. */
export async function askPulumi(args: readonly string[], target: PulumiTarget): Promise<PulumiOutput> {
  const { cwd, environment, stack } = target;
  const folder = projectFolder(cwd);
  if (folder === undefined) return { status: "no project" };
  const all = [...args, "--non-interactive", ...(stack === undefined ? [] : ["--stack", stack])];
  const place = { cwd: folder, environment };
  const output = await runPulumi(all, place);
  if (output.status !== "failed" || stack === undefined || !/^no stack named/.test(output.reason)) return output;
  const near = closest(stack, (await stackNames(place)) ?? [], (name) => [name]);
  if (near.length === 0) return output;
  return { ...output, reason: `${output.reason}. The closest ${near.length === 1 ? "is" : "are"} ${near.join(", ")}` };
}

/** The names of the project's stacks; with `--all`, of all projects of the backend. Undefined if Pulumi does not list them. */
export async function stackNames(
  place: Pick<PulumiTarget, "cwd" | "environment">,
  flags: readonly "--all"[] = [],
): Promise<readonly string[] | undefined> {
  const output = await runPulumi(["stack", "ls", ...flags, "--json", "--non-interactive"], place);
  try {
    const listed = JSON.parse(output.status === "done" ? output.stdout : "") as readonly { readonly name: unknown }[];
    return listed.map(({ name }) => String(name));
  } catch {
    return undefined;
  }
}

/** Runs a `pulumi` command that needs no project. Never rejects. */
export function runPulumi(
  args: readonly string[],
  { cwd, environment }: Pick<PulumiTarget, "cwd" | "environment">,
): Promise<Exclude<PulumiOutput, { readonly status: "no project" }>> {
  const options = { cwd, env: { ...environment }, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    const child = execFile("pulumi", [...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ status: "done", stdout });
      else if (error.code === "ENOENT") resolve({ status: "no pulumi" });
      // Only the error line of stderr, and nothing of stdout, because that may have secrets.
      else resolve({ status: "failed", reason: /^error: (.*)$/m.exec(stderr)?.[1] ?? "pulumi gave no reason" });
    });
    child.stdin?.end();
  });
}

/** Whether no stack was given, and none is selected. */
export function isNoneSelected({ stack }: PulumiTarget, reason: string): boolean {
  return stack === undefined && /no stack selected/.test(reason);
}

function projectFolder(from: string): string | undefined {
  if (PROJECT_FILES.some((file) => existsSync(join(from, file)))) return from;
  const parent = dirname(from);
  return parent === from ? undefined : projectFolder(parent);
}

const projectFile = z.object({ name: z.string() });

/** The name of the Pulumi project in the folder or above it. Undefined if there is none, or if its file is no YAML. */
export function projectName(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    for (const file of ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]) {
      const text = textOf(join(at, file));
      if (text !== undefined) return nameIn(text);
    }
    if (dirname(at) === at) return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function nameIn(text: string): string | undefined {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when it is needed
    const { parse } = require("yaml") as typeof Yaml;
    return projectFile.safeParse(parse(text, { logLevel: "error" })).data?.name;
  } catch {
    return undefined;
  }
}
