import { inputName } from "../../definition/wire";
import { specName, type Dialect } from "../../api/dialect";
import type { Refusal } from "../../api/advisory-requests";
import { shownInput } from "../../text/redaction";
import type { Props, ResourceKind } from "./kind";

/** An objection of the API. `path` is the argument that it is about, if it names one: `projectIds[0]`. */
export interface Objection {
  readonly path: string | undefined;
  readonly text: string;
}

/** The API's objections to a proposal, with the program's names of arguments. The API's own words stay as they are. */
export function objectionsIn(
  kind: ResourceKind,
  dialect: Dialect,
  inputs: Props,
  refusal: Refusal,
): readonly Objection[] {
  const { words, isAboutPath, faults } = refusal;
  const parent = kind.pathFields.find((field) => isAboutPath && typeof inputs[field] === "string");
  if (parent !== undefined) {
    const text = `${parent}: the API has nothing with the id ${shownInput(inputs[parent])} (${words})`;
    return [{ path: parent, text }];
  }
  if (faults.length === 0) return [{ path: undefined, text: words }];
  return faults.map(({ member, reason }) => {
    const path = inputName(kind, specName(dialect, member));
    return { path, text: `${path}: ${reason}` };
  });
}

export function refusedFields(kind: ResourceKind, dialect: Dialect, refusal: Refusal): readonly string[] {
  return objectionsIn(kind, dialect, {}, refusal).flatMap(({ path }) => path?.split(/[.[]/)[0] ?? []);
}
