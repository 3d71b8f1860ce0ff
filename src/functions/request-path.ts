import { wireName } from "../definition/wire";
import type { Lookup, Values } from "./lookup-definition";

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
