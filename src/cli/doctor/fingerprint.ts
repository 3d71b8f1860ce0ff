import { createHash } from "node:crypto";

/** Shows whether two API keys are the same, without showing either: the first eight hex digits of the key's SHA-256. */
export function fingerprint(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex").slice(0, 8);
}
