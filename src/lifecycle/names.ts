import { createHash } from "node:crypto";
import { urnParts } from "../urn";

/** The longest name that every kind of the API accepts (API keys, section 8 of the specification). */
const MAX_NAME_LENGTH = 255;
const SUFFIX_LENGTH = 7;

/**
 * The default name of a resource: the logical name and seven hex characters. They come from the URN and the generation, not
 * from chance. So the update chooses the name that the preview showed, and the old and new object of a replacement have
 * different names.
 */
export function autoName(urn: string, generation: number): string {
  const suffix = createHash("sha256").update(`${urn}\n${generation}`).digest("hex").slice(0, SUFFIX_LENGTH);
  const cut = urnParts(urn).name.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1);
  const logicalName = cut.replace(/[\uD800-\uDBFF]$/, ""); // the cut may have split a character in two
  return `${logicalName}-${suffix}`;
}
