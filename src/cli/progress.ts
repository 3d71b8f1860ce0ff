import { rewritesLines, type CliIo } from "./io";

const TICK_MS = 1_000;
/** Returns to the beginning of the line and clears it. */
const CLEAR_LINE = "\r\u001b[2K";

/**
 * Shows on stderr what the command is waiting for. On a terminal, a line counts the seconds and disappears at the end. Otherwise, it
 * prints one line at the start.
 */
export async function withProgress<T>(
  activity: string,
  io: Pick<CliIo, "stderr" | "environment" | "clock">,
  work: () => Promise<T>,
): Promise<T> {
  const { stderr, clock } = io;
  if (!rewritesLines(io)) {
    stderr.write(`${activity}\n`);
    return work();
  }
  const done = new AbortController();
  const start = clock.now();
  const tick = async (): Promise<void> => {
    for (;;) {
      stderr.write(`${CLEAR_LINE}${activity} ${Math.floor((clock.now() - start) / TICK_MS)}s`);
      await clock.sleep(TICK_MS, done.signal);
    }
  };
  tick().catch(() => undefined);
  try {
    return await work();
  } finally {
    done.abort();
    stderr.write(CLEAR_LINE);
  }
}
