import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConfigReader, Environment } from "../../config";

/** The configuration of a stack, or why there is none to be had. */
export type StackConfig =
  | { readonly status: "read"; readonly stack: string | undefined; readonly config: ConfigReader }
  /** There is nothing to read here: the environment alone counts. */
  | { readonly status: "absent"; readonly reason: string }
  /** There is, and it cannot be read. */
  | { readonly status: "unreadable"; readonly reason: string };

/** Where to look, and which stack for. */
export interface StackConfigRequest {
  readonly cwd: string;
  readonly environment: Environment;
  /** Default: the selected one. */
  readonly stack: string | undefined;
}

const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
const PULUMI_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Reads the stack's configuration through Pulumi itself, secrets decrypted. Never rejects. */
export async function readStackConfig({ cwd, environment, stack }: StackConfigRequest): Promise<StackConfig> {
  const folder = projectFolder(cwd);
  if (folder === undefined) return { status: "absent", reason: "there is no Pulumi project here" };
  const pulumi = (args: readonly string[]): Promise<Output> =>
    run([...args, "--non-interactive", ...(stack === undefined ? [] : ["--stack", stack])], folder, environment);

  const [config, name] = await Promise.all([
    pulumi(["config", "--show-secrets", "--json"]),
    pulumi(["stack", "--show-name"]),
  ]);
  if (config.status === "missing") return { status: "absent", reason: "pulumi is not on PATH" };
  if (config.status === "failed") {
    const nothingSelected = stack === undefined && /no stack selected/.test(config.reason);
    return { status: nothingSelected ? "absent" : "unreadable", reason: config.reason };
  }
  const values = valuesOf(config.stdout);
  if (!values) return { status: "unreadable", reason: "pulumi config did not answer in JSON" };
  return {
    status: "read",
    stack: stack ?? (name.status === "done" ? name.stdout.trim() : undefined),
    config: (key) => values.get(`cloudinfra:${key}`),
  };
}

function projectFolder(from: string): string | undefined {
  if (PROJECT_FILES.some((file) => existsSync(join(from, file)))) return from;
  const parent = dirname(from);
  return parent === from ? undefined : projectFolder(parent);
}

type Output =
  | { readonly status: "done"; readonly stdout: string }
  | { readonly status: "missing" }
  | { readonly status: "failed"; readonly reason: string };

function run(args: readonly string[], cwd: string, environment: Environment): Promise<Output> {
  const options = { cwd, env: { ...environment }, timeout: PULUMI_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    const child = execFile("pulumi", args, options, (error, stdout, stderr) => {
      if (error === null) resolve({ status: "done", stdout });
      else if (error.code === "ENOENT") resolve({ status: "missing" });
      // Of stderr the error line alone, and of stdout nothing: secrets are printed there.
      else resolve({ status: "failed", reason: /^error: (.*)$/m.exec(stderr)?.[1] ?? "pulumi gave no reason" });
    });
    child.stdin?.end();
  });
}

function valuesOf(json: string): ReadonlyMap<string, string> | undefined {
  try {
    const entries = Object.entries(JSON.parse(json) as Record<string, { readonly value?: string }>);
    return new Map(entries.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])));
  } catch {
    return undefined;
  }
}
