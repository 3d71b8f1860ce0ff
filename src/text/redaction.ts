import { printable, clipped } from "./terminal-text";

/** Shorter secrets are not removed from texts, because they also occur as parts of ordinary words. */
const SHORTEST_SECRET = 12;
/** The text that Pulumi itself shows for a secret. */
export const SECRET_INPUT = "[secret]";

/**
 * The text to show for each secret that this process has seen, by every form in which a service may repeat the secret.
 */
const forms = new Map<string, string>();
/** The short secret inputs of each resource, by its URN. */
const shortInputs = new Map<string, Set<string>>();

/** Removes a secret from every text that is shown after this call. */
export function maskSecret(secret: string, shown = "[credential]"): void {
  if (secret.length < SHORTEST_SECRET || forms.has(secret)) return;
  for (const form of formsOf(secret)) forms.set(form, shown);
}

/**
 * Removes a secret input from every text that is shown after this call. A short one is only removed as a word from
 * texts about its resource. Ids stay: a person needs the id to find an object, and SDKs mark all of `adopt: { id, key
 * }` as secret because of its key.
 */
export function maskInput(urn: string, input: string): void {
  if (input.trim() === "" || isUuid(input)) return;
  maskSecret(input, SECRET_INPUT);
  if (input.length < SHORTEST_SECRET)
    shortInputs.set(urn, (shortInputs.get(urn) ?? new Set()).add(input).add(escaped(input)));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True if a text has the form of the API's ids. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** True if texts about the resource do not show this input. */
export function isMasked(urn: string, input: string): boolean {
  return forms.has(input) || shortInputs.get(urn)?.has(input) === true;
}

/** The spellings in which a secret may appear in texts. */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const spellings = [
    secret,
    escaped(secret),
    secret.replaceAll(/\s*\n\s*/g, " "), // on a row
    encodeURIComponent(secret),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
  return [...new Set(spellings)];
}

/**
 * Makes a text safe to show on any screen and in any file. It removes control sequences, changes of the writing
 * direction, and every secret that the process has seen. It keeps line breaks. Every error, every line on a row and all
 * output of the command line goes through here. `urn`: the resource that the text is about.
 */
export function redacted(text: string, urn = ""): string {
  return withoutSecrets(text, urn).split("\n").map(printable).join("\n");
}

/** The package's own control sequences: colours, and clearing a line. */
// eslint-disable-next-line no-control-regex -- the expression must match control characters
const OWN_SEQUENCES = /(\u001b\[(?:0|1|2|22|3[0-9]|9[0-7])m|\r\u001b\[2K)/;

/** As `redacted`, but keeps the package's own colours. */
export function redactedForTerminal(text: string): string {
  return text
    .split(OWN_SEQUENCES)
    .map((part, index) => (index % 2 === 1 ? part : redacted(part)))
    .join("");
}

/** Removes secrets only. Called before a text is cut, because the parts of a cut secret would not be found. */
export function withoutSecrets(text: string, urn = ""): string {
  let cleaned = text;
  for (const [form, shown] of forms) if (cleaned.includes(form)) cleaned = cleaned.replaceAll(form, shown);
  for (const input of shortInputs.get(urn) ?? []) cleaned = cleaned.replaceAll(asWord(input), SECRET_INPUT);
  return cleaned;
}

/**
 * Finds the text as a whole word, not inside a longer word, an id, an address or an amount: "$80.00" does not contain
 * the port 80.
 */
function asWord(text: string): RegExp {
  const pattern = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_$./-])${pattern}(?![\\p{L}\\p{N}_/-]|\\.\\d)`, "gu");
}

/** The text with the escapes of JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const MAX_INPUT_LENGTH = 60;

/** A wrong value in a message, on one line. */
export function shownInput(input: unknown): string {
  if (Array.isArray(input)) return "a list";
  if (typeof input === "object") return input === null ? "null" : "an object";
  if (typeof input === "string" && input.includes("PRIVATE KEY-----")) return "a private key";
  return typeof input === "string"
    ? JSON.stringify(clipped(withoutSecrets(input), MAX_INPUT_LENGTH))
    : `${input as number | boolean}`;
}
