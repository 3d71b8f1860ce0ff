import { createHash } from "node:crypto";
import { urnParts } from "../urn";

/** The longest name that any kind of the API takes (API keys, section 8 of the specification). */
const MAX_NAME_LENGTH = 255;
const SUFFIX_LENGTH = 7;

/**
 * The name of a resource whose program gives none: the logical name with seven hex characters behind it. They come from
 * the URN and the generation, not from chance, so that the update chooses the name the preview showed, and old and new
 * stand side by side during a replacement.
 */
export function autoName(urn: string, generation: number): string {
  const suffix = createHash("sha256").update(`${urn}\n${generation}`).digest("hex").slice(0, SUFFIX_LENGTH);
  const cut = urnParts(urn).name.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1);
  const logicalName = cut.replace(/[\uD800-\uDBFF]$/, ""); // the cut may have split a character in two
  return `${logicalName}-${suffix}`;
}
