import { createHash } from "node:crypto";
import { spelled, type Naming } from "../../definition/definition";
import { dynamicUrn, urnParts } from "../../engine/urn";

/** The longest name that every kind of the API accepts (API keys, section 8 of the specification). */
const MAX_NAME_LENGTH = 255;
const SUFFIX_LENGTH = 7;

/**
 * The default name of a resource: the logical name and seven hex characters. They come from the URN and the generation, not
 * from chance. So the update chooses the name that the preview showed, and the old and new object of a replacement have
 * different names. A resource that moves from one provider to the other gets the same name, so that an object
 * of an interrupted run fits the program. It fits what the API takes as a name.
 */
export function autoName(urn: string, generation: number, naming?: Pick<Naming, "max" | "pattern">): string {
  const { name } = urnParts(urn);
  const suffix = createHash("sha256")
    .update(`${dynamicUrn(urn)}\n${generation}`)
    .digest("hex")
    .slice(0, SUFFIX_LENGTH);
  const longest = Math.min(MAX_NAME_LENGTH, naming?.max ?? MAX_NAME_LENGTH);
  const cut = spelled(name, suffix, naming?.pattern).slice(0, longest - SUFFIX_LENGTH - 1);
  const logicalName = cut.replace(/[\uD800-\uDBFF]$/, ""); // the cut may have split a character in two
  return `${logicalName}-${suffix}`;
}

/** A key that is rotated every day has this many in five years. */
const GENERATIONS = 2_000;

/** Which object of the resource has this name: 0 for the first one, 1 for its replacement. Undefined if the name is not an automatic name of the resource. */
export function generationIn(name: unknown, urn: string, naming?: Pick<Naming, "max" | "pattern">): number | undefined {
  const stem = autoName(urn, 0, naming).slice(0, -SUFFIX_LENGTH);
  if (typeof name !== "string" || !name.startsWith(stem)) return undefined;
  for (let generation = 0; generation < GENERATIONS; generation++)
    if (autoName(urn, generation, naming) === name) return generation;
  return undefined;
}
