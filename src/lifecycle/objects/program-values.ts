import { ForbiddenError } from "../../api/errors";
import { isBeingDeleted } from "../../api/schema";
import { isMadeWith, lackingParts, partFields, shortLists, type LackingPart } from "../../definition/parts";
import { fromWire } from "../../definition/wire";
import { LATE_ANSWER_PAUSES, pollUntil } from "../../time/clock";
import { MissingPartError, type NotAppliedError } from "../errors";
import { partCollection, partIdsOf } from "../kind/collection-at";
import { differingFields } from "../kind/changed-fields";
import { operationName, type Props } from "../kind/kind";
import { awaitReady, orCancelled, LONGEST_HIDDEN_MS } from "./readiness";
import { callOf, getObjectWithParts, type ResourceCall } from "./resource-call";
import { notShown, CHANGE_SHOWN_WITHIN_MS } from "./send-and-verify";

/** An object, compared with the program. */
export interface ComparedObject {
  /** The object with its parts, without those that the API hides or the key may not read. */
  readonly wire: Props;
  /**
   * The ids of the parts that it lists. Undefined if the key may not read them: then nothing proves that they are its
   * own.
   */
  readonly ownParts: readonly string[] | undefined;
  /** The fields whose values it does not show. */
  readonly fields: readonly string[];
  readonly lacking: readonly LackingPart[];
}

/** Compares an object and its parts with the program. `shown`: the API's response about the object itself. */
export async function compareWithProgram(call: ResourceCall, id: string, shown: Props): Promise<ComparedObject> {
  const { kind, run, inputs } = call;
  const complete = await getObjectWithParts(call, id, shown).catch(async (error: unknown) => {
    if (!(error instanceof ForbiddenError)) throw error;
    await warnOfUnreadParts(call);
    return undefined;
  });
  const wire = complete ?? shown;
  const lacking = complete ? lackingParts(kind, complete, inputs) : shortLists(kind, shown, inputs);
  const differing = differingFields(kind.shownFields, fromWire(kind, wire), inputs, run.api.now());
  return {
    wire,
    ownParts: complete && partIdsOf(kind, complete),
    fields: [...new Set([...lacking.map(({ field }) => field), ...differing])],
    lacking,
  };
}

function warnOfUnreadParts({ kind, run, urn }: ResourceCall): Promise<void> {
  const nouns = [...new Set(partFields(kind).map(({ part }) => part.of.nouns))].join(" and ");
  const text = `the API key may not read its ${nouns}, so they were not compared with the program`;
  return run.rows.line(urn, "warning", text);
}

/**
 * Waits until an object and its parts show the program's values, and longer if parts are missing. In the end, they may
 * still differ.
 */
export async function awaitProgramsValues(call: ResourceCall, id: string, present: Props): Promise<ComparedObject> {
  return pollParts(call, id, { present }, ({ fields }) => fields.length === 0);
}

/**
 * Waits until an object shows the parts that the program names. Rejects with MissingPartError if it never does: what
 * the program calls by a name may then be somebody else's part.
 */
export async function awaitParts(call: ResourceCall, id: string, reads: PartReads): Promise<ComparedObject> {
  const compared = await pollParts(call, id, reads, ({ lacking }) => lacking.length === 0);
  if (compared.lacking.length === 0) return compared;
  const strays = await detachedPartsText(call, id, compared).catch(() => "");
  throw missingPart(call, id, compared.lacking.map(({ at }) => at).join(", "), strays);
}

interface PartReads {
  /** The object as the API has shown it. */
  readonly present: Props;
  /** Reads it again. Default: until it is ready. */
  readonly again?: () => Promise<Props>;
}

function pollParts(
  call: ResourceCall,
  id: string,
  { present, again = () => awaitReady(call, id) }: PartReads,
  isDone: (compared: ComparedObject) => boolean,
): Promise<ComparedObject> {
  const { run, endsAt } = call;
  const startedAt = run.clock.now();
  let last: ComparedObject | undefined;
  const leftMs = (): number => {
    const withinMs = last?.lacking.length === 0 ? CHANGE_SHOWN_WITHIN_MS : LONGEST_HIDDEN_MS;
    return Math.min(endsAt, startedAt + withinMs) - run.clock.now();
  };
  const look = async (): Promise<ComparedObject> =>
    (last = await compareWithProgram(call, id, last ? await again() : present));
  return orCancelled(call, () => pollUntil(run.clock, { ...LATE_ANSWER_PAUSES, leftMs }, look, isDone));
}

/** The error of a new object that does not show the program's values. */
export async function otherValues(call: ResourceCall, id: string, compared: ComparedObject): Promise<NotAppliedError> {
  const strays = await detachedPartsText(call, id, compared).catch(() => "");
  return notShown(call, `the creation of ${id} with ${compared.fields.join(", ")}`, strays);
}

/** `part`: the part as the program calls it. `found`: a sentence about what else the API shows. */
export function missingPart({ kind, verb, urn }: ResourceCall, id: string, part: string, found = ""): MissingPartError {
  const advice =
    verb === "create"
      ? "correct the program"
      : `undo the change, or run \`pulumi refresh\`, take it out of the program, and run again`;
  return new MissingPartError(
    `${operationName(verb, kind, urn)}: ${kind.noun} ${id} does not show the part that the program calls ${part}: it may have been ` +
      `renamed, detached or deleted outside Pulumi, or the API shows it late.${found} Run again. If that does not help, ${advice}.`,
  );
}

/**
 * Names the objects that may be missing parts, because a person has detached them meanwhile: they have the name of one,
 * and are as old as the object. The state does not get them, because nothing proves it.
 */
async function detachedPartsText(call: ResourceCall, id: string, { wire, lacking }: ComparedObject): Promise<string> {
  const { run, inputs } = call;
  const texts: string[] = [];
  for (const { part, name } of lacking) {
    if (name === undefined) continue;
    for await (const object of partCollection(run.api, { part, id }, inputs).list(callOf(call))) {
      const isAttached = Boolean(object[part.attachedAt]); // perhaps to this object, which lists it late
      const isFree = !isAttached && run.memory.objects.of(object.id).owner === undefined;
      if (object["name"] !== name || !isMadeWith(part, wire, object) || !isFree || isBeingDeleted(object)) continue;
      texts.push(
        ` The missing part may be ${part.of.noun} ${JSON.stringify(name)} (${object.id}): attach it again, or delete it if nothing needs it.`,
      );
    }
  }
  return texts.join("");
}
