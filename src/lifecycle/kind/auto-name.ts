import { createHash } from "node:crypto";
import { namingOf, spelled, type NameRules } from "../../definition/definition";
import { dynamicUrn, urnParts } from "../../engine/urn";
import type { Props, ResourceKind } from "./kind";

/** The longest name that every kind of the API accepts (API keys, section 8 of the specification). */
const MAX_NAME_LENGTH = 255;
const SUFFIX_LENGTH = 7;

/**
 * The default name of a resource: its logical name and seven hex characters, in a form that the API accepts. The
 * characters are a hash of the URN and the generation, not random. So the update chooses the name that the preview
 * showed, and the old and new object of a replacement have different names. Both providers choose the same name, so
 * that an object of an interrupted run still matches the program if the resource moves from one to the other.
 */
export function autoName(urn: string, generation: number, naming?: Pick<NameRules, "max" | "pattern">): string {
  const { name } = urnParts(urn);
  const suffix = createHash("sha256")
    .update(`${dynamicUrn(urn)}\n${generation}`)
    .digest("hex")
    .slice(0, SUFFIX_LENGTH);
  const longest = Math.min(MAX_NAME_LENGTH, naming?.max ?? MAX_NAME_LENGTH);
  const cut = spelled(name, suffix, naming?.pattern).slice(0, longest - SUFFIX_LENGTH - 1);
  const logicalName = cut.replace(/[\uD800-\uDBFF]$/, ""); // the cut may have split a surrogate pair
  return `${logicalName}-${suffix}`;
}

/** The most generations to try: those of a key that is rotated daily for five years. */
const GENERATIONS = 2_000;

/**
 * The generation of an automatic name: 0 for the resource's first object, 1 for its replacement. Undefined if the name
 * is not an automatic name of the resource.
 */
function generationIn(name: unknown, urn: string, naming?: Pick<NameRules, "max" | "pattern">): number | undefined {
  const stem = autoName(urn, 0, naming).slice(0, -SUFFIX_LENGTH);
  if (typeof name !== "string" || !name.startsWith(stem)) return undefined;
  for (let generation = 0; generation < GENERATIONS; generation++)
    if (autoName(urn, generation, naming) === name) return generation;
  return undefined;
}

/**
 * The objects with the name. Each generation has its own automatic name: then only the objects of the latest generation
 * count. Of keys, all generations count, latest first: clients may still use replaced keys, and only the lost state
 * knew that they wait.
 */
export function namesakes(kind: ResourceKind, urn: string, name: string, objects: readonly Props[]): readonly Props[] {
  const naming = namingOf(kind);
  if (name !== autoName(urn, 0, naming)) return objects.filter((object) => object["name"] === name);
  const generations = objects.map((object) => generationIn(object["name"], urn, naming));
  const last = Math.max(0, ...generations.map((each) => each ?? 0));
  const isMeant = (generation = -1): boolean => (kind.credential ? generation >= 0 : generation === last);
  return objects
    .map((object, index) => ({ object, generation: generations[index] }))
    .filter(({ generation }) => isMeant(generation))
    .sort((a, b) => (b.generation ?? 0) - (a.generation ?? 0))
    .map(({ object }) => object);
}
