import { execFile, type ExecFileException } from "node:child_process";
import { dirname } from "node:path";
import { closest, closestText } from "../../text/closest";
import { fileFault } from "../../text/file-fault";
import { parseJson } from "../../text/json";
import type { CliIo } from "../io";
import { isRecord } from "../../definition/compare-values";
import { projectFile, yamlIn } from "../../process/project-file";

export type PulumiIo = Pick<CliIo, "cwd" | "environment">;

type PulumiOutput =
  | { readonly status: "done"; readonly stdout: string }
  | { readonly status: "no project" }
  | { readonly status: "no pulumi" }
  /** `reason` has Pulumi's own words. */
  | { readonly status: "failed"; readonly reason: string };

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Runs a `pulumi` command in the project's folder, for the given or the selected stack. Never rejects. */
export async function askPulumi(
  args: readonly string[],
  stack: string | undefined,
  { cwd, environment }: PulumiIo,
): Promise<PulumiOutput> {
  const project = projectFile(cwd);
  if (project === undefined) return { status: "no project" };
  const all = [...args, "--non-interactive", ...(stack === undefined ? [] : ["--stack", stack])];
  const projectFolder = { cwd: dirname(project), environment };
  const output = await runPulumi(all, projectFolder);
  if (output.status !== "failed") return output;
  return { ...output, reason: await withClosestStacks(output.reason, stack, projectFolder) };
}

/** Pulumi's message. If it says that the stack does not exist, with the closest names. */
export async function withClosestStacks(words: string, stack: string | undefined, io: PulumiIo): Promise<string> {
  if (stack === undefined || !/^(?:error: )?no stack named/m.test(words)) return words;
  const near = closestText(closest(stack, (await stackNames(io)) ?? [], (name) => [name]));
  return near === undefined ? words : `${words}. ${near}`;
}

/**
 * The names of the project's stacks, or with `--all` of all stacks of the backend. Undefined if Pulumi does not list
 * them.
 */
export async function stackNames(io: PulumiIo, flags: readonly "--all"[] = []): Promise<readonly string[] | undefined> {
  const output = await runPulumi(["stack", "ls", ...flags, "--json", "--non-interactive"], io);
  const listed = output.status === "done" ? parseJson(output.stdout) : undefined;
  return Array.isArray(listed) ? listed.map(({ name }: { readonly name?: unknown }) => String(name)) : undefined;
}

/** The name of the given or the selected stack. Undefined if none is selected. */
export async function stackNameOf(stack: string | undefined, io: PulumiIo): Promise<string | undefined> {
  if (stack !== undefined) return stack;
  const name = await askPulumi(["stack", "--show-name"], stack, io);
  return name.status === "done" ? name.stdout.trim() : undefined;
}

export interface StackName {
  /** Undefined if the name does not contain it. */
  readonly organization: string | undefined;
  readonly project: string;
  readonly stack: string;
  /** Why Pulumi did not say the organization. Undefined if it did, or if the given name contains it. */
  readonly fault?: string;
}

/** The parts of `dev`, `acme/dev` or `acme/shop/dev`. */
export function stackNameParts(
  name: string,
): Pick<StackName, "organization" | "stack"> & { readonly project: string | undefined } {
  const [stack = "", ...before] = name.split("/").reverse();
  const [project, organization] = before.length > 1 ? before : [undefined, ...before];
  return { organization, project, stack };
}

/**
 * The parts of a name. Without a project, it is the one in the folder. A backend without organizations has the word
 * `organization` instead, which names nothing.
 */
function stackNameIn(name: string, folder: string): StackName {
  const { organization, project = projectName(folder) ?? "", stack } = stackNameParts(name);
  return { organization: organization === "organization" ? undefined : organization, project, stack };
}

/**
 * The parts of the name of the given or the selected stack. Pulumi says the organization if the given name lacks it:
 * other organizations may have a stack of the same name. Never rejects.
 */
export async function completeStackName(stack: string | undefined, io: PulumiIo): Promise<StackName> {
  if (stack?.includes("/")) return stackNameIn(stack, io.cwd);
  const name = await askPulumi(["stack", "--show-name", "--fully-qualify-stack-names"], stack, io);
  if (name.status === "done") return stackNameIn(name.stdout.trim(), io.cwd);
  return { ...stackNameIn(stack ?? "", io.cwd), fault: name.status === "failed" ? name.reason : name.status };
}

/** Runs a `pulumi` command that needs no project. Never rejects. */
export function runPulumi(
  args: readonly string[],
  { cwd, environment }: PulumiIo,
): Promise<Exclude<PulumiOutput, { readonly status: "no project" }>> {
  const options = { cwd, env: { ...environment }, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    const child = execFile("pulumi", [...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ status: "done", stdout });
      else if (error.code === "ENOENT") resolve({ status: "no pulumi" });
      else resolve({ status: "failed", reason: failureReason(error, stderr) });
    });
    child.stdin?.end();
  });
}

/** Only the error line of stderr, and nothing of stdout, because that may have secrets. */
function failureReason(error: ExecFileException, stderr: string): string {
  if (typeof error.code === "string") return `pulumi cannot be run: ${fileFault(error)}`;
  if (error.killed) return `pulumi did not end within ${TIMEOUT_MS / 1_000} seconds`;
  const reason = /^error: (.*)$/m.exec(stderr)?.[1] ?? "pulumi gave no reason";
  return reason.endsWith("incorrect passphrase")
    ? `${reason}: set PULUMI_CONFIG_PASSPHRASE to the stack's own`
    : reason;
}

/** True if no stack was given and none is selected. */
export function isNoneSelected(stack: string | undefined, reason: string): boolean {
  return stack === undefined && /no stack selected/.test(reason);
}

/** The name of the Pulumi project in the folder or above it. Undefined if there is none, or if its file is not YAML. */
export function projectName(folder: string): string | undefined {
  const file = projectFile(folder);
  const project = file === undefined ? undefined : yamlIn(file);
  return isRecord(project) && typeof project["name"] === "string" ? project["name"] : undefined;
}
