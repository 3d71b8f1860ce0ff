import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The set-up cannot go on, and the message says to a person what to do: shown without a stack. */
export class SetupError extends Error {
  name = "SetupError";
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const TAIL_LINES = 40;
// At one Ctrl-C the terminal and npm both signal us: what comes within this time is the same key press.
const SAME_PRESS_MS = 300;

const running = new Set();
let handling = false;
let received;
let receivedAt = 0;

/** A signal ended the work. The process cleans up, and then dies of the same signal. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/** From here on a signal to this process goes to its children, each in its own process group, exactly once. */
export function handSignalsThrough() {
  handling = true;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const now = Date.now();
      if (signal === received && now - receivedAt < SAME_PRESS_MS) return;
      received = signal;
      receivedAt = now;
      for (const child of running) signalGroup(child, signal);
    });
  }
}

/** Ends this process the way `signal` would have, so that the shell that started it knows. */
export function dieOf(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The signal comes between two turns of the event loop: there has to be another turn.
  setTimeout(() => process.exit(1), 1000);
}

/** Starts a child that signals are handed to; resolves to how it ended. Fails if it cannot be started. */
export function start(command, args, options, onStart = () => {}) {
  if (received) return Promise.reject(new Interrupted(received));
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, detached: handling });
    running.add(child);
    child.once("error", (error) => {
      running.delete(child);
      reject(error);
    });
    child.once(child.stdout ? "close" : "exit", (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
    onStart(child);
  });
}

/**
 * Runs a command without its output on the screen and gives `stdout` and the last lines of both streams as `tail`.
 * Throws `Interrupted` if a signal came in the meantime; any exit code is an answer.
 */
export async function runQuietly(command, args, { onLine = () => {}, onStart = () => {}, ...options } = {}) {
  const stdout = [];
  const tail = [];
  const { code, signal } = await start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }, (child) => {
    onStart(child);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        if (stream === child.stdout) stdout.push(line);
        tail.push(line);
        if (tail.length > TAIL_LINES) tail.shift();
        onLine(line);
      });
    }
  });
  if (received) throw new Interrupted(received);
  return { code, signal, stdout: stdout.join("\n"), tail: tail.join("\n") };
}

/** Sends a signal to a child of `start`, and to all that it has started. */
export function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}
