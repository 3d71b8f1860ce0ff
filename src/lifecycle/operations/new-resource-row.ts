import { warnOfLostSecrets } from "../adoption/adopt";
import { adoptionText } from "../adoption/adoption-check";
import type { CostPair } from "../../cost/cost";
import { isRecord } from "../../definition/compare-values";
import { isOpen, type JournalEntry } from "../../journal/entry";
import { isUnderWay } from "../../journal/sender";
import { isReplacedRetained, type RunFacts } from "../memory/run-memory";
import type { ProposedUpdate } from "../objects/resource-call";
import type { RecoveryRun } from "../recovery/recovery-call";
import { reportCost } from "../pricing/proposed-cost";
import type { Proposal } from "../pricing/quote-of-creation";
import type { Run } from "../run/run";
import { NO_LONGER_EXISTS } from "./changeable";

/** The creation of an interrupted run whose object the update may take over. */
async function openCreation({ kind, run, urn }: Proposal<RecoveryRun>): Promise<JournalEntry | undefined> {
  const own = kind.secretOutputs.length > 0 ? [] : await run.journal.interrupted(urn);
  return own.find((entry) => isOpen(entry) && !entry.foundAs && !isUnderWay(entry, run.clock.timeOfDay()));
}

/** Writes the row of a new resource, of an adoption (`planned`), or of the new object of a replacement. */
export async function reportNew(
  proposal: Proposal<Run>,
  { id, program, replaced, outputs, reason, isPreview, isMissing, deleteBeforeReplace }: RunFacts,
  planned: ProposedUpdate | undefined,
  pair: CostPair,
): Promise<void> {
  const { kind, run, urn } = proposal;
  const { adopt } = proposal.inputs;
  if (planned && isPreview)
    await warnOfLostSecrets(proposal, planned.id, isRecord(adopt) ? adopt : {}, "is to be adopted");
  const stays = !isMissing && isReplacedRetained({ replaced, outputs });
  const isDeleted = replaced && !stays && !isMissing;
  const open = isPreview && !planned ? await openCreation(proposal) : undefined;
  const parts = [
    planned && adoptionText(planned),
    open &&
      `an earlier run failed or was interrupted at ${open.sentAt} while it created this ${kind.noun}: the update looks for it first, and takes ` +
        `it over if it exists and is as the program says. Then its price is not new`,
    replaced && reason,
    // Named, because no state will have it.
    stays &&
      `the replaced object ${id ?? "(before the run, `pulumi stack --show-ids` has its id)"} stays (retainOnDelete)`,
    replaced &&
      !stays &&
      program.memory.retainOnDelete &&
      `if the state has retainOnDelete already, the replaced object${id === undefined ? "" : ` ${id}`} stays`,
    // An object that was never ready has no data to lose.
    isDeleted && isPreview && outputs?.memory.object.neverReady !== true && kind.replacementLoss,
    isDeleted &&
      !planned &&
      !deleteBeforeReplace &&
      outputs?.memory.object.neverReady === true &&
      `the old ${kind.noun} is deleted last, and needs its quota until then`,
    replaced && isMissing && reason !== NO_LONGER_EXISTS && `the API no longer shows the replaced ${kind.noun}`,
  ];
  const subject = planned || (replaced && !stays) ? "existing" : "new";
  await reportCost(run, urn, isPreview ? pair : undefined, subject, parts);
}
