import { timeOf } from "../../time/utc";
import { CloudinfraError, ForbiddenError } from "../../api/errors";
import { undefinedIfNotFound } from "../../api/not-found";
import { valuesInPresentNames } from "../../definition/compare-fields";
import { shrinkFindings } from "../../definition/findings";
import { withLackingParts } from "../../definition/parts";
import { findingText } from "../../definition/rule-context";
import { isBeingDeleted } from "../../api/schema";
import { unmanagedAdvice } from "../credential/retired-objects";
import { ReadinessTimeoutError, RefusedChangeError } from "../errors";
import type { Props } from "../kind/kind";
import { claimObject } from "../memory/claim-object";
import type { RunFacts } from "../memory/run-memory";
import { pollUntilVisible, readWhenStable } from "../objects/readiness";
import { begin, getObject, type ComparedResource } from "../objects/resource-call";
import type { ResourceState } from "../resource-request";
import type { Run } from "../run/run";

/**
 * Rejects with RefusedChangeError if the object cannot be changed in place. `wanted`: the inputs of the program that
 * are known.
 */
export async function assertChangeable(
  resource: ComparedResource,
  wanted: Props,
  { previous, isPreview }: RunFacts,
): Promise<void> {
  const { kind, request, outputs } = resource;
  // Another resource may plan to take this object over. In an update, the creation of that resource fails. A preview
  // has no creation, so this call fails.
  const { existedBefore } = outputs.memory.object;
  const held = claimObject(resource, request.id, { isCertain: !isPreview, existedBefore, decision: "kept" });
  if (held !== undefined) throw new RefusedChangeError(`${held}.`);
  const named = (values: Props): Props => valuesInPresentNames(kind.inputs, values);
  // The state after a failed creation and a refresh may lack parts: the update looks for them.
  const withAll = ({ props, memory }: ResourceState): Props =>
    named(memory.object.neverReady ? withLackingParts(kind, props, wanted) : props);
  const others = previous && kind.changeRules?.(named(wanted), withAll(previous));
  const findings = [...shrinkFindings(kind, outputs.props, request.inputs), ...(others ?? [])];
  // No failure if a run with `deleteBeforeReplace` has deleted the object and then failed: the engine replaces it,
  // whatever diff answers.
  if (findings.length > 0 && !(await isUnshown(resource)))
    throw new RefusedChangeError(findings.map(findingText).join("; "));
}

/**
 * True if the API no longer has an object that the engine replaces although diff did not ask for it: a failed run with
 * `deleteBeforeReplace` has deleted it. False for a key, whose successor must remember it, and if the object may be in
 * another account.
 */
export async function wasDeletedFirst(resource: ComparedResource<Run>): Promise<boolean> {
  return !resource.kind.credential && !resource.run.saved.hasOtherProvider && (await isUnshown(resource));
}

/** True if the API does not show the object. False after an error with which the caller may go on. */
async function isUnshown(
  resource: ComparedResource,
  mayGoOn: (error: CloudinfraError) => boolean = () => true,
): Promise<boolean> {
  const shown = await currentObject(resource).catch((error: unknown) => {
    if (!(error instanceof CloudinfraError && mayGoOn(error))) throw error;
    return "not read";
  });
  return shown === undefined;
}

/**
 * True if the API no longer has the object of a resource that is replaced or has another provider now. Rejects with
 * RefusedChangeError if the object may be in another account. This matters for a new key, which remembers the old one:
 * a later run would take the 404 for a deletion.
 */
export async function checkMissing(
  resource: ComparedResource<Run>,
  { isPreview, isReplaced }: { readonly isPreview: boolean; readonly isReplaced: boolean },
): Promise<boolean> {
  const { kind, run, urn, request, outputs } = resource;
  const { id } = request;
  const { hasOtherProvider } = run.saved;
  const remembersOld = kind.credential !== undefined;
  // Without the permission to read the object, the replacement goes on. A preview leaves a failing service to the
  // update.
  const mayGoOn = (error: CloudinfraError): boolean =>
    !hasOtherProvider && (isPreview || !remembersOld || error instanceof ForbiddenError);
  if (!(await isUnshown(resource, mayGoOn))) return false;
  const createdAt = timeOf(outputs.props["createdAt"]);
  if (isReplaced && ((!hasOtherProvider && !remembersOld) || (await run.audit.showsDeletion(id, createdAt))))
    return true;
  const { provider } = run.settings;
  const name = provider === undefined ? "default provider" : `provider "${provider}"`;
  const text = hasOtherProvider
    ? `The program now gives this resource the ${name}. The API does not show ${kind.noun} ${id} to it: it is probably in the account of the ` +
      `former provider. Give the resource its former provider again. To make it in the other account instead, give the new resource another ` +
      `name, so that this one is deleted.`
    : `The API does not show ${kind.noun} ${id} to the ${name}: it may be in another account. Check the API key and the base URL.`;
  throw new RefusedChangeError(
    `${text} If it was deleted already, run \`pulumi refresh\` first or, if that keeps it, \`pulumi state delete '${urn}'\`.` +
      (isReplaced
        ? " If a run has just deleted it to replace it, run again in a minute: the audit log shows that late."
        : "") +
      unmanagedAdvice(outputs.memory.object.retired),
  );
}

export const NO_LONGER_EXISTS = "it no longer exists";

/**
 * Why the object must be replaced: it never became ready and has now failed, or no longer exists, or is being deleted.
 * It asks the API only if the state suggests this, because the object may be ready now. An update waits for the end of
 * a deletion, which may fail.
 */
export async function replacementReason(resource: ComparedResource, isUpdate: boolean): Promise<string | undefined> {
  const { props, memory } = resource.outputs;
  const { neverReady } = memory.object;
  if (!neverReady && !isBeingDeleted(props)) return undefined;
  const wire = await currentObject(resource, isUpdate);
  if (wire === undefined) return NO_LONGER_EXISTS;
  if (isBeingDeleted(wire)) return "something else is deleting it";
  return neverReady && wire["status"] === "error" ? "it was never ready, and has failed" : undefined;
}

/**
 * The object as the API shows it. With `isEnded`, it first waits for the end of present changes. Undefined if the
 * object does not exist.
 */
async function currentObject(
  { kind, run, request, outputs: { props } }: ComparedResource,
  isEnded = false,
): Promise<Props | undefined> {
  const call = { ...begin(kind, run, request, "read"), inputs: props };
  const look = (): Promise<Props> => pollUntilVisible(call, () => getObject(call, request.id));
  return undefinedIfNotFound(() => (isEnded ? readWhenStable(call, request.id, look) : look())).catch(
    (error: unknown) => {
      if (!(error instanceof ReadinessTimeoutError)) throw error;
      return look();
    },
  );
}
