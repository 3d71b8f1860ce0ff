import { orUndefined } from "../../api/errors";
import { shrinkFindings } from "../../definition/findings";
import { findingText } from "../../definition/rules";
import { RefusedChangeError } from "../errors";
import { collectionAt } from "../kind/collection-at";
import type { Props, ResourceKind } from "../kind/kind";
import { claimObject } from "../memory/object-owners";
import { onceVisible } from "../objects/readiness";
import { begin, callOf } from "../objects/resource-call";
import type { ResourceRequest, ResourceState } from "../resource-request";
import type { Run } from "../run/run";

/** Rejects with RefusedChangeError if the object cannot be changed in place. */
export async function assertChangeable(
  kind: ResourceKind,
  run: Run,
  request: ResourceRequest,
  outputs: ResourceState,
  isPreview: boolean,
): Promise<void> {
  const { urn, id, inputs: news } = request;
  if (run.saved.hasTakenOver) await assertInAccount(kind, run, request, outputs);
  // In an update, the creation of a resource that plans to take this object over fails. A preview has no creation, so this call fails.
  const { owners } = run.memory;
  const held = claimObject(kind, owners, urn, id, !isPreview, { decision: "kept" });
  if (held !== undefined) throw new RefusedChangeError(`${held}.`);
  const shrinking = shrinkFindings(kind, outputs.props, news);
  if (shrinking.length > 0) throw new RefusedChangeError(shrinking.map(findingText).join("; "));
}

/** Throws RefusedChangeError unless the API shows the object to the resource's new provider. */
async function assertInAccount(
  kind: ResourceKind,
  run: Run,
  request: ResourceRequest,
  outputs: ResourceState,
): Promise<void> {
  const { id } = request;
  if ((await presentObject(kind, run, request, outputs)) !== undefined) return;
  const { provider } = run.settings;
  const name = provider === undefined ? "default provider" : `provider "${provider}"`;
  throw new RefusedChangeError(
    `The program gives this resource the ${name}, to which the API does not show ${kind.noun} ${id}: it is probably in the account of the ` +
      `former provider. Give the resource its former provider again. To make it in the other account instead, give the new resource another ` +
      `name, so that this one is deleted. If it was deleted already, run \`pulumi refresh\` first.`,
  );
}

/** True if the object never became ready and has now failed or disappeared. It must be replaced. The state may be out of date. */
export async function isBeyondRepair(
  kind: ResourceKind,
  run: Run,
  request: ResourceRequest,
  { props, memory }: ResourceState,
): Promise<boolean> {
  if (!memory.halfMade) return false;
  if (props["status"] === "error") return true;
  const wire = await presentObject(kind, run, request, { props });
  return wire === undefined || wire["status"] === "error";
}

/** The object as the API shows it. Undefined if it does not exist. */
function presentObject(
  kind: ResourceKind,
  run: Run,
  request: ResourceRequest,
  { props }: Pick<ResourceState, "props">,
): Promise<Props | undefined> {
  const call = begin(kind, run, request, "read");
  const get = (): Promise<Props> => collectionAt(run.api, kind, props, request.id).get(request.id, callOf(call));
  return orUndefined(() => onceVisible(call, get));
}
