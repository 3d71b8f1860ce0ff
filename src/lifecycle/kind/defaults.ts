import { inputFields } from "../../definition/definition";
import type { Definition } from "../../definition/types";
import type { Settings } from "../../settings/config";
import type { Props } from "./kind";

/** Default values: those of the configuration, and the empty ones that the API shows for none. */
export function defaultsOf(definition: Definition, settings: Settings): Props {
  const values: Record<string, unknown> = {};
  for (const [name, { type, configured, ...field }] of Object.entries(inputFields(definition))) {
    const setting = configured && settings[configured];
    const value = setting === undefined || type.kind !== "list" ? setting : [setting];
    if (value !== undefined || field.default !== undefined) values[name] = value ?? field.default;
  }
  return values;
}
