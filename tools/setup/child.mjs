import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** An error that stops the set-up. Its message tells a person what to do, and is shown without a stack. */
export class SetupError extends Error {
  name = "SetupError";
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const TAIL_LINES = 40;
// At one Ctrl-C both the terminal and npm signal this process. Signals within this time are the same key press.
const SAME_PRESS_MS = 300;

const running = new Set();
let handling = false;
let received;
let receivedAt = 0;

/** A signal ended the work. The process cleans up, then dies of the same signal. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/** From now on, passes each signal to the children once. Each child has its own process group. */
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

/** Ends this process as `signal` would have, so that the calling shell knows. */
export function dieOf(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Node handles the signal in a later turn of the event loop, so one is needed.
  setTimeout(() => process.exit(1), 1000);
}

/** Starts a child that receives this process's signals. Resolves with how it ended. Fails if it cannot be started. */
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
 * Runs a command without showing its output. Returns `stdout`, and the last lines of both streams as `tail`. Any exit
 * code is a valid result. Throws `Interrupted` if a signal came meanwhile.
 */
export async function runQuietly(command, args, { onStart = () => {}, ...options } = {}) {
  const stdout = [];
  const tail = [];
  const { code, signal } = await start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }, (child) => {
    onStart(child);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        if (stream === child.stdout) stdout.push(line);
        tail.push(line);
        if (tail.length > TAIL_LINES) tail.shift();
      });
    }
  });
  if (received) throw new Interrupted(received);
  return { code, signal, stdout: stdout.join("\n"), tail: tail.join("\n") };
}

/** Sends a signal to a child of `start`, and to its descendants. */
export function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}
