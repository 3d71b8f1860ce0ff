import type { Api } from "../api/client";
import type { ManagedCollection } from "../api/collection";
import { ConfigurationError } from "../api/errors";
import type { Definition } from "../definition/definition";
import { responseSchema, type Listable } from "../definition/schemas";
import { wireName } from "../definition/wire";
import type { Props, ResourceHandler } from "./kind";

/** The calls of a kind, from its definition. */
export function callsOf(definition: Definition): (api: Api) => ResourceHandler {
  let item: ReturnType<typeof responseSchema> | undefined;
  return (api) => {
    const at = (inputs: Props, id = "it"): ManagedCollection<Listable> =>
      collectionAt(api, definition, (item ??= responseSchema(definition)), inputs, id);
    return {
      create: (inputs, body, call) => at(inputs).create(body, call),
      get: (id, inputs, call) => at(inputs, id).get(id, call),
      // What a list cannot be asked for is read by itself: a reference need not say its project.
      read: (id, inputs, call) =>
        isListable(definition, inputs) ? at(inputs, id).read(id, call) : at(inputs, id).get(id, call),
      update: (id, inputs, body, call) => at(inputs, id).update(id, body, call),
      act: (id, inputs, { verb, body }, call) => at(inputs, id).act(id, verb, body, call),
      delete: (id, inputs, call) => at(inputs, id).delete(id, call),
      list: (inputs, call) => at(inputs).list(call),
      quoteCreate: (inputs, body, call) => at(inputs).quoteCreate(body, call),
      quoteUpdate: (id, inputs, body, call) => at(inputs, id).quoteUpdate(id, body, call),
    };
  };
}

function isListable({ listedBy }: Definition, inputs: Props): boolean {
  return listedBy === undefined || inputs[listedBy] !== undefined;
}

function collectionAt(
  api: Api,
  definition: Definition,
  item: ReturnType<typeof responseSchema>,
  inputs: Props,
  id: string,
): ManagedCollection<Listable> {
  const { nouns, path, listedBy, isQuoted } = definition;
  const segments = path.split("/").filter((segment) => segment !== "");
  const filled = segments.map((segment) =>
    segment.startsWith("{") ? required(inputs, segment.slice(1, -1), id) : segment,
  );
  const ownerLength = segments.findLastIndex((segment) => segment.startsWith("{")) + 1;
  const field = listedBy === undefined ? undefined : definition.inputs[listedBy];
  const listedIn = listedBy === undefined ? undefined : inputs[listedBy];
  return api.collection({
    noun: nouns,
    ...(isQuoted !== undefined && { isQuoted }),
    path: filled,
    ...(ownerLength > 0 && { owner: filled.slice(0, ownerLength) }),
    ...(field &&
      listedBy !== undefined &&
      typeof listedIn === "string" && { query: { [wireName(listedBy, field)]: listedIn } }),
    item,
  });
}

/** A member that the path needs. It is missing only where a reference by id does not give it. */
function required(inputs: Props, name: string, id: string): string {
  const value = inputs[name];
  if (typeof value === "string" && value !== "") return value;
  throw new ConfigurationError(`To find ${id} its ${name} is needed: give it beside the id, or as "<${name}>/<id>".`);
}
