import { deletion, orUndefined } from "./recovery/created-object";
import { visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { ObjectInUseError } from "./errors";
import { deleteRetired, staysAsCredential } from "./own-credential";
import type { Run } from "./run";
import { assertManageable, begin, callOf, type Doing } from "./settle";
import { onceVisible } from "./visibility";
import { whatOf } from "./what";

/** Deletes the object. One that is gone already is deleted; one that is new may be there although the API does not show it yet. */
export async function remove(kind: ResourceKind, run: Run, id: string, props: Props): Promise<void> {
  const doing = begin(kind, run, props, "delete");
  const { urn } = doing;
  await run.journal.seen(urn, id);
  if (run.memory.wasAdopted(id)) {
    return run.rows.line(urn, "info", `${kind.noun} ${id} stays: this run has adopted it for another resource`);
  }
  assertManageable(doing, props);
  if (await staysAsCredential(kind, run, urn, id, props)) return;
  const stays = kind.outlivesReplacement?.(props);
  // Check has run for it in this process: something takes its place. Destroy checks nothing.
  if (stays !== undefined && run.memory.of(urn)) {
    return run.rows.line(urn, "info", `${kind.noun} ${id} was replaced: ${stays}`);
  }
  await deleteRetired(doing, props);
  await orUndefined(() =>
    onceVisible(doing, async () => {
      await assertDeletable(doing, visibleOf(props), id);
      await deletion(doing, visibleOf(props), id);
    }),
  );
}

/** By what the object is now: the state may be old. Rejects with ObjectInUseError, or as a GET does. */
async function assertDeletable(doing: Doing, inputs: Props, id: string): Promise<void> {
  const { kind, run, urn, verb } = doing;
  if (!kind.refuseDeletion) return;
  const reason = kind.refuseDeletion(kind.fromWire(await kind.handler(run.api).get(id, inputs, callOf(doing))));
  if (reason === undefined) return;
  throw new ObjectInUseError(
    `${whatOf(verb, kind, urn)}: ${kind.noun} ${id} was not deleted, because ${reason}. Delete or move that first, then run ` +
      `again. To keep the ${kind.noun} and take it out of the stack, run \`pulumi state delete '${urn}'\`.`,
  );
}
