import { partCollection } from "../kind/collection-at";
import type { CallOptions } from "../../api/client";
import { partDifferences, type PartChange } from "../../definition/parts";
import { operationName } from "../kind/kind";
import { getWithParts } from "../objects/get-with-parts";
import type { ProposedUpdate } from "../objects/resource-call";
import type { Reply } from "../../api/advisory-requests";
import type { AdvisoryRun } from "../pricing/quote-of-creation";

/**
 * Asks whether the API would accept the changes of a resource's parts, such as a larger boot volume of a VM. It asks
 * the endpoints of the parts, because the request that changes the resource does not contain them. Resolves with one
 * reply for each part.
 */
export async function availabilityOfParts({
  kind,
  run,
  id,
  urn,
  changed,
  news,
  ownParts,
}: ProposedUpdate<AdvisoryRun>): Promise<readonly Reply<unknown>[]> {
  const fields = changed.filter((field) => kind.fields[field]?.part !== undefined);
  if (fields.length === 0) return [];
  const purpose = operationName("check", kind, urn);
  const object = await run.advisory.ask("availability", (options) =>
    getWithParts(run.api, kind, { id, inputs: news, ownParts }, { ...options, purpose }),
  );
  if (object.status !== "answered") return [object];
  const differences = fields.map((field) => partDifferences(kind, field, object.answer, news[field], run.api.now()));
  const [changes, missing] = [differences.flatMap((each) => each.changes), differences.flatMap((each) => each.missing)];
  const askFor = async (change: PartChange): Promise<Reply<unknown>> => {
    const ofPart = (options: CallOptions): CallOptions => ({ ...options, purpose: `${purpose}, ${change.at}` });
    const parts = partCollection(run.api, change, news);
    const reply = await run.advisory.ask("availability", (options) =>
      parts.checkUpdate(change.id, change.body, ofPart(options)),
    );
    return inPart(change.at, reply);
  };
  return [...(missing.length === 0 ? [] : [missingReply(missing)]), ...(await Promise.all(changes.map(askFor)))];
}

/** The reply for parts that the program changes and the object no longer has. */
function missingReply(missing: readonly string[]): Reply<unknown> {
  const reason =
    "is not there: it may have been renamed, detached or deleted outside Pulumi. Undo that, or run `pulumi refresh` and take it out of the program";
  const faults = missing.map((member) => ({ member, reason }));
  return { status: "refused", refusal: { words: reason, isAboutPath: false, faults }, isFinal: true };
}

/** A refusal with the program's path: the part's members are inside this field. */
function inPart(at: string, reply: Reply<unknown>): Reply<unknown> {
  if (reply.status !== "refused") return reply;
  const { refusal } = reply;
  const faults = refusal.faults.map(({ member, reason }) => ({ member: `${at}.${member}`, reason }));
  return { ...reply, refusal: { ...refusal, faults, words: `${at}: ${refusal.words}` } };
}
