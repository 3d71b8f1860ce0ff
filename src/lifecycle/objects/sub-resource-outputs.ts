import { collectionAt } from "../kind/collection-at";
import { ConflictError, NotFoundError } from "../../api/errors";
import { pollUntil } from "../../time/clock";
import { messageOf, ReadinessTimeoutError } from "../errors";
import { type SubResourceOutput, type Props, operationName } from "../kind/kind";
import { callOf, type ResourceCall } from "./resource-call";

const PAUSE_MS = 2_000;

/**
 * Adds the outputs that only their own endpoints show, unless they are known already. A creation waits for them,
 * because dependents need them. So does an update that completes a creation. Other calls warn of a missing one and
 * leave it undefined.
 */
export async function withSubResources(call: ResourceCall, id: string, known: Props, wire: Props): Promise<Props> {
  const missing = call.kind.subResources.filter(({ name }) => known[name] === undefined);
  const members = await Promise.all(
    missing.map(async (output) => [output.member, await subResource(call, id, known, output)] as const),
  );
  return { ...wire, ...Object.fromEntries(members) };
}

async function subResource(
  call: ResourceCall,
  id: string,
  known: Props,
  { member, at }: SubResourceOutput,
): Promise<unknown> {
  const { kind, run, urn, verb, endsAt } = call;
  const isCreation = verb === "create" || (verb === "update" && call.request.last?.memory.object.neverReady === true);
  const look = async (): Promise<{ readonly shown?: unknown; readonly cause?: unknown }> => {
    try {
      return { shown: (await collectionAt(run.api, kind, known, id).subResource(id, at, callOf(call)))[member] };
    } catch (cause) {
      if (cause instanceof NotFoundError || cause instanceof ConflictError) return { cause };
      throw cause;
    }
  };
  const { shown, cause } = await pollUntil(
    run.clock,
    { firstPauseMs: PAUSE_MS, longestPauseMs: PAUSE_MS, endsAt: isCreation ? endsAt : 0 },
    look,
    (each) => isThere(each.shown),
    () => run.rows.status(urn, `waiting for the ${at} of ${kind.noun} ${id}`),
  );
  if (isThere(shown)) return shown;
  const reason = cause === undefined ? `The answer has no ${member}.` : messageOf(cause);
  if (isCreation)
    throw new ReadinessTimeoutError(
      `${operationName(verb, kind, urn)}: ${kind.noun} ${id} is ready, and the API does not show its ${at} yet: ${reason} ` +
        `Run again to go on waiting.`,
      run.settings.provider,
      { cause },
    );
  await run.rows.line(urn, "warning", `The API does not show the ${at} of ${kind.noun} ${id}: ${reason}`);
  return undefined;
}

function isThere(shown: unknown): boolean {
  return shown !== undefined && shown !== null && shown !== "";
}
