import { sameOf } from "../../definition/compare-fields";
import { fromWire, toWireUpdate } from "../../definition/wire";
import { partCollection, collectionAt } from "../kind/collection-at";
import { type PartChange, partDifferences } from "../../definition/parts";
import type { Action } from "../../definition/types";
import { IncompleteChangeError } from "../errors";
import { differingFields } from "../kind/changed-fields";
import { type Props, operationName } from "../kind/kind";
import { missingPart } from "./program-values";
import { awaitReady, awaitStable, pollUntilVisible } from "./readiness";
import { callOf, getObjectWithParts, type ResourceCall } from "./resource-call";
import { sendAndVerify, type VerifiedRequest } from "./send-and-verify";

/** The warning after an IncompleteChangeError if the object cannot be read. */
export const NOT_READ =
  "The API may have made a part of this change before it failed, and the object could not be read. Until the next run, the state and its cost are those of before";

/** The change of one object: its requests, sent one after the other. */
interface Change {
  readonly call: ResourceCall;
  readonly id: string;
  /** As `sendAndVerify`. */
  readonly send: (request: VerifiedRequest<Props>) => Promise<Props>;
}

/**
 * Changes the fields in place: with one PATCH, and with separate requests for the fields that have them. After each
 * request, the object must show the change. Resolves with the object if any request was sent. Rejects with an
 * IncompleteChangeError if the API may have made a part of the change, otherwise with the refusal.
 */
export async function applyChanges(
  call: ResourceCall,
  id: string,
  changed: readonly string[],
): Promise<Props | undefined> {
  let shown: Props | undefined;
  const send: Change["send"] = async (request) => (shown = await sendAndVerify(call, request));
  const change = { call, id, send };
  try {
    await patch(change, changed);
    for (const field of changed) {
      await changeParts(change, field);
      await act(change, field);
    }
  } catch (error) {
    // An accepted request is a part of the change, also if the API refuses the next one.
    throw shown ? new IncompleteChangeError(error instanceof IncompleteChangeError ? error.cause : error) : error;
  }
  return shown;
}

async function patch({ call, id, send }: Change, changed: readonly string[]): Promise<void> {
  const { kind, run, inputs } = call;
  const body = toWireUpdate(kind, inputs, changed, run.api.now());
  if (Object.keys(body).length === 0) return;
  const isSent = (field: string): boolean =>
    changed.includes(field) && kind.fields[field]?.part === undefined && kind.fields[field]?.actions === undefined;
  await send({
    send: () => pollUntilVisible(call, () => collectionAt(run.api, kind, inputs, id).update(id, body, callOf(call))),
    look: async () => {
      const wire = await awaitReady(call, id);
      const others = differingFields(kind.shownFields, fromWire(kind, wire), inputs, run.api.now());
      return others.some(isSent) ? undefined : wire;
    },
    subject: `the change of ${changed.join(", ")}`,
  });
}

/**
 * Changes the parts of a field at their own endpoints. It compares with their present state, so that a change that has
 * arrived is not sent again.
 */
async function changeParts(change: Change, field: string): Promise<void> {
  const { call, id } = change;
  const { kind, run, inputs } = call;
  if (kind.fields[field]?.part === undefined) return;
  const object = await getObjectWithParts(call, id);
  const differences = partDifferences(kind, field, object, inputs[field], run.api.now());
  for (const part of differences.changes) await changePart(change, field, part);
  const [missing] = differences.missing;
  if (missing !== undefined) throw new IncompleteChangeError(missingPart(call, id, missing));
}

async function changePart({ call, id, send }: Change, field: string, part: PartChange): Promise<void> {
  const { kind, run, inputs } = call;
  const options = { ...callOf(call), purpose: `${operationName(call.verb, kind, call.urn)}, ${part.at}` };
  await send({
    send: () => partCollection(run.api, part, inputs).update(part.id, part.body, options),
    look: async () => {
      await awaitStable(call, () => partCollection(run.api, part, inputs).get(part.id, options));
      const object = await getObjectWithParts(call, id);
      const { changes } = partDifferences(kind, field, object, inputs[field], run.api.now());
      return changes.some((each) => each.id === part.id) ? undefined : object;
    },
    subject: `the change of ${part.at}`,
  });
}

/**
 * Changes a field with its own requests. It begins with the object's present state, so that a step from before an
 * interruption is not repeated.
 */
async function act({ call, id, send }: Change, name: string): Promise<void> {
  const { kind, inputs } = call;
  const field = kind.fields[name];
  if (field?.actions === undefined) return;
  const same = sameOf(field);
  const now = call.run.api.now();
  const before = fromWire(kind, await awaitReady(call, id))[name] ?? undefined;
  if (same(before, inputs[name], now)) return;
  const actions = field.actions(before, inputs[name]);
  for (const action of actions) {
    const shows = (action === actions.at(-1) ? inputs[name] : undefined) ?? null;
    const isShown = (shown: Props): boolean => same(fromWire(kind, shown)[name], shows, call.run.api.now());
    await send(requestOf(call, id, action, field.local === true ? undefined : isShown));
  }
}

/** `isShown`: whether the object shows the success. Absent if only the operation shows it. */
function requestOf(
  call: ResourceCall,
  id: string,
  action: Action,
  isShown: ((wire: Props) => boolean) | undefined,
): VerifiedRequest<Props> {
  const { kind, run, inputs } = call;
  return {
    send: () => collectionAt(run.api, kind, inputs, id).act(id, action.verb, action.body, callOf(call)),
    look: async ({ isConfirmed }) => {
      const wire = await awaitReady(call, id);
      return (isShown?.(wire) ?? isConfirmed) ? wire : undefined;
    },
    subject: `the ${action.verb}`,
  };
}
