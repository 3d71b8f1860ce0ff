import { discard } from "./created-object";
import { visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { deleteRetired, staysAsCredential } from "./own-credential";
import type { Run } from "./run";
import { assertManageable, begin } from "./settle";

/** Deletes the object. One that is gone already is deleted. */
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
  await discard(doing, visibleOf(props), id);
}
