import { printable } from "./terminal-text";

/** Shorter words appear in too many texts to remove them. */
const SHORTEST_SECRET = 12;
const REPLACEMENT = "[credential]";

/** The secrets that this process has seen, in all forms that a service may repeat. */
const forms = new Set<string>();

/** Removes a secret from every text that is shown after this call. */
export function keepUnshown(secret: string): void {
  if (secret.length < SHORTEST_SECRET || forms.has(secret)) return;
  for (const form of formsOf(secret)) forms.add(form);
}

/** The spellings of a secret in texts of other programs. */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const spellings = [
    secret,
    encodeURIComponent(secret),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
  return [...new Set(spellings)];
}

/**
 * Makes a text safe for people, on any screen and in any file. It keeps line breaks, and removes control sequences, changes of
 * the writing direction, and every secret that the process has seen. Every error, every line on a row and all output of the
 * command line goes through here.
 */
export function fitToShow(text: string): string {
  return withoutSecrets(text).split("\n").map(printable).join("\n");
}

/** The package's own control sequences: colours, and clearing a line. */
// eslint-disable-next-line no-control-regex -- control characters are the matter here
const OWN_SEQUENCES = /(\u001b\[(?:0|1|2|22|3[0-9]|9[0-7])m|\r\u001b\[2K)/;

/** The same, but keeps the package's own colours. */
export function fitForTerminal(text: string): string {
  return text
    .split(OWN_SEQUENCES)
    .map((part, index) => (index % 2 === 1 ? part : fitToShow(part)))
    .join("");
}

function withoutSecrets(text: string): string {
  let cleaned = text;
  for (const form of forms) if (cleaned.includes(form)) cleaned = cleaned.replaceAll(form, REPLACEMENT);
  return cleaned;
}
