import { spawn } from "node:child_process";
import { documentIn, type CliIo, type Input } from "../io";
import { z } from "zod";
import { waitForExit } from "../signals";
import { CommandFailure } from "../command-failure";

export interface PreviewRequest {
  /** Default: the selected one. */
  readonly stack: string | undefined;
  readonly isDestroy: boolean;
  readonly flags: readonly string[];
  /** Additional environment variables. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface PreviewRun {
  readonly stdout: string;
  readonly stderr: string;
  /** Pulumi's exit code. If a signal killed it, 128 and the signal's number, as in shells. */
  readonly exitCode: number;
}

/** If this variable is set, Pulumi prints one event on each line instead of one document. */
const STREAMING = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW";

/**
 * Runs a preview and waits for its end, also after a signal. Rejects with CommandFailure if `pulumi` cannot be started.
 */
export async function runPreview(
  { stack, isDestroy, flags, environment }: PreviewRequest,
  io: Pick<CliIo, "cwd" | "environment" | "signal">,
): Promise<PreviewRun> {
  const args = [
    ...(isDestroy ? ["destroy", "--preview-only", "--json"] : ["preview", "--json", "--show-sames"]),
    "--non-interactive",
    ...(stack === undefined ? [] : ["--stack", stack]),
    ...flags,
  ];
  const child = spawn("pulumi", args, {
    cwd: io.cwd,
    env: { ...io.environment, ...environment, [STREAMING]: "false" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  try {
    return { exitCode: await waitForExit(child, ["SIGTERM"], io.signal), ...printed };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "is not on PATH" : `cannot be started: ${message}`;
    throw new CommandFailure(`pulumi ${reason}. Install it, or give the output of a preview with --preview.`);
  }
}

const state = z.looseObject({
  type: z.string(),
  custom: z.boolean().optional(),
  id: z.string().optional(),
  provider: z.string().optional(),
  external: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
});

const step = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: state.optional(),
  newState: state.optional(),
});

const diagnostic = z.looseObject({
  urn: z.string().optional(),
  message: z.string().default(""),
  severity: z.string().default(""),
});

/**
 * A preview whose refresh has failed has no summary. The destruction of a stack without resources has only a duration.
 */
const preview = z
  .looseObject({
    steps: z.array(step).default([]),
    diagnostics: z.array(diagnostic).default([]),
    changeSummary: z.record(z.string(), z.number()).optional(),
    duration: z.number().optional(),
  })
  .refine(
    ({ changeSummary, duration, diagnostics }) =>
      (changeSummary ?? duration) !== undefined || diagnostics.some(({ severity }) => severity === "error"),
  );

/** A resource on one side of a step. Values of the program or the API may have any type. */
export type PreviewState = z.infer<typeof state>;
export type PreviewStep = z.infer<typeof step>;
/** A message of the preview. The severity `error` means that it failed the preview. */
export type PreviewDiagnostic = z.infer<typeof diagnostic>;
/** The used parts of the output of `pulumi preview --json`. */
export type Preview = z.infer<typeof preview>;

/** Reads the output of `pulumi preview --json`. Throws CommandFailure. */
export function parsePreview(input: Input): Preview {
  return documentIn(input, preview, "preview", "pulumi preview --json --show-sames");
}
