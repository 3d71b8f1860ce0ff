import { ForbiddenError } from "../../api/errors";
import { isBeingDeleted } from "../../api/schema";
import { isMadeWith, missingParts, partFields, shortLists, unshownParts } from "../../definition/parts";
import { fromWire } from "../../definition/wire";
import { LATE_ANSWER_PAUSES, pollUntil } from "../../process/poll";
import type { NotMadeError } from "../errors";
import { differingFields } from "../kind/change-policy";
import { addParts, partCollection } from "../kind/collection-at";
import type { Props } from "../kind/kind";
import { awaitReady, orCancelled, VISIBLE_WITHIN_MS } from "./readiness";
import { callOf, ownPartsOf, type ResourceCall } from "./resource-call";
import { notShown, SHOWN_WITHIN_MS } from "./send-and-verify";

/** An object, compared with the program. */
export interface ComparedObject {
  /** The object with its parts, without those that the API hides or the key may not read. */
  readonly wire: Props;
  /** The fields whose values it does not show. */
  readonly fields: readonly string[];
}

/** Compares an object and its parts with the program. `shown`: the API's answer about the object itself. */
export async function compareWithProgram(call: ResourceCall, id: string, shown: Props): Promise<ComparedObject> {
  const { kind, run, urn, inputs } = call;
  const ownParts = ownPartsOf(call);
  const wire = await addParts(run.api, kind, { id, inputs, wire: shown, ownParts }, callOf(call)).catch(
    async (error: unknown) => {
      if (!(error instanceof ForbiddenError)) throw error;
      const nouns = [...new Set(partFields(kind).map(([, , part]) => part.of.nouns))].join(" and ");
      await run.rows.line(
        urn,
        "warning",
        `the API key may not read its ${nouns}, so they were not compared with the program`,
      );
      return undefined;
    },
  );
  const hidden = wire ? unshownParts(kind, wire).map(({ field }) => field) : shortLists(kind, shown, inputs);
  const differing = differingFields(kind.policies, fromWire(kind, wire ?? shown), inputs, run.api.now());
  return { wire: wire ?? shown, fields: [...new Set([...hidden, ...differing])] };
}

interface AwaitedValues {
  /** For the error. */
  readonly action: "creation" | "adoption";
  /** True if it waits for the parts alone. */
  readonly isOnlyParts?: boolean;
}

/**
 * Waits until an object and its parts show the values of the program, and the longer time if parts are missing. If they never do, the answer has an
 * error: the API may have accepted the request without them. `present`: the object, as the API has shown it.
 */
export async function awaitProgramsValues(
  call: ResourceCall,
  id: string,
  present: Props,
  { action, isOnlyParts = false }: AwaitedValues,
): Promise<{ readonly wire: Props; readonly difference?: NotMadeError }> {
  const { kind, run, inputs, endsAt } = call;
  const startedAt = run.clock.now();
  let last: ComparedObject | undefined;
  const isCounted = (field: string): boolean => !isOnlyParts || kind.policies[field]?.isPart === true;
  const leftMs = (): number => {
    const wire = last?.wire ?? present;
    const lacksParts = unshownParts(kind, wire).length > 0 || missingParts(kind, wire, inputs).length > 0;
    const withinMs = lacksParts ? VISIBLE_WITHIN_MS : SHOWN_WITHIN_MS;
    return Math.min(endsAt, startedAt + withinMs) - run.clock.now();
  };
  const look = async (): Promise<ComparedObject> =>
    (last = await compareWithProgram(call, id, last ? await awaitReady(call, id, inputs) : present));
  const schedule = { ...LATE_ANSWER_PAUSES, leftMs };
  const { wire, fields } = await orCancelled(call, () =>
    pollUntil(run.clock, schedule, look, (each) => !each.fields.some(isCounted)),
  );
  const differing = fields.filter(isCounted);
  if (differing.length === 0) return { wire };
  const strays = await straysText(call, id, wire).catch(() => "");
  return { wire, difference: notShown(call, `the ${action} of ${id} with ${differing.join(", ")}`, strays) };
}

/**
 * Names the objects that may be missing parts, because a person has detached them meanwhile: they have the name of one, and are as old as the
 * object. The state does not get them, because nothing proves it.
 */
async function straysText(call: ResourceCall, id: string, wire: Props): Promise<string> {
  const { kind, run, inputs } = call;
  const texts: string[] = [];
  for (const { part, name } of missingParts(kind, wire, inputs)) {
    for await (const object of partCollection(run.api, { part, id }, inputs).list(callOf(call))) {
      const isAttached = Boolean(object[part.attachedAt]); // perhaps to this object, which lists it late
      const isFree = !isAttached && run.memory.owners.ownerOf(object.id) === undefined;
      if (object["name"] !== name || !isMadeWith(wire, object) || !isFree || isBeingDeleted(object)) continue;
      texts.push(
        ` The missing part may be ${part.of.noun} ${JSON.stringify(name)} (${object.id}): attach it again, or delete it if nothing needs it.`,
      );
    }
  }
  return texts.join("");
}
