import { failure } from "../../definition/rule-context";
import { unnamedParts } from "../../definition/parts";
import { containsUnknown } from "../../engine/values";
import { replacingFields, type Finding, type Props, type ResourceKind } from "../kind/kind";
import { claimObject } from "../memory/claim-object";
import type { ObjectRun } from "../objects/resource-call";
import type { Proposal } from "../pricing/quote-of-creation";

export function deletedText({ noun }: ResourceKind, id: string): string {
  return `the API shows ${noun} ${id} with the status "deleted": correct the id, or remove "adopt"`;
}

/** Warns of parts that the program does not name. Another resource may have them. */
export function unnamedFindings(kind: ResourceKind, shown: Props, given: Props): readonly Finding[] {
  const unnamed = unnamedParts(kind, shown, given).filter(([field]) => !containsUnknown(given[field]));
  return unnamed.map(([field, names]) => ({
    severity: "warning",
    field,
    reason:
      `does not list ${names.map((name) => JSON.stringify(name)).join(", ")} of the ${kind.noun} to adopt. Add each part that no other ` +
      `resource manages: without it the cost is incomplete, and the API may delete the part with the ${kind.noun}`,
  }));
}

/** Failures for the fields that differ from the program, and that the API cannot change. */
export function immutableDifferences(kind: ResourceKind, shown: Props, wanted: Props, now: number): readonly Finding[] {
  return replacingFields(kind.shownFields, shown, wanted, now)
    .filter((field) => !containsUnknown(wanted[field]))
    .map((field) => ({
      severity: "failure",
      field,
      reason:
        `cannot be changed at the API. The object to adopt has ${JSON.stringify(shown[field] ?? null)}, the program ` +
        `${JSON.stringify(wanted[field] ?? null)}: use the object's value in the program, or adopt another object`,
    }));
}

/** The refusal of `claimObject` as a finding. check only plans to take the object over, so the claim is not certain. */
export function claimFindings(
  { kind, run, urn, inputs: { adopt } }: Proposal<ObjectRun>,
  id: string,
): readonly Finding[] {
  const field = adopt === undefined ? (kind.discovery?.by[0] ?? "") : "adopt";
  const reason = claimObject({ kind, run, urn }, id, { isCertain: false, plannedBy: field, existedBefore: true });
  return reason === undefined ? [] : [failure(field, reason)];
}
