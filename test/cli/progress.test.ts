import { withProgress } from "../../src/cli/cost/progress";
import { rewritesLines } from "../../src/cli/io";

/** A terminal, and a clock whose sleeps end when the test says so. */
function terminal(isTTY: boolean) {
  const written: string[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  let now = 0;
  let wake = (): void => undefined;
  const io = {
    stderr: { isTTY, columns: 80, write: (text: string) => void written.push(text) },
    environment: { TERM: "xterm" },
    clock: {
      now: () => now,
      sleep: (ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          signals.push(signal);
          signal?.addEventListener("abort", () => reject(new Error("aborted")));
          wake = () => {
            now += ms;
            resolve();
          };
        }),
    },
  };
  return { io: io as never, written, signals, wake: () => wake() };
}

const CLEAR = "\r\u001b[2K";

it("counts the seconds on a terminal, then clears them", async () => {
  const { io, written, signals, wake } = terminal(true);
  expect(rewritesLines(io)).toBe(true);
  const answer = await withProgress("previewing dev", io, async () => {
    wake();
    await Promise.resolve();
    return 42;
  });
  expect(answer).toBe(42);
  expect(written).toEqual([`${CLEAR}previewing dev 0s`, `${CLEAR}previewing dev 1s`, CLEAR]);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
});

it("clears the line after a failure", async () => {
  const { io, written } = terminal(true);
  await expect(withProgress("previewing dev", io, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(written.at(-1)).toBe(CLEAR);
});

it("prints one line at the start without a terminal", async () => {
  const { io, written } = terminal(false);
  await withProgress("previewing dev", io, () => Promise.resolve());
  expect(written).toEqual(["previewing dev\n"]);
});
