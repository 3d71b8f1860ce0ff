import { giveBack, inWords } from "./adoption/discovery";
import { deleteRetired, staysAsCredential } from "./credential/own-credential";
import { deletion, orUndefined } from "./recovery/created-object";
import type { Props, ResourceKind } from "./kind";
import { ObjectInUseError } from "./errors";
import type { Run } from "./run";
import type { ResourceRequest } from "./resource-request";
import { assertManageable, begin, callOf, whatOf, type ResourceCall } from "./resource-call";
import { onceVisible } from "./visibility";

/** Deletes the object. If it is already gone, it is deleted. A new object may exist although the API does not show it yet. */
export async function remove(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<void> {
  const call = begin(kind, run, request, "delete");
  const { urn, id, inputs, memory } = request;
  await run.journal.seen(urn, id);
  if (run.memory.wasAdopted(id)) return tellItStays(call, id);
  assertManageable(call, inputs);
  if (kind.discovery) return giveBack(call, id);
  if (await staysAsCredential(call, id, inputs)) return;
  const stays = kind.outlivesReplacement?.(inputs);
  // Check has run for it in this process, so another object replaces it. A destroy checks nothing.
  if (stays !== undefined && run.memory.of(urn)) {
    return run.rows.line(urn, "info", `${kind.noun} ${id} was replaced: ${stays}`);
  }
  await deleteRetired(call, { urn, props: inputs, memory });
  await orUndefined(() =>
    onceVisible(call, async () => {
      await assertDeletable(call, id);
      await deletion(call, inputs, id);
    }),
  );
}

/** This run has adopted the object: for another resource, or for the new half of a replacement that has found it again. */
function tellItStays({ kind, run, urn, request }: ResourceCall, id: string): Promise<void> {
  const stays = `${kind.noun} ${id} stays: `;
  if (run.memory.holderOf(id) === urn) return run.rows.line(urn, "info", `${stays}its replacement has taken it over`);
  const text = `${stays}this run has adopted it for another resource${lostOrigin(request.memory.foundAs)}`;
  return run.rows.line(urn, kind.discovery ? "warning" : "info", text);
}

/** A resource under another name gives a discovered object back as it has found it: as the first one had set it. */
function lostOrigin(foundAs: Props | undefined): string {
  if (foundAs === undefined) return "";
  return (
    `, which does not know that it was found with ${inWords(foundAs)}. Set that before you remove the other resource. To rename a ` +
    `resource, give it an alias`
  );
}

/** Checks the present object, because the state may be old. Rejects with ObjectInUseError, or as a GET does. */
async function assertDeletable(call: ResourceCall, id: string): Promise<void> {
  const { kind, run, urn, inputs, verb } = call;
  if (!kind.refuseDeletion) return;
  const reason = kind.refuseDeletion(kind.fromWire(await kind.handler(run.api).get(id, inputs, callOf(call))));
  if (reason === undefined) return;
  throw new ObjectInUseError(
    `${whatOf(verb, kind, urn)}: ${kind.noun} ${id} was not deleted, because ${reason}. Delete or move that first, then run ` +
      `again. To keep the ${kind.noun} and take it out of the stack, run \`pulumi state delete '${urn}'\`.`,
  );
}
