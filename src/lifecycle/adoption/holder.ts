import { urnParts } from "../../urn";
import type { Finding, ResourceKind } from "../kind";
import type { Run } from "../run";

/**
 * Why a resource cannot have a discovered object: another resource of this run has it. Undefined if it can; then it has the object
 * from now on. With two resources, the second one would find what the first one has set, and give the object back like that.
 * `isCertain`: it has the object, and does not only plan to take it over.
 */
export function heldByAnother(
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

/** The same, for check. */
export function heldFindings(kind: ResourceKind, run: Run, urn: string, id: string): readonly Finding[] {
  const reason = heldByAnother(kind, run, urn, id, false);
  return reason === undefined ? [] : [{ severity: "failure", field: kind.discovery?.by[0] ?? "", reason }];
}
