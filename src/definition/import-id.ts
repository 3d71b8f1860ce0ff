import { pathInputs } from "./definition";
import type { Props } from "./rule-context";
import type { Definition } from "./types";

/** Parses an id for import or `adopt`: `<vpcId>/<firewallRuleId>`, or the API's own id alone. */
export function parseImportId(definition: Definition, text: string): { readonly id: string; readonly inputs: Props } {
  const names = pathInputs(definition);
  const parts = text.split("/");
  const id = parts.at(-1);
  if (names.length === 0 || id === undefined || parts.length !== names.length + 1) return { id: text, inputs: {} };
  return { id, inputs: Object.fromEntries(names.map((name, index) => [name, parts[index]])) };
}

/** The id for import or `adopt`. The opposite of `parseImportId`. */
export function importId(definition: Definition, id: string, inputs: Props): string {
  return [...pathInputs(definition).map((name) => String(inputs[name])), id].join("/");
}
