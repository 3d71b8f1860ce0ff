import { catalogs } from "../../definition/catalogs";
import type { Api } from "../../api/client";
import type { Collection } from "../../api/collection";
import { ConfigurationError } from "../../api/errors";
import { listedBy } from "../../definition/definition";
import { hasParts, namedParts, type NamedPart } from "../../definition/parts";
import { responseSchema, type ApiObject } from "../../definition/response-schemas";
import { wireName } from "../../definition/wire";
import type { Props } from "./kind";
import type { Definition } from "../../definition/types";

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
 * The collection of objects with these inputs. Throws ConfigurationError if an input for its path is missing. `id` is
 * for that message.
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
