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
 * Whether the API would take the changes of a resource's parts, such as a VM's boot volume that grows: one reply for each field. The
 * parts' own endpoints are asked, because the request that changes the resource does not contain them.
 */
export function availabilityOfParts(
  kind: ResourceKind,
  run: Run,
  { id, urn, changed, news }: ChangeOfParts,
): Promise<readonly Reply<void>[]> {
  const handler = kind.handler(run.api);
  const fields = changed.filter((field) => kind.policies[field]?.isPart === true);
  const askFor = async (field: string): Promise<Reply<void>> => {
    const reply = await run.questions.ask("availability", async (call) => {
      const options = { ...call, what: whatOf("check", kind, urn) };
      const whole = await handler.whole(id, news, options);
      const changes = kind.partChanges(field, whole, news[field], run.api.serverNow());
      await Promise.all(changes.map((change) => handler.mayChangePart(change, news, options)));
    });
    return inField(field, reply);
  };
  return Promise.all(fields.map(askFor));
}

/** A refusal names members of the part, and the program has them inside this field. */
function inField(field: string, reply: Reply<void>): Reply<void> {
  if (reply.status !== "refused") return reply;
  const faults = reply.refusal.faults.map(({ member, reason }) => ({ member: `${field}.${member}`, reason }));
  return { ...reply, refusal: { ...reply.refusal, faults } };
}
