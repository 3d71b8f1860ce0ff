import type { Api } from "../api/client";
import type { ManagedCollection } from "../api/collection";
import { ConfigurationError, NotFoundError } from "../api/errors";
import { namedParts, withParts, type NamedPart } from "../definition/parts";
import { responseSchema, type Listable } from "../definition/schemas";
import { fromWire, wireName } from "../definition/wire";
import type { Props, ResourceHandler } from "./kind";
import type { Definition } from "../definition/types";

type Calls = ManagedCollection<Listable>;

/** The calls of a kind, from its definition. */
export function callsOf(definition: Definition): (api: Api) => ResourceHandler {
  return (api) => {
    const at = (inputs: Props, id = "it"): Calls => collectionAt(api, definition, inputs, id);
    // If an input for the list is missing, the object is read alone: a reference need not give its project.
    const read = (of: Definition, inputs: Props, id: string): Calls["read"] => {
      const collection = collectionAt(api, of, inputs, id);
      return (one, call, asker) =>
        isListable(of, inputs) ? collection.read(one, call, asker) : collection.get(one, call);
    };
    /** With the parts that it was made with. A part that is gone is absent. */
    const whole = async (wire: Props, show: (part: NamedPart, inputs: Props) => Promise<Props>): Promise<Props> => {
      const inputs = fromWire(definition, wire);
      const named = namedParts(definition, wire);
      const shown = await Promise.all(
        named.map(async (part) => [part, await orAbsent(() => show(part, inputs))] as const),
      );
      return withParts(
        definition,
        wire,
        shown.flatMap(([part, object]) => (object ? [[part, object] as const] : [])),
      );
    };
    return {
      create: (inputs, body, call) => at(inputs).create(body, call),
      get: (id, inputs, call) => at(inputs, id).get(id, call),
      getNew: (id, inputs, call) => at(inputs, id).getNew(id, call),
      whole: async (id, inputs, call) =>
        whole(await at(inputs, id).get(id, call), ({ part, id: own }, those) =>
          collectionAt(api, part.of, those, own).get(own, call),
        ),
      read: async (id, inputs, call) =>
        whole(await read(definition, inputs, id)(id, call), ({ part, id: own }, those) =>
          read(part.of, those, own)(own, call, id),
        ),
      update: (id, inputs, body, call) => at(inputs, id).update(id, body, call),
      act: (id, inputs, { verb, body }, call) => at(inputs, id).act(id, verb, body, call),
      changePart: ({ part, id, body }, inputs, call) => collectionAt(api, part.of, inputs, id).update(id, body, call),
      mayChangePart: ({ part, id, body }, inputs, call) =>
        collectionAt(api, part.of, inputs, id).mayUpdate(id, body, call),
      apart: (id, inputs, member, call) => at(inputs, id).apart(id, member, call),
      delete: (id, inputs, call) => at(inputs, id).delete(id, call),
      list: (inputs, call) => at(inputs).list(call),
      quoteCreate: (inputs, body, call) => at(inputs).quoteCreate(body, call),
      quoteUpdate: (id, inputs, body, call) => at(inputs, id).quoteUpdate(id, body, call),
      mayCreate: (inputs, body, call) => at(inputs).mayCreate(body, call),
      mayUpdate: (id, inputs, body, call) => at(inputs, id).mayUpdate(id, body, call),
    };
  };
}

function isListable({ listedBy }: Definition, inputs: Props): boolean {
  return listedBy === undefined || inputs[listedBy] !== undefined;
}

const schemas = new WeakMap<Definition, ReturnType<typeof responseSchema>>();

/** Made once, when the kind is first asked for. */
function schemaOf(definition: Definition): ReturnType<typeof responseSchema> {
  const known = schemas.get(definition) ?? responseSchema(definition);
  schemas.set(definition, known);
  return known;
}

/**
 * The collection of a kind that has an object with these inputs. Throws ConfigurationError if an input of its path is missing;
 * `id` is for that message.
 */
export function collectionAt(api: Api, definition: Definition, inputs: Props = {}, id = "it"): Calls {
  const { nouns, path, listedBy, isQuoted = true, unquotedIn = [], hasAvailability = false } = definition;
  const segments = path.split("/").filter((segment) => segment !== "");
  const filled = segments.map((segment) =>
    segment.startsWith("{") ? required(inputs, segment.slice(1, -1), id) : segment,
  );
  const ownerLength = segments.findLastIndex((segment) => segment.startsWith("{")) + 1;
  const field = listedBy === undefined ? undefined : definition.inputs[listedBy];
  const listedIn = listedBy === undefined ? undefined : inputs[listedBy];
  return api.collection({
    noun: nouns,
    isQuoted: isQuoted && !unquotedIn.some((dialect) => dialect === api.dialect),
    hasAvailability,
    path: filled,
    ...(ownerLength > 0 && { owner: filled.slice(0, ownerLength) }),
    ...(field &&
      listedBy !== undefined &&
      typeof listedIn === "string" && { query: { [wireName(listedBy, field)]: listedIn } }),
    item: schemaOf(definition),
  });
}

/** The object, or undefined if there is none. */
async function orAbsent<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** A member of the path. It is missing only if a reference by id does not give it. */
function required(inputs: Props, name: string, id: string): string {
  const value = inputs[name];
  if (typeof value === "string" && value !== "") return value;
  throw new ConfigurationError(
    `The id ${id} alone is not enough: give its ${name} too, or "<${name}>/<id>" as the id.`,
  );
}
