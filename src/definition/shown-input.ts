import { withoutSecrets } from "../text/shown-text";
import { clipped } from "../text/terminal-text";

const LONGEST_SHOWN = 60;

/** A wrong value in a message, on one line. */
export function shownInput(input: unknown): string {
  if (Array.isArray(input)) return "a list";
  if (typeof input === "object") return "an object";
  if (typeof input === "string" && input.includes("PRIVATE KEY-----")) return "a private key";
  return typeof input === "string"
    ? JSON.stringify(clipped(withoutSecrets(input), LONGEST_SHOWN))
    : `${input as number | boolean}`;
}
