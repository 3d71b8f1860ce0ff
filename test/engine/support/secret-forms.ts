/** A secret to search for, and its name in reports. */
export interface Canary {
  readonly name: string;
  readonly secret: string;
}

/** Shorter parts would be found by chance. */
const PIECE_LENGTH = 16;

/** Every form in which a text could contain a secret or a distinctive part of it. */
function formsOf(secret: string): readonly (readonly [form: string, text: string])[] {
  const start = Math.max(0, Math.floor((secret.length - PIECE_LENGTH) / 2));
  const piece = secret.slice(start, start + PIECE_LENGTH);
  const bytes = Buffer.from(piece);
  const characters = Array.from(piece);
  return [
    ["plain", piece],
    ["reversed", characters.toReversed().join("")],
    ["hex", bytes.toString("hex")],
    ["URL-encoded, every character", characters.map((c) => `%${Buffer.from(c).toString("hex")}`).join("")],
    ["JSON-escaped, every character", characters.map((c) => `\\u00${Buffer.from(c).toString("hex")}`).join("")],
    ["URL-encoded", encodeURIComponent(piece)],
    ["JSON-escaped", JSON.stringify(piece).slice(1, -1)],
    ["bytes as numbers", Array.from(bytes).join(",")],
    ["bytes as a dump", bytes.toString("hex").replaceAll(/(..)(?=.)/g, "$1 ")],
    ["UTF-16", Buffer.from(piece, "utf16le").toString("latin1")],
    // One for each offset in a group of three bytes, without the characters that depend on neighbours.
    ...[0, 1, 2].flatMap((offset) => {
      const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
      const cut = (text: string): string =>
        text.slice(Math.ceil((offset * 4) / 3), Math.floor((padded.length * 4) / 3 - 1));
      return [
        [`base64, shifted by ${offset}`, cut(padded.toString("base64"))] as const,
        [`base64url, shifted by ${offset}`, cut(padded.toString("base64url"))] as const,
      ];
    }),
  ];
}

/** Where these texts contain a secret: `credential (hex) in <file>`. */
export function leaks(canaries: readonly Canary[], texts: Readonly<Record<string, string>>): string[] {
  return canaries.flatMap(({ name, secret }) =>
    formsOf(secret).flatMap(([form, text]) => {
      const wanted = text.toLowerCase();
      return Object.entries(texts)
        .filter(([, content]) => content.toLowerCase().includes(wanted))
        .map(([file]) => `${name} (${form}) in ${file}`);
    }),
  );
}
