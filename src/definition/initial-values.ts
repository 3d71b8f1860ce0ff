import type { PlanContext, Props } from "./rules";
import type { Definition } from "./types";

/** Values that a field takes from another field when the object is made. They then stay. */
export function initialValues({ inputs }: Definition, given: Props, { previous, adopted }: PlanContext): Props {
  const values: Record<string, unknown> = {};
  for (const [name, { initially }] of Object.entries(inputs)) {
    if (initially === undefined || given[name] !== undefined) continue;
    values[name] = previous?.[name] ?? adopted?.[name] ?? given[initially];
  }
  return values;
}
