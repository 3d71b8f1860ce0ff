import { catalogs } from "../../definition/catalogs";
import type { Api } from "../../api/client";
import type { Collection } from "../../api/collection";
import type { CallOptions } from "../../api/http/request";
import { ConfigurationError, orUndefined } from "../../api/errors";
import { isSameId } from "../../definition/same-id";
import { listedBy } from "../../definition/definition";
import {
  hasParts,
  isMadeWith,
  itemsOf,
  listsOfParts,
  namedParts,
  partFields,
  withoutParts,
  withParts,
  type NamedPart,
} from "../../definition/parts";
import { responseSchema, type ApiObject } from "../../definition/response-schemas";
import { fromWire, wireName } from "../../definition/wire";
import type { Props } from "./kind";
import type { Definition, Part } from "../../definition/types";

/** The ids of an object's own parts. Undefined if no run has noted them: then the parts that are as old as the object count as its own. */
export type OwnParts = readonly string[] | "all" | undefined;

interface ObjectWithParts {
  readonly id: string;
  /** The inputs for its path. */
  readonly inputs: Props;
  readonly ownParts: OwnParts;
  /** The API's answer about the object itself. Default: it is read. */
  readonly wire?: Props;
}

/**
 * Reads the object, and its own parts from their endpoints. A part that no longer exists is absent. `isOneOfMany`: for the many reads of a
 * refresh, it uses lists if they take fewer calls.
 */
export async function getWithParts(
  api: Api,
  definition: Definition,
  { id, inputs: given, ownParts, wire: answer }: ObjectWithParts,
  call: CallOptions,
  isOneOfMany = false,
): Promise<Props> {
  const listing = answer ?? (await show(definition, given, id));
  const inputs = fromWire(definition, listing);
  const showPart: ShowPart = ({ of }, partId) => show(of, inputs, partId, id);
  const wire = Array.isArray(ownParts) ? await withUnlistedParts(definition, id, listing, ownParts, showPart) : listing;
  const isListed = ({ id: part }: NamedPart): boolean =>
    ownParts === undefined || ownParts === "all" || ownParts.some((own) => isSameId(own, part));
  const shown = await Promise.all(
    namedParts(definition, wire)
      .filter(isListed)
      .map(async (named) => {
        const part = await orUndefined(() => showPart(named.part, named.id));
        return part ? [[named, part] as const] : [];
      }),
  );
  const others = shown
    .flat()
    .filter(([{ isInList }, part]) => ownParts === undefined && isInList && !isMadeWith(wire, part));
  const own = shown.flat().filter((each) => !others.includes(each));
  const ids = others.map(([named]) => named.id);
  return withParts(definition, ids.length > 0 ? withoutParts(definition, wire, ids) : wire, own);

  /** `asker`: the object of which it is a part. */
  function show(of: Definition, known: Props, each: string, asker?: string): Promise<Props> {
    const collection = collectionAt(api, of, known, each);
    // Without the input for the list, the object is read by GET. A reference need not give its project, for example.
    const project = listedBy(of);
    const isListable = project === undefined || known[project] !== undefined;
    return isOneOfMany && isListable ? collection.read(each, call, asker) : collection.get(each, call);
  }
}

type ShowPart = (part: Part, partId: string) => Promise<Props>;

/**
 * Adds the object's own parts to a response that lists them late, if the part's own response says that it is attached to the object. If a
 * field with a single part is still empty, nothing shows which own part belongs to which field. Then the response stays as it is.
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
      const shown = await Promise.all(unlisted.map((each) => orUndefined(() => showPart(part, each))));
      const attached = unlisted.filter((_, i) => isSameId(String(shown[i]?.[part.attachedAt]), id));
      return attached.length > 0 ? { [part.idAt]: [...itemsOf(wire[part.idAt]), ...attached] } : {};
    }),
  );
  return Object.assign({ ...wire }, ...members) as Props;
}

/** The ids of the parts that a ready object shows. Undefined for a kind without parts. */
export function partIdsOf(definition: Definition, wire: Props): readonly string[] | undefined {
  return hasParts(definition) ? namedParts(definition, wire).map(({ id }) => id) : undefined;
}

/** The collection of a part. `inputs` are those of the object that has the part. */
export function partCollection(
  api: Api,
  { part, id }: Pick<NamedPart, "part" | "id">,
  inputs: Props,
): Collection<ApiObject> {
  return collectionAt(api, part.of, inputs, id);
}

/**
 * The collection of objects with these inputs. Throws ConfigurationError if an input for its path is missing. `id` is for that
 * message.
 */
export function collectionAt(api: Api, definition: Definition, inputs: Props = {}, id = "it"): Collection<ApiObject> {
  const { nouns, path } = definition;
  const segments = path.split("/").filter((segment) => segment !== "");
  const filled = segments.map((segment) =>
    segment.startsWith("{") ? required(inputs, segment.slice(1, -1), id) : segment,
  );
  const ownerLength = segments.findLastIndex((segment) => segment.startsWith("{")) + 1;
  const project = listedBy(definition) ?? "";
  const field = definition.inputs[project];
  const listedIn = inputs[project];
  return api.collection({
    noun: nouns,
    path: filled,
    ...(ownerLength > 0 && { owner: filled.slice(0, ownerLength) }),
    ...(field && typeof listedIn === "string" && { query: { [wireName(project, field)]: listedIn } }),
    item: responseSchema(definition),
  });
}

export function isQuotedIn({ isQuoted = true, unquotedIn = [] }: Definition, dialect: string): boolean {
  return isQuoted && !unquotedIn.some((other) => other === dialect);
}

/** An input for the path. It is missing only in a reference that gives the id alone. */
function required(inputs: Props, name: string, id: string): string {
  const value = inputs[name];
  if (typeof value === "string" && value !== "") return value;
  throw new ConfigurationError(
    `The id ${id} alone is not enough: give its ${name} too, or "<${name}>/<id>" as the id.`,
  );
}

/** The path of the collection to which the ids in this input belong. */
export function parentPath({ path, inputs }: Definition, field: string): string {
  const catalog = inputs[field]?.names;
  const end = path.indexOf(`/{${field}}`);
  return end >= 0 || catalog === undefined ? path.slice(0, end) : catalogs[catalog].path;
}
