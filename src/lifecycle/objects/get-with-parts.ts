import type { Api, CallOptions } from "../../api/client";
import { undefinedIfNotFound } from "../../api/not-found";
import { listedBy } from "../../definition/definition";
import {
  isMadeWith,
  itemsOf,
  listsOfParts,
  namedParts,
  partFields,
  withoutParts,
  withParts,
  type NamedPart,
} from "../../definition/parts";
import { isSameId } from "../../definition/same-id";
import type { Definition, Part } from "../../definition/types";
import { fromWire } from "../../definition/wire";
import { collectionAt } from "../kind/collection-at";
import type { Props } from "../kind/kind";

/**
 * The ids of an object's own parts. Undefined if no run has noted them: then the parts that are as old as the object
 * count as its own.
 */
export type OwnParts = readonly string[] | "all" | undefined;

interface ObjectWithParts {
  readonly id: string;
  /** At least the path parameters. A refresh can use lists only with the project, too. */
  readonly inputs: Props;
  readonly ownParts: OwnParts;
  /** The API's response about the object itself. Default: it is read. */
  readonly wire?: Props;
}

/**
 * Reads the object, and its own parts from their endpoints. A part that no longer exists is absent. `isOneOfMany`: for
 * the many reads of a refresh, it uses lists if they take fewer calls.
 */
export async function getWithParts(
  api: Api,
  definition: Definition,
  { id, inputs: given, ownParts, wire: response }: ObjectWithParts,
  options: CallOptions,
  isOneOfMany = false,
): Promise<Props> {
  const listing = response ?? (await show(definition, given, id));
  const inputs = fromWire(definition, listing);
  const showPart: ShowPart = ({ of }, partId) => show(of, inputs, partId, id);
  const wire = Array.isArray(ownParts) ? await withUnlistedParts(definition, id, listing, ownParts, showPart) : listing;
  const isListed = ({ id: part }: NamedPart): boolean =>
    ownParts === undefined || ownParts === "all" || ownParts.some((own) => isSameId(own, part));
  const shown = await Promise.all(
    namedParts(definition, wire)
      .filter(isListed)
      .map(async (named) => {
        const part = await undefinedIfNotFound(() => showPart(named.part, named.id));
        return part ? [[named, part] as const] : [];
      }),
  );
  const others = shown
    .flat()
    .filter(([{ isInList, part }, object]) => ownParts === undefined && isInList && !isMadeWith(part, wire, object));
  const own = shown.flat().filter((each) => !others.includes(each));
  const ids = others.map(([named]) => named.id);
  return withParts(definition, ids.length > 0 ? withoutParts(definition, wire, ids) : wire, own);

  /** `parentId`: the object of which it is a part. */
  function show(of: Definition, known: Props, each: string, parentId?: string): Promise<Props> {
    const collection = collectionAt(api, of, known, each);
    // Without the input for the list, the object is read by GET. A reference need not give its project, for example.
    const project = listedBy(of);
    const isListable = project === undefined || known[project] !== undefined;
    return isOneOfMany && isListable ? collection.getCached(each, options, parentId) : collection.get(each, options);
  }
}

type ShowPart = (part: Part, partId: string) => Promise<Props>;

/**
 * Adds the object's own parts to a response that lists them late, if the part's own response says that it is attached
 * to the object. If a field with a single part is still empty, nothing shows which own part belongs to which field.
 * Then the response stays as it is.
 */
async function withUnlistedParts(
  definition: Definition,
  id: string,
  wire: Props,
  ownParts: readonly string[],
  showPart: ShowPart,
): Promise<Props> {
  const listed = namedParts(definition, wire);
  const hasSingleParts = partFields(definition).every(
    ({ name, isList }) => isList || listed.some(({ field }) => field === name),
  );
  if (!hasSingleParts) return wire;
  const unlisted = ownParts.filter((own) => !listed.some((each) => isSameId(each.id, own)));
  const members = await Promise.all(
    listsOfParts(definition).map(async ({ part }) => {
      const shown = await Promise.all(unlisted.map((each) => undefinedIfNotFound(() => showPart(part, each))));
      const attached = unlisted.filter((_, i) => isSameId(String(shown[i]?.[part.attachedAt]), id));
      return attached.length > 0 ? { [part.idAt]: [...itemsOf(wire[part.idAt]), ...attached] } : {};
    }),
  );
  return Object.assign({ ...wire }, ...members) as Props;
}
