import { createHash } from "node:crypto";

/** Tells two API keys apart without showing either: the first eight hex digits of the key's SHA-256. */
export function fingerprint(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex").slice(0, 8);
}
