import { exitCodes } from "./exit-codes";

type Stream = Pick<NodeJS.WriteStream, "on" | "write">;

/** The parts of a process that are used if it cannot write. */
export interface WritingProcess {
  readonly stdout: Stream;
  readonly stderr: Stream;
  exitCode?: string | number | null | undefined;
  once(event: "exit", listener: () => void): unknown;
}

const watched = new WeakSet<WritingProcess>();

/**
 * Ends a process without a stack trace if its output cannot be written. If the reader has closed the pipe, the command ends
 * with its own exit code. A full disk is an error, because the report is lost.
 */
export function endQuietly(own: WritingProcess): void {
  if (watched.has(own)) return;
  watched.add(own);
  own.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    own.stderr.write(`error: Standard output cannot be written: ${whyNotWritten(error)}.\n`);
    // The command's own exit code is known later.
    own.once("exit", () => (own.exitCode = exitCodes.error));
  });
  // Nobody reads stderr either.
  own.stderr.on("error", () => undefined);
}

/** Why a file cannot be written, in words. */
export function whyNotWritten(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ENOSPC: "no space is left on the disk",
    EDQUOT: "the disk quota is used up",
    EACCES: "permission denied",
    EROFS: "the disk is read-only",
    EISDIR: "it is a folder",
    ENOENT: "there is no such folder",
  };
  return words[code ?? ""] ?? code ?? message;
}
