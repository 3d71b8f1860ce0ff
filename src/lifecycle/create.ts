import { adoptionOf } from "./adoption/adoption";
import { awaitDiscovered } from "./adoption/discovery";
import { takeOver } from "./adoption/take-over";
import { withApart } from "./apart";
import { awaitOperation, awaitReady } from "./readiness";
import { succeedOwnCredential } from "./credential/own-credential";
import { HalfMadeError } from "./errors";
import type { Props, ResourceKind } from "./kind";
import { outputsOf, withQuoteTime } from "./outputs";
import { createOnce } from "./recovery/lost-creation";
import type { CreateAnswer, ResourceRequest } from "./resource-request";
import { begin, callOf, type ResourceCall } from "./resource-call";
import type { Run } from "./run";

/** Creates the object, or takes an existing one over. An object that the API has accepted gets into the state, ready or not. */
export async function create(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<CreateAnswer> {
  const call = begin(kind, run, request, "create");
  const { urn, inputs, memory } = request;
  const adopt = adoptionOf(kind, inputs["adopt"]);
  if (adopt) return takeOver(call, adopt);
  if (kind.discovery) return takeOver(call, { id: await awaitDiscovered(call), secrets: {} });

  const { id, mutation, creation } = await createOnce(call);
  await creation.accepted(id);
  const known = withQuoteTime(run, urn, inputs);
  try {
    await awaitOperation(call, mutation);
    const answered = mutation.kind === "resource" ? mutation.resource : undefined;
    const wire = await awaitReady(call, id, inputs, answered);
    const props = outputsOf(kind, known, await withApart(call, id, known, wire), run.api.serverNow());
    const retired = await succeedOwnCredential(call, id, wire);
    creation.handedOver();
    return { id, state: { urn, props, memory: { ...memory, retired } } };
  } catch (error) {
    const left = await whatIsLeft(call, id);
    await creation.handedOverHalfMade();
    const props = left === "unknown" ? known : outputsOf(kind, known, left, run.api.serverNow());
    throw new HalfMadeError(id, { urn, props, memory: { ...memory, halfMade: true } }, error);
  }
}

/** Reads the object of an accepted creation. A 404 does not mean that there is none, because the API may not show it yet. */
async function whatIsLeft(call: ResourceCall, id: string): Promise<Props | "unknown"> {
  try {
    return await call.kind.handler(call.run.api).get(id, call.inputs, callOf(call));
  } catch {
    return "unknown";
  }
}
