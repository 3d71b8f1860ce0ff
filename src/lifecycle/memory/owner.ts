import { urnParts } from "../../engine/urn";
import type { RunMemory } from "./run-memory";
import type { Finding, Props, ResourceKind } from "../kind/kind";

/**
 * Holds an object for a resource, for the rest of this run. Returns the reason if another resource holds it already: if one of two goes,
 * it would delete the object of the other, or give it back. `isCertain`: the resource has the object, and does not only plan to take it
 * over.
 */
export function claimObject(
  kind: ResourceKind,
  memory: RunMemory,
  urn: string,
  id: string,
  isCertain: boolean,
): string | undefined {
  const owner = memory.claim(id, urn, isCertain);
  if (owner === urn) return undefined;
  return (
    `${kind.noun} ${id} already belongs to the resource "${urnParts(owner).name}" of this program. ` +
    `Declare one resource for it, and remove the other one: the object stays`
  );
}

/** The same for check, which only plans. */
export function claimFindings(
  kind: ResourceKind,
  memory: RunMemory,
  urn: string,
  id: string,
  { adopt }: Props,
): readonly Finding[] {
  const reason = claimObject(kind, memory, urn, id, false);
  const field = adopt === undefined ? (kind.discovery?.by[0] ?? "") : "adopt";
  return reason === undefined ? [] : [{ severity: "failure", field, reason }];
}

/** The name of another resource that holds the object in this run. A resource that an alias has renamed is no other one. */
export function otherOwner(memory: RunMemory, urn: string, id: string): string | undefined {
  const owner = memory.ownerOf(id);
  if (owner === undefined || owner === urn) return undefined;
  const { previous, replaced, outputs } = memory.of(owner) ?? {};
  return [previous, replaced, outputs].some((state) => state?.urn === urn) ? undefined : urnParts(owner).name;
}
