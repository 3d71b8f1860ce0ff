import { CloudinfraError } from "../api/errors/cloudinfra-error";
import type { NotFoundError } from "../api/errors/api-error";
import { closest, closestText } from "../text/closest";
import {
  answerFromWire,
  argsInPath,
  asText,
  LookupError,
  pathOf,
  queryOf,
  type LookupCall,
  type Values,
} from "./lookup-definition";

/**
 * Rejects with the closest names that the API has, if it has no object of this name. Otherwise, or without a list, rejects with the
 * error.
 */
export async function rejectWithClosest(error: unknown, call: LookupCall, values: Values): Promise<never> {
  const { lookup, tools, functionName } = call;
  const { noun = "", listedAt, result } = lookup;
  if (listedAt === undefined || !isNotFound(error)) throw error;
  const [arg = "", ...parents] = argsInPath(lookup).reverse();
  const names = new Set<string>();
  try {
    for await (const wire of tools.list(result.fields, pathOf(listedAt, values), {}, functionName)) {
      const item = answerFromWire(lookup, wire) as Values;
      if (parents.every((parent) => item[parent] === values[parent])) names.add(asText(item[arg]));
    }
  } catch {
    throw error;
  }
  const near = closestText(closest(asText(values[arg]), [...names], (name) => [name]));
  if (near === undefined) throw error;
  const parent = parents.map((each) => ` of ${asText(values[each])}`).join("");
  throw new LookupError(`No ${noun}${parent} is named "${asText(values[arg])}". ${near}.`);
}

/** The objects whose ids are closest to one that the API does not have, in words. Empty without a list. */
export async function closestToId(
  { lookup, tools, functionName, args }: LookupCall,
  withDefaults: () => Promise<Values>,
): Promise<readonly string[]> {
  const id = asText(args["id"]);
  const items: NamedItem[] = [];
  try {
    const values = await withDefaults();
    const [path, query] = [pathOf(lookup.path, values), queryOf(lookup, values)];
    for await (const wire of tools.list(lookup.result.fields, path, query, functionName))
      items.push(answerFromWire(lookup, wire) as NamedItem);
  } catch {
    return [];
  }
  // A name was given instead of an id.
  const meant = items.filter(({ name }) => name === id);
  const near = meant.length > 0 ? meant : closest(id, items, (item) => [item.id]);
  return near.map((item) => (item.name === undefined ? item.id : `${item.id} (${asText(item.name)})`));
}

interface NamedItem {
  readonly id: string;
  readonly name?: unknown;
}

export function isNotFound(error: unknown): error is NotFoundError {
  return error instanceof CloudinfraError && error.code === "NOT_FOUND";
}
