import { membersOf } from "./parts";
import { isRecord } from "./record";
import type { Finding, Props } from "./rules";
import type { Definition, Fields } from "./types";

/** A field that can only grow must not shrink, unless a new object replaces the old one. */
export function growthFindings({ inputs, noun }: Definition, present: Props, values: Props): Finding[] {
  return shrunk(inputs, present, values, { path: "", of: `the ${noun}` }).map(({ field, of, before, after }) => ({
    severity: "failure",
    field,
    reason: `cannot become smaller: ${of} has ${before}, the program says ${after}. Give ${before} or more, or make another ${noun}`,
  }));
}

interface Shrunk {
  readonly field: string;
  /** What has the field, in words. */
  readonly of: string;
  readonly before: number;
  readonly after: number;
}

function shrunk(
  fields: Fields,
  present: Props,
  values: Props,
  { path, of }: { readonly path: string; readonly of: string },
): Shrunk[] {
  return Object.entries(fields).flatMap(([name, field]): Shrunk[] => {
    const [before, after] = [present[name], values[name]];
    const at = `${path}${name}`;
    if (field.growsOnly === true) {
      return typeof before === "number" && typeof after === "number" && after < before
        ? [{ field: at, of, before, after }]
        : [];
    }
    if (isRecord(before) && isRecord(after)) return shrunk(membersOf(field), before, after, { path: `${at}.`, of });
    if (!Array.isArray(before) || !Array.isArray(after)) return [];
    // Items of a list of parts are matched by name.
    const earlier = before.filter(isRecord);
    return after.flatMap((item: unknown, index) => {
      const same =
        isRecord(item) && earlier.find((each) => each["name"] !== undefined && each["name"] === item["name"]);
      if (!same) return [];
      const place = { path: `${at}[${index}].`, of: `"${String(same["name"])}"` };
      return shrunk(membersOf(field), same, item, place);
    });
  });
}
