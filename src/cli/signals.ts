import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";

/** The exit code that a shell reports for a command that a signal has ended. */
export function signalCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * Waits until a child has ended, and passes the signals in `passed` on to it. (Ctrl-C in a terminal reaches the child
 * directly. Pulumi would take a second one as a request to stop at once.) Resolves with the exit code as a shell
 * reports it. Rejects with the system's error if the child cannot be started.
 */
export function waitForExit(
  child: ChildProcess,
  passed: readonly NodeJS.Signals[],
  aborted?: AbortSignal,
): Promise<number> {
  const wait = (): void => undefined;
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  const abort = (): void => pass("SIGTERM");
  process.on("SIGINT", wait);
  for (const signal of passed) process.on(signal, pass);
  aborted?.addEventListener("abort", abort, { once: true });
  return new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? signalCode(signal ?? "SIGTERM")));
  }).finally(() => {
    process.off("SIGINT", wait);
    for (const signal of passed) process.off(signal, pass);
    aborted?.removeEventListener("abort", abort);
  });
}

/** Resolves at SIGINT or SIGTERM, or at the signal of a test. */
export function untilStopped(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off("SIGINT", stop).off("SIGTERM", stop);
      resolve();
    };
    if (signal === undefined) process.on("SIGINT", stop).on("SIGTERM", stop);
    else if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
