import { z } from "zod";
import { runNotes } from "../cost/run-notes";
import { fieldsSchema } from "../definition/response-schemas";
import { valueFromWire, wireName } from "../definition/wire";
import { LookupError, type Lookup } from "./lookup-definition";
import type { Session } from "./session";

export interface LookupCall {
  readonly lookup: Lookup;
  readonly functionName: string;
  readonly session: Session;
  /** The arguments as the program gives them. */
  readonly args: Values;
}

export type Values = Readonly<Record<string, unknown>>;

type RequestPath = readonly string[];
type RequestQuery = Readonly<Record<string, string>>;

/** Sends a GET. `purpose` is for error texts. Resolves with the answer in the program's form. */
export async function showObject(
  call: LookupCall,
  path: RequestPath,
  query: RequestQuery,
  purpose: string,
): Promise<unknown> {
  const { lookup, session } = call;
  const schema = fieldsSchema(lookup.result.fields);
  return answerFromWire(lookup, await session.api.show(schema, noted(call, path), query, { purpose }));
}

/** The items of a list, of all pages, in the program's form. */
export async function listObjects(
  call: LookupCall,
  path: RequestPath,
  query: RequestQuery,
  purpose: string,
): Promise<readonly Values[]> {
  const { lookup, session } = call;
  const schema = fieldsSchema(lookup.result.fields);
  const items: Values[] = [];
  for await (const wire of session.api.list(schema, noted(call, path), query, { purpose }))
    items.push(answerFromWire(lookup, wire) as Values);
  return items;
}

/** The id of the one organization that the API key reaches. Rejects with a LookupError if there are several. */
export async function onlyOrganization(call: LookupCall): Promise<string> {
  const { functionName, session } = call;
  const path = noted(call, ["v1", "organizations"]);
  const ids: string[] = [];
  for await (const { id } of session.api.list(z.looseObject({ id: z.string() }), path, {}, { purpose: functionName }))
    ids.push(id);
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return id;
  const there = ids.length === 0 ? "The API key reaches none" : `The API key reaches ${ids.join(", ")}`;
  throw new LookupError(`${functionName} needs "organizationId". ${there}.`);
}

/** Notes the path for `cloudinfra permissions`. */
function noted({ functionName: name, session }: LookupCall, path: RequestPath): RequestPath {
  const { provider } = session.settings;
  runNotes(process.env)?.add({ note: "lookup", name, path: `/${path.join("/")}`, provider });
  return path;
}

export function argsInPath({ path }: Lookup): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, arg = ""]) => arg);
}

export function pathOf(path: string, values: Values): string[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  return segments.map((segment) => (segment.startsWith("{") ? asText(values[segment.slice(1, -1)]) : segment));
}

/** The query with the API's names. A list is joined with commas. */
export function queryOf({ args, path }: Lookup, values: Values): Record<string, string> {
  const entries = Object.entries(args).filter(([name]) => values[name] !== undefined && !path.includes(`{${name}}`));
  return Object.fromEntries(entries.map(([name, field]) => [wireName(name, field), asText(values[name])]));
}

export function asText(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(",") : String(value);
}

/** Converts the API's answer, or an item of it, to the program's form. */
function answerFromWire({ result: { fields } }: Lookup, wire: unknown): unknown {
  return valueFromWire({ kind: "object", members: fields }, wire);
}
