import type { CallOptions } from "../../api/client";
import type { PartChange } from "../../definition/parts";
import type { Props, ResourceKind } from "../kind";
import { whatOf } from "../resource-call";
import type { Run } from "../run";
import type { Reply } from "./questions";

/** A change in place, as far as it concerns the parts. */
interface ChangeOfParts {
  readonly id: string;
  readonly urn: string;
  /** The changed fields whose values are known. */
  readonly changed: readonly string[];
  readonly news: Props;
}

/**
 * Whether the API would take the changes of a resource's parts, such as a VM's boot volume that grows: one reply for each part. The
 * parts' own endpoints are asked, because the request that changes the resource does not contain them.
 */
export async function availabilityOfParts(
  kind: ResourceKind,
  run: Run,
  { id, urn, changed, news }: ChangeOfParts,
): Promise<readonly Reply<unknown>[]> {
  const handler = kind.handler(run.api);
  const fields = changed.filter((field) => kind.policies[field]?.isPart === true);
  if (fields.length === 0) return [];
  const what = whatOf("check", kind, urn);
  const whole = await run.questions.ask("availability", (call) => handler.whole(id, news, { ...call, what }));
  if (whole.status !== "answered") return [whole];
  const changes = fields.flatMap((field) => kind.partChanges(field, whole.answer, news[field], run.api.serverNow()));
  const askFor = async (change: PartChange): Promise<Reply<unknown>> => {
    const ofPart = (call: CallOptions): CallOptions => ({ ...call, what: `${what}, ${change.at}` });
    const reply = await run.questions.ask("availability", (call) => handler.mayChangePart(change, news, ofPart(call)));
    return inPart(change.at, reply);
  };
  return Promise.all(changes.map(askFor));
}

/** A refusal names members of the part, and the program has them inside this field. */
function inPart(at: string, reply: Reply<unknown>): Reply<unknown> {
  if (reply.status !== "refused") return reply;
  const faults = reply.refusal.faults.map(({ member, reason }) => ({ member: `${at}.${member}`, reason }));
  return { ...reply, refusal: { ...reply.refusal, faults } };
}
