import { isSameId } from "../../definition/same-id";
import { isNamed } from "../../journal/entry";
import { OtherObjectError } from "../errors";
import type { Props } from "../kind/kind";
import type { MadeObject } from "../memory/run-memory";
import { idText } from "./lost-creation";
import { hasMade, mayHaveMade, outcomeOf } from "./ownership";
import type { RecoveryCall } from "./recovery-call";

/**
 * Checks that the answer belongs to this request. If its object is older than the request, has another name, or is not
 * shown, the audit log and the list decide. Throws OtherObjectError if they show another object. If nobody can read the
 * log, an answer that is the new object itself is believed, because a clock may be wrong.
 */
export async function assertOwn(
  call: RecoveryCall,
  { id, entry, mutation }: MadeObject,
  wire: Props | undefined,
): Promise<void> {
  const { run } = call;
  if (mutation.kind === "done") return; // the id comes from the audit log, and needs no further proof
  // The `Date` of answers may come from other clocks than the times of objects and operations.
  const startedAt = mutation.kind === "operation" ? Date.parse(mutation.operation.created_at) : Infinity;
  const sentAt = Math.min(Date.parse(entry.sentAt), run.api.now(), startedAt);
  if (wire !== undefined && mayHaveMade(entry, wire, sentAt)) return;
  const outcome = await outcomeOf(call, entry).catch(() => undefined);
  if (hasMade(outcome, id)) return;
  const unclear = outcome?.status === "unclear" ? outcome : undefined;
  const isOther = outcome?.status === "made" || unclear?.candidates.some((each) => !isSameId(idText(each), id));
  const isBelieved = mutation.kind === "resource" && unclear?.mayShowLater === false && isNamed(entry, wire?.["name"]);
  if (isOther || (wire !== undefined && !isBelieved)) throw new OtherObjectError(call.kind.noun, id);
}
