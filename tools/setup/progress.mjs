import { Interrupted } from "./child.mjs";

/**
 * The remaining time of a step in milliseconds, never more than `atMostMs`, the last estimate. The known fraction
 * counts from a tenth on; until then, the usual time of the step counts. 0 if it takes longer than expected.
 */
export function msLeft({ elapsedMs, expectedMs, fraction = 0, laterMs = 0, atMostMs = Infinity }) {
  const left = fraction >= 0.1 ? (elapsedMs * (1 - fraction)) / fraction : expectedMs - elapsedMs;
  return Math.min(Math.max(left, 0) + laterMs, atMostMs);
}

/** Formats a duration: "8 s", "2 min 5 s". */
export function spell(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}

const NAME_WIDTH = 10;
const LIVE_TICK_MS = 500;
const PLAIN_TICK_MS = 15_000;

/** A step that shows nothing. */
export const silentStep = { phase() {}, fraction() {}, note() {}, done() {}, fail() {} };

/**
 * Starts a step of the set-up on `stream`. A terminal shows one line that is rewritten; elsewhere, and in CI, a plain
 * line comes every 15 seconds. `phase` names the current phase and its usual time (`laterMs`: that of the following
 * phases). `fraction` sets the progress, `note` adds a line, `done` and `fail` end the step.
 */
export function startStep(name, { stream = process.stderr, env = process.env } = {}) {
  const live = Boolean(stream.isTTY) && !env.CI && env.TERM !== "dumb";
  const colour = live && !env.NO_COLOR;
  const startedAt = Date.now();
  let current;
  let timer;

  const label = name.padEnd(NAME_WIDTH);
  const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  // "erase the line" first, so that no rest of a longer text stays
  const rewrite = (text) => stream.write(`\r\u001b[2K${text}`);
  const print = (text) => {
    if (live) rewrite(`${text}\n`);
    else stream.write(`${text}\n`);
  };
  const tick = () => {
    const now = Date.now();
    current.atMostMs = msLeft({ ...current, elapsedMs: now - current.startedAt });
    const left = current.atMostMs < 1000 ? "" : `, about ${spell(current.atMostMs)} left`;
    const text = `${label}${current.title}: ${spell(now - startedAt)}${left}`;
    if (live) rewrite(text.slice(0, (stream.columns ?? 80) - 1));
    else stream.write(`${text}\n`);
  };
  const end = (text) => {
    clearInterval(timer);
    print(`${label}${text}`);
  };

  return {
    phase(title, expectedMs, laterMs = 0) {
      current = { title, expectedMs, laterMs, startedAt: Date.now() };
      if (!live) print(`${label}${title} (about ${spell(expectedMs + laterMs)})`);
      timer ??= setInterval(tick, live ? LIVE_TICK_MS : PLAIN_TICK_MS);
      if (live) tick();
    },
    fraction(fraction) {
      current.fraction = fraction;
    },
    note(text) {
      print(`${label}${live ? wrapped(text, stream.columns) : text}`);
    },
    done(text) {
      end(paint(32, current ? `${text} (${spell(Date.now() - startedAt)})` : text));
    },
    fail(text) {
      end(paint(31, text));
    },
  };
}

/** Breaks the text into lines of a terminal, between words, with aligned starts. */
function wrapped(text, columns = 80) {
  const line = new RegExp(`\\S.{0,${Math.max(1, columns - NAME_WIDTH - 2)}}(?=\\s|$)|\\S+`, "g");
  return text.match(line)?.join(`\n${" ".repeat(NAME_WIDTH)}`) ?? "";
}

/** Runs `work(step)` as the named step. If it throws, the step's line shows the failure, and the error is thrown on. */
export async function inStep(name, work, options) {
  const step = startStep(name, options);
  try {
    return await work(step);
  } catch (error) {
    step.fail(error instanceof Interrupted ? "interrupted" : "failed");
    throw error;
  }
}
