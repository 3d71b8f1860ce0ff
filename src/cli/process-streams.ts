import { exitCodes } from "./exit-codes";

type Stream = Pick<NodeJS.WriteStream, "on" | "write">;

/** What of a process is touched if it cannot write. */
export interface WritingProcess {
  readonly stdout: Stream;
  readonly stderr: Stream;
  exitCode?: string | number | null | undefined;
  once(event: "exit", listener: () => void): unknown;
}

const watched = new WeakSet<WritingProcess>();

/**
 * Lets a process end without a stack trace if what it prints goes nowhere. A reader that has closed the pipe has seen enough: the
 * command ends with its own exit code. A full disk is an error: the report is lost.
 */
export function endQuietly(own: WritingProcess): void {
  if (watched.has(own)) return;
  watched.add(own);
  own.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    own.stderr.write(`error: Standard output cannot be written: ${whyNotWritten(error)}.\n`);
    // What the command itself ends with is known later.
    own.once("exit", () => (own.exitCode = exitCodes.error));
  });
  // There is nobody left to tell.
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
