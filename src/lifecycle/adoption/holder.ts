import { urnParts } from "../../urn";
import type { Finding, ResourceKind } from "../kind";
import type { Run } from "../run";

/**
 * Holds a discovered object for a resource, for the rest of this run. Returns the reason if another resource holds it already: a second
 * one would find what the first one has set, and give the object back like that. `isCertain`: the resource has the object, and does not
 * only plan to take it over. Other kinds have no such objects.
 */
export function holdObject(
  kind: ResourceKind,
  run: Run,
  urn: string,
  id: string,
  isCertain: boolean,
): string | undefined {
  if (kind.discovery === undefined) return undefined;
  const holder = run.memory.hold(id, urn, isCertain);
  if (holder === urn) return undefined;
  return (
    `${kind.noun} ${id} already belongs to the resource "${urnParts(holder).name}" of this program. ` +
    `Declare one resource for it, and remove the other one`
  );
}

/** The same for check, which only plans. */
export function holdFindings(kind: ResourceKind, run: Run, urn: string, id: string): readonly Finding[] {
  const reason = holdObject(kind, run, urn, id, false);
  return reason === undefined ? [] : [{ severity: "failure", field: kind.discovery?.by[0] ?? "", reason }];
}
