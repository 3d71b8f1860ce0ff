import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { CliIo } from "../io";
import { z } from "zod";
import { CommandFailure } from "../command-failure";
import type { Input } from "../input";

export interface PreviewRequest {
  /** Default: the selected one. */
  readonly stack: string | undefined;
  readonly isDestroy: boolean;
  readonly flags: readonly string[];
  /** Environment variables besides the command's own. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface PreviewRun {
  readonly status: "ended";
  readonly stdout: string;
  readonly stderr: string;
  /** Pulumi's exit code. If a signal killed it, 128 and the signal's number, as in shells. */
  readonly exitCode: number;
}

/** With a truthy value, Pulumi prints one event a line, and no document. */
const STREAMING = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW";

/** Runs a preview and waits for its end. There may be no `pulumi` on PATH. Never rejects. */
export function runPreview(
  { stack, isDestroy, flags, environment }: PreviewRequest,
  io: Pick<CliIo, "cwd" | "environment" | "signal">,
): Promise<PreviewRun | { readonly status: "not started"; readonly reason: string }> {
  const args = [
    ...(isDestroy ? ["destroy", "--preview-only", "--json"] : ["preview", "--json", "--show-sames"]),
    "--non-interactive",
    ...(stack === undefined ? [] : ["--stack", stack]),
    ...flags,
  ];
  return new Promise((resolve) => {
    const child = spawn("pulumi", args, {
      cwd: io.cwd,
      env: { ...io.environment, ...environment, [STREAMING]: "false" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
    const release = passSignals((signal) => child.kill(signal), io.signal);
    child.once("error", (error) => {
      release();
      const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
      resolve({ status: "not started", reason: isMissing ? "is not on PATH" : `cannot be started: ${error.message}` });
    });
    child.once("close", (code, signal) => {
      release();
      resolve({ status: "ended", ...printed, exitCode: code ?? 128 + (signal ? constants.signals[signal] : 0) });
    });
  });
}

/**
 * Pulumi ends its preview itself after a signal, and this process waits for that. A terminal's Ctrl-C reaches Pulumi directly.
 * A second signal would count as impatience.
 */
function passSignals(pass: (signal: NodeJS.Signals) => void, aborted: AbortSignal | undefined): () => void {
  const wait = (): void => undefined;
  const end = (): void => {
    pass("SIGTERM");
  };
  process.on("SIGINT", wait).on("SIGTERM", end);
  aborted?.addEventListener("abort", end, { once: true });
  return () => {
    process.off("SIGINT", wait).off("SIGTERM", end);
    aborted?.removeEventListener("abort", end);
  };
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

const preview = z.looseObject({
  steps: z.array(step).default([]),
  diagnostics: z.array(diagnostic).default([]),
  changeSummary: z.record(z.string(), z.number()),
});

/** A resource on one side of a step. Values of the program or the service may have any type. */
export type PreviewState = z.infer<typeof state>;
export type PreviewStep = z.infer<typeof step>;
/** A message during the preview. The one that failed the preview has the severity `error`. */
export type PreviewDiagnostic = z.infer<typeof diagnostic>;
/** The used parts of the output of `pulumi preview --json`. */
export type Preview = z.infer<typeof preview>;

/** Reads the output of `pulumi preview --json`. Throws CommandFailure. */
export function parsePreview({ text, source }: Input): Preview {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Without the parser's words, because they quote the text.
    throw new CommandFailure(`${source} is not JSON. ${WHAT_IT_IS}`);
  }
  const read = preview.safeParse(json);
  if (!read.success) throw new CommandFailure(`${source} holds no preview. ${WHAT_IT_IS}`);
  return read.data;
}

const WHAT_IT_IS = "A preview is what `pulumi preview --json --show-sames` prints.";
