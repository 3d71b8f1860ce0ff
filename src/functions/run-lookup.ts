import { BadRequestError, ConfigurationError, NotFoundError, RequestError } from "../api/errors";
import { text as textField } from "../definition/field";
import { unknownArguments } from "../definition/findings";
import { argumentsSchema } from "../definition/input-schemas";
import { findingText } from "../definition/rule-context";
import { wireName } from "../definition/wire";
import { howToConfigure } from "../engine/settings-list";
import { closest, closestText } from "../text/closest";
import { shownInput } from "../text/redaction";
import { clipped, listed } from "../text/terminal-text";
import { LookupError, type Lookup } from "./lookup-definition";
import {
  argsInPath,
  asText,
  listObjects,
  onlyOrganization,
  pathOf,
  queryOf,
  showObject,
  type LookupCall,
  type Values,
} from "./lookup-requests";

/**
 * Asks the API, and converts the answer to the program's form. Rejects with LookupError if an argument is wrong, or if
 * not exactly one object is found.
 */
export async function runLookup(call: LookupCall): Promise<unknown> {
  try {
    return await findAnswer(call).catch(async (error: unknown) => {
      throw refusedArguments(call, error) ?? (await namesNothing(call, error)) ?? error;
    });
  } catch (error) {
    if (error instanceof RequestError) error.adviseOnce(call.session.explained);
    throw error;
  }
}

/** The API's refusal with the program's names and values, if it is about arguments only. Otherwise undefined. */
function refusedArguments(
  { lookup: { args }, functionName, args: given }: LookupCall,
  error: unknown,
): LookupError | undefined {
  const parameters = error instanceof BadRequestError ? Object.entries(error.parameters) : [];
  const faults = parameters.flatMap(([parameter, reason]) => {
    const [name = ""] = Object.entries(args).find(([each, field]) => wireName(each, field) === parameter) ?? [];
    return given[name] === undefined ? [] : [{ field: name, reason: `${reason} (is ${shownInput(given[name])})` }];
  });
  return faults.length === 0 || faults.length < parameters.length
    ? undefined
    : faultsError(functionName, faults, error);
}

/**
 * For a 404: an error that shows the arguments in the path, and the closest that the API has. Undefined if the path has
 * none.
 */
async function namesNothing(call: LookupCall, error: unknown): Promise<LookupError | undefined> {
  // A 404 that is not the API's own may mean a wrong base URL.
  if (!(error instanceof NotFoundError) || error.type === undefined) return undefined;
  const { lookup, functionName, args } = call;
  const values = await completeArguments(call, args, true);
  const names = [...argsInPath(lookup), "id"].filter((name) => values[name] !== undefined);
  const field = names.at(-1);
  if (field === undefined) return undefined;
  const shown = names.map((name) => `${name} ${shownInput(values[name])}`).join(" and ");
  const advice = closestText(await closestItems(call, field)) ?? "Correct it";
  const reason = `the API has nothing with the ${shown} (${error.responseText}). ${advice}`;
  return new LookupError(`${functionName}: ${reason}.`, [{ field, reason }], { cause: error });
}

/** The objects that are closest to the one that the argument means, in words. Empty without a list of them. */
async function closestItems(call: LookupCall, field: string): Promise<readonly string[]> {
  const { lookup, functionName, args } = call;
  const listPath = field === "id" ? lookup.path : lookup.listedAt;
  if (listPath === undefined) return [];
  let items: readonly Values[];
  let values: Values;
  try {
    values = await completeArguments(call, args, false);
    items = await listObjects(call, pathOf(listPath, values), queryOf(lookup, values), functionName);
  } catch {
    return [];
  }
  const wrong = asText(values[field]);
  const parents = argsInPath(lookup).filter((arg) => arg !== field && !listPath.includes(`{${arg}}`));
  const siblings = items.filter((item) => parents.every((parent) => item[parent] === values[parent]));
  // A name may be given instead of an id.
  const named = field === "id" ? siblings.filter(({ name }) => name === wrong) : [];
  const near = named.length > 0 ? named : closest(wrong, siblings, (item) => [asText(item[field])]);
  return near.map((item) => {
    const isNamed = field === "id" && item["name"] !== undefined;
    return isNamed ? `${asText(item["id"])} (${asText(item["name"])})` : asText(item[field]);
  });
}

function faultsError(functionName: string, faults: LookupError["faults"], cause?: unknown): LookupError {
  return new LookupError(`${functionName}: ${faults.map(findingText).join("; ")}`, faults, { cause });
}

async function findAnswer(call: LookupCall): Promise<unknown> {
  const { lookup, functionName } = call;
  assertArguments(call);
  const { id, name, ...others } = lookup.finds === "byIdOrName" ? call.args : { ...call.args, id: undefined };
  if (lookup.finds === "byIdOrName") assertIdOrName(call, { id, name, others });
  const given = lookup.finds === "byIdOrName" ? others : call.args;
  const values = await completeArguments(call, given, id !== undefined);
  const path = pathOf(lookup.path, values);
  const query = queryOf(lookup, values);
  if (lookup.finds === "one") return showObject(call, path, query, nameWithId(functionName, path, lookup));
  if (id !== undefined) return showObject(call, [...path, asText(id)], {}, `${functionName} "${asText(id)}"`);
  if (lookup.finds === "all") return listObjects(call, path, query, functionName);
  const named = asText(name);
  return theOneNamed(lookup, values, named, await listObjects(call, path, query, `${functionName} "${named}"`));
}

const EMPTY = "is empty: give one that the API has. The setting or the output that it comes from may be empty";

/** Throws a LookupError that names every unknown argument and every wrong value. */
function assertArguments({ lookup, functionName, args: given }: LookupCall): void {
  const { args, finds } = lookup;
  const fields = finds === "byIdOrName" ? { id: textField(), name: textField(), ...args } : args;
  const empty = ["id", "name", ...argsInPath(lookup)].filter((name) => name in fields && given[name] === "");
  const wrong = argumentsSchema(fields).safeParse(given).error?.issues ?? [];
  const faults = [
    ...unknownArguments(functionName, fields, given),
    ...wrong.map(({ path, message }) => ({ field: path.join("."), reason: message })),
    ...empty.map((field) => ({ field, reason: EMPTY })),
  ];
  if (faults.length > 0) throw faultsError(functionName, faults);
}

function assertIdOrName(
  { lookup, functionName }: LookupCall,
  { id, name, others }: { readonly id: unknown; readonly name: unknown; readonly others: Values },
): void {
  const inPath = argsInPath(lookup);
  const rest = Object.keys(lookup.args).filter((arg) => !inPath.includes(arg));
  const given = Object.keys(others).filter((arg) => others[arg] !== undefined && !inPath.includes(arg));
  const entries = Object.entries({ id, name, ...others }).filter(([, value]) => value !== undefined);
  if (id !== undefined ? name === undefined && given.length === 0 : name !== undefined) return;
  const beside = rest.length === 0 ? "" : ` with or without ${rest.map((arg) => `"${arg}"`).join(" and ")}`;
  const needs = inPath.map((arg) => `"${arg}" and `).join("");
  const words = entries.map(([arg, value]) => `${arg} ${JSON.stringify(value)}`).join(", ") || "nothing";
  throw new LookupError(`${functionName} was given ${words}. It takes ${needs}either "id", or "name"${beside}.`);
}

/** Adds the defaults. Rejects with a LookupError or a ConfigurationError for a missing argument. */
async function completeArguments(call: LookupCall, given: Values, isById: boolean): Promise<Values> {
  const { args, path } = call.lookup;
  const values: Record<string, unknown> = { ...given };
  for (const [name, field] of Object.entries(args)) {
    if (values[name] !== undefined || (isById && !path.includes(`{${name}}`))) continue;
    if (field.configured !== undefined) values[name] = configured(call, field.configured);
    else if (name === "organizationId") values[name] = await onlyOrganization(call);
    else if (field.presence === "required") {
      const fault = { field: name, reason: `is required by ${call.functionName}` };
      throw new LookupError(`${call.functionName} needs "${name}".`, [fault]);
    }
  }
  return values;
}

function configured({ functionName, session }: LookupCall, key: "projectId" | "region"): string {
  const { [key]: value, provider } = session.settings;
  if (value !== undefined) return value;
  throw new ConfigurationError(`${functionName} needs a ${key}: give it one, or ${howToConfigure(key, provider)}.`);
}

/** The function's name with the values in the path, for error texts. */
function nameWithId(functionName: string, path: readonly string[], lookup: Lookup): string {
  const last = lookup.path.endsWith("}") ? path.at(-1) : undefined;
  return last === undefined ? functionName : `${functionName} "${last}"`;
}

/** An error lists at most this many names, because a project may have hundreds of objects. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;

const PARENTS: Readonly<Record<string, string>> = { projectId: "project", vpcId: "VPC", clusterId: "NKS cluster" };

function theOneNamed(
  { noun = "", nouns = "" }: Lookup,
  values: Values,
  name: string,
  items: readonly Values[],
): unknown {
  const every = items as { readonly id: string; readonly name?: unknown }[];
  const found = every.filter((item) => item.name === name);
  if (found.length === 1) return found[0];
  const parent = Object.keys(PARENTS).find((arg) => values[arg] !== undefined);
  const ofParent = parent === undefined ? "" : ` of the ${PARENTS[parent] ?? ""} ${asText(values[parent])}`;
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(", ");
    throw new LookupError(`${found.length} ${nouns}${ofParent} are named "${name}". Give an id: ${ids}.`);
  }
  const names = every.map((other) => `"${clipped(asText(other.name), MAX_NAME_LENGTH)}"`);
  const [there, none] = parent === undefined ? ["There are", "There is none"] : ["It has", "It has none"];
  throw new LookupError(
    `No ${noun}${ofParent} is named "${name}". ${names.length === 0 ? none : `${there} ${listed(names, MAX_NAMES)}`}.`,
  );
}
