import { pathInputs } from "./definition";
import type { Props } from "./rules";
import type { Definition } from "./types";

/** Reads an id for import or `adopt`: `<vpcId>/<firewallRuleId>`, or only the API's own. */
export function parseImportId(definition: Definition, text: string): { readonly id: string; readonly inputs: Props } {
  const names = pathInputs(definition);
  const parts = text.split("/");
  const id = parts.at(-1);
  if (names.length === 0 || id === undefined || parts.length !== names.length + 1) return { id: text, inputs: {} };
  return { id, inputs: Object.fromEntries(names.map((name, index) => [name, parts[index]])) };
}

/** The opposite of `parseImportId`. */
export function importId(definition: Definition, id: string, inputs: Props): string {
  return [...pathInputs(definition).map((name) => String(inputs[name])), id].join("/");
}
