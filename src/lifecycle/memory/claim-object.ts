import type { RunResource } from "../kind/kind";
import { resourceKey, urnParts } from "../../engine/urn";
import { runsWithoutDependent } from "../../process/cli-process";
import { otherOwner, readerName, type Claim } from "./known-objects";
import type { RunMemory } from "./run-memory";

/** A resource that claims an object. */
type Claimant = RunResource<{ readonly memory: RunMemory }>;

/** Why an object is deleted before the program is known to need it. */
export const DELETED_FIRST =
  "which this run deletes first, because it depends on a resource with deleteBeforeReplace that is replaced";

/**
 * Makes a resource the owner of an object for the rest of this run. Returns a reason if another resource owns the
 * object: with two owners, the deletion of one would take the object from the other.
 */
export function claimObject({ kind, run, urn }: Claimant, id: string, claim: Claim): string | undefined {
  const { objects } = run.memory;
  const first = objects.of(id).deletedFirst;
  if (claim.plannedBy !== undefined && first !== undefined && resourceKey(first) !== resourceKey(urn)) {
    const [own, other] = [urn, first].map((each) => `"${urnParts(each).name}"`);
    return `${kind.noun} ${id} belongs to the resource ${other}, ${DELETED_FIRST}. Give it to ${own} in a run without that replacement`;
  }
  const owner = objects.claim(id, urn, claim);
  if (owner === resourceKey(urn)) return undefined;
  const [own, other] = [urn, owner].map((each) => `"${urnParts(each).name}"`);
  const { decision, plannedBy: plan } = objects.of(id).owner ?? {};
  if (decision === "replaced")
    return (
      `${kind.noun} ${id} belongs to the resource ${other} of this program, which this run replaces: the run may delete the object first. ` +
      `Take ${other} out of the program for one run: the object then stays for ${own}. Declare ${other} again afterwards. If ${own} has ` +
      `another object that must stay too, run \`pulumi state delete\` for both resources instead, and then run again`
    );
  if (claim.plannedBy !== undefined && plan !== undefined)
    return (
      `${own} and ${other} of this program both take over ${kind.noun} ${id}, and it can belong to one resource only. ` +
      `Decide which: remove or correct ${claim.plannedBy} of ${own}, or ${plan} of ${other}`
    );
  // The other resource only plans to take the object over. The engine may present it before the one that has the
  // object.
  if (plan !== undefined)
    return (
      `the resource ${other} of this program adopts ${kind.noun} ${id}, which belongs to ${own}. ` +
      `${own} keeps it: remove or correct ${plan} of ${other}`
    );
  const advice =
    claim.plannedBy === undefined
      ? "Declare one resource for it, and remove the other one: the object stays"
      : `Remove or correct ${claim.plannedBy} of ${own}`;
  return `${kind.noun} ${id} already belongs to the resource ${other} of this program. ${advice}`;
}

/**
 * The reason not to replace a dependent that the run leaves out. The engine replaces the dependents of a resource with
 * `deleteBeforeReplace` without a check, even if they are left out. The new object would have the former inputs, such
 * as the id of a deleted VPC, and would not know a key that waits.
 */
export function refusalToLeaveOut({ kind: { noun }, urn }: Claimant, id: string): string | undefined {
  if (!runsWithoutDependent(urn)) return undefined;
  return (
    `The run leaves out ${noun} ${id} (--target or --exclude), which depends on a resource with deleteBeforeReplace that is replaced. ` +
    `Pulumi would replace the ${noun} too, with its former inputs. Add --target-dependents, or leave out --exclude.`
  );
}

/**
 * The reason not to delete an object before the engine has compared its resource with the program: another resource
 * adopts or reads it. The engine would delete the object before it presents that resource.
 */
export function refusalToDeleteFirst({ kind: { noun }, run, urn }: Claimant, id: string): string | undefined {
  const { objects } = run.memory;
  const reader = readerName(objects, id);
  if (reader !== undefined)
    return (
      `The get "${reader}" of the program reads ${noun} ${id}, ${DELETED_FIRST}. ` +
      `Make that replacement in a run that does not read the ${noun}.`
    );
  const other = otherOwner(objects, urn, id);
  if (other === undefined || objects.of(id).owner?.plannedBy === undefined) return undefined;
  return `The resource "${other}" adopts ${noun} ${id}, ${DELETED_FIRST}. Adopt it in a run without that replacement.`;
}
