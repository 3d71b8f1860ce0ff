import { ConflictError, NotFoundError } from "../api/errors";
import { SettleTimeoutError } from "../api/operations/lasting-status";
import type { SubResourceOutput, Props } from "./kind";
import { callOf, operationName, type ResourceCall } from "./resource-call";

const PAUSE_MS = 2_000;

/**
 * The object with the outputs that only their own endpoints show and that are not known yet. A creation waits for them,
 * because dependents begin when it ends. Other calls leave a missing one undefined.
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
  for (;;) {
    try {
      return (await kind.collection(run.api, known, id).subResource(id, at, callOf(call)))[member] ?? undefined;
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof ConflictError)) throw error;
      if (verb !== "create") return undefined;
      if (run.clock.now() + PAUSE_MS > endsAt) {
        throw new SettleTimeoutError(
          `${operationName(verb, kind, urn)}: ${kind.noun} ${id} is ready, and the API does not show its ${at} yet: ${error.message} ` +
            `Run again to go on waiting.`,
          run.settings.provider,
          { cause: error },
        );
      }
    }
    run.rows.status(urn, `waiting for the ${at} of ${kind.noun} ${id}`);
    await run.clock.sleep(PAUSE_MS);
  }
}
