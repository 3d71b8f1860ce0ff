import { Interrupted } from "./child.mjs";

/** Formats a duration: "8 s", "2 min 5 s". */
function spell(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}

const NAME_WIDTH = 10;
const TICK_MS = 15_000;

/** A step that shows nothing. */
export const silentStep = { phase() {}, note() {}, done() {} };

/**
 * Starts a step of the set-up. A line on stderr comes with each phase and its usual time, and then every 15 seconds.
 * `note` adds a line, `done` ends the step with one.
 */
export function startStep(name) {
  const startedAt = Date.now();
  let current;
  let timer;

  const print = (text) => process.stderr.write(`${name.padEnd(NAME_WIDTH)}${text}\n`);
  const taken = () => spell(Date.now() - startedAt);
  return {
    phase(title, expectedMs) {
      current = title;
      print(`${title} (about ${spell(expectedMs)})`);
      timer ??= setInterval(() => print(`${current}: ${taken()}`), TICK_MS);
    },
    note: print,
    done(text) {
      clearInterval(timer);
      print(current ? `${text} (${taken()})` : text);
    },
  };
}

/** Runs `work(step)` as the named step. If it throws, the step's line shows the failure, and the error is thrown on. */
export async function inStep(name, work) {
  const step = startStep(name);
  try {
    return await work(step);
  } catch (error) {
    step.done(error instanceof Interrupted ? "interrupted" : "failed");
    throw error;
  }
}
