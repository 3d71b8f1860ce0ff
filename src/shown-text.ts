import { printable } from "./terminal-text";

/** Shorter words stand in too many texts to be taken out of them. */
const SHORTEST_SECRET = 12;
const REPLACEMENT = "[credential]";

/** The secrets that this process has seen, in the forms in which a service may echo them. */
const forms = new Set<string>();

/** Keeps a secret out of every text that is shown from now on. */
export function keepUnshown(secret: string): void {
  if (secret.length < SHORTEST_SECRET || forms.has(secret)) return;
  for (const form of formsOf(secret)) forms.add(form);
}

/** The spellings of a secret in which texts of other programs have it. */
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
 * A text as people may see it, on whichever screen or in whichever file: with its own line breaks, without what a terminal would
 * obey or what would turn the direction of writing, and without any secret that the process has seen. Every error, every line on a
 * row and all output of the command line goes through here.
 */
export function fitToShow(text: string): string {
  return withoutSecrets(text).split("\n").map(printable).join("\n");
}

/** What the package itself sends to a terminal: colours, and the clearing of a line. */
// eslint-disable-next-line no-control-regex -- control characters are the matter here
const OWN_SEQUENCES = /(\u001b\[(?:0|1|2|22|3[0-9]|9[0-7])m|\r\u001b\[2K)/;

/** The same for output that has the package's own colours in it. */
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
