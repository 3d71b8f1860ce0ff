import { createHash } from "node:crypto";
import { dynamicUrn, urnParts } from "../../engine/urn";

/** The longest name that every kind of the API accepts (API keys, section 8 of the specification). */
const MAX_NAME_LENGTH = 255;
const SUFFIX_LENGTH = 7;

/**
 * The default name of a resource: the logical name and seven hex characters. They come from the URN and the generation, not
 * from chance. So the update chooses the name that the preview showed, and the old and new object of a replacement have
 * different names. A resource that moves from one provider to the other gets the same name, so that an object
 * of an interrupted run fits the program.
 */
export function autoName(urn: string, generation: number): string {
  const { name } = urnParts(urn);
  const suffix = createHash("sha256")
    .update(`${dynamicUrn(urn)}\n${generation}`)
    .digest("hex")
    .slice(0, SUFFIX_LENGTH);
  const cut = name.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1);
  const logicalName = cut.replace(/[\uD800-\uDBFF]$/, ""); // the cut may have split a character in two
  return `${logicalName}-${suffix}`;
}
