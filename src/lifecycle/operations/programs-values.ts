import { ForbiddenError } from "../../api/errors";
import { isBeingDeleted } from "../../api/schema";
import { missingParts, unshownParts } from "../../definition/parts";
import { fromWire } from "../../definition/wire";
import { differingFields } from "../kind/change-policy";
import { addParts, partCollection } from "../kind/collection-at";
import type { Props } from "../kind/kind";
import { otherOwner } from "../memory/object-owners";
import { awaitReady, onceVisible, VISIBLE_WITHIN_MS } from "../objects/readiness";
import { callOf, type ResourceCall } from "../objects/resource-call";
import { notShown, pollUntilShown } from "../objects/send-and-verify";
import type { NotMadeError } from "../errors";
import type { Run } from "../run/run";

interface ShownObject {
  readonly wire: Props;
  /** Set if the object does not show the values of the program: the API may have accepted the request without them. */
  readonly difference?: NotMadeError;
}

/** The new object, as soon as it shows the values of the program, also in its parts. */
export async function withProgramsValues(call: ResourceCall<Run>, id: string, made: Props): Promise<ShownObject> {
  const first = await compare(call, id, made);
  if (first.fields.length === 0) return { wire: made };
  let { complete } = first;
  const shown = await pollUntilShown(call, async () => {
    const wire = await awaitReady(call, id, call.inputs);
    const now = await compare(call, id, wire);
    ({ complete } = now);
    return now.fields.length === 0 ? wire : undefined;
  });
  if (shown !== undefined) return { wire: shown };
  const strays = await straysText(call, complete).catch(() => "");
  return { wire: made, difference: notShown(call, `the creation of ${id} with ${first.fields.join(", ")}`, strays) };
}

/** The fields in which the object differs from the program. `complete`: the object with its parts. */
async function compare(
  call: ResourceCall<Run>,
  id: string,
  wire: Props,
): Promise<{ readonly fields: readonly string[]; readonly complete: Props }> {
  const { kind, run, inputs } = call;
  const visibly = { ...call, hiddenMs: (waitedMs: number) => VISIBLE_WITHIN_MS - waitedMs };
  const isShown = (get: () => Promise<Props>): Promise<Props> => onceVisible(visibly, get);
  const complete = await addParts(run.api, kind, { id, inputs, wire }, callOf(call), isShown).catch(
    (error: unknown) => {
      if (error instanceof ForbiddenError) return undefined; // the key may not read parts, and a refresh will say so
      throw error;
    },
  );
  const missing = complete ? unshownParts(kind, complete).map(({ field }) => field) : [];
  const differing = differingFields(kind.policies, fromWire(kind, complete ?? wire), inputs, run.api.now());
  return { fields: [...new Set([...missing, ...differing])], complete: complete ?? wire };
}

/**
 * Names the objects that may be missing parts, because a person has detached them meanwhile: they have the name of one and are as young as the
 * new object. The state does not get them, because nothing proves it.
 */
async function straysText(call: ResourceCall<Run>, complete: Props): Promise<string> {
  const { kind, run, urn, inputs } = call;
  const madeAt = Date.parse(String(complete["created_at"]));
  const texts: string[] = [];
  for (const { part, name } of missingParts(kind, complete, inputs)) {
    for await (const object of partCollection(run.api, { part, id: "it" }, inputs).list(callOf(call))) {
      const isYoung = Date.parse(String(object["created_at"])) >= madeAt;
      const isFree = !run.journal.known.has(object.id) && otherOwner(run.memory.owners, urn, object.id) === undefined;
      if (object["name"] !== name || !isYoung || !isFree || isBeingDeleted(object)) continue;
      texts.push(
        ` The missing part may be ${part.of.noun} ${JSON.stringify(name)} (${object.id}): attach it again, or delete it if nothing needs it.`,
      );
    }
  }
  return texts.join("");
}
