import { isSameId } from "../../definition/same-id";
import { OtherObjectError } from "../errors";
import type { Props } from "../kind/kind";
import type { MadeObject } from "../memory/run-memory";
import { idText } from "./lost-creation";
import { hasMade, mayHaveMade, outcomeOf } from "./ownership";
import type { RecoveryCall } from "./recovery-call";

/**
 * Checks that the answer belongs to this request. If its object is older than the request, has another name, or is not
 * shown, the audit log and the list decide. Throws OtherObjectError if they show another object. If nobody can read the
 * log, the answer is believed if another clock makes it plausible.
 */
export async function assertOwn(
  call: RecoveryCall,
  { id, entry, mutation }: MadeObject,
  wire: Props | undefined,
): Promise<void> {
  const { run } = call;
  if (mutation.kind === "done") return; // the id comes from the audit log, and needs no further proof
  // An earlier answer may have come from another clock.
  const sentAt = Math.min(Date.parse(entry.sentAt), run.api.now());
  if (wire !== undefined && mayHaveMade(entry, wire, sentAt)) return;
  const outcome = await outcomeOf(call, entry).catch(() => undefined);
  if (hasMade(outcome, id)) return;
  const unclear = outcome?.status === "unclear" ? outcome : undefined;
  const isOther = outcome?.status === "made" || unclear?.candidates.some((each) => !isSameId(idText(each), id));
  // `Date` may be ahead of the times of objects. So without the log, one of two other clocks is enough.
  const startedAt = mutation.kind === "operation" ? Date.parse(mutation.operation.created_at) : Infinity;
  const earliest = Math.min(Date.parse(entry.sentHereAt), startedAt);
  const isBelieved = wire !== undefined && unclear?.mayShowLater === false && mayHaveMade(entry, wire, earliest);
  if (isOther || (wire !== undefined && !isBelieved)) throw new OtherObjectError(call.kind.noun, id);
}
