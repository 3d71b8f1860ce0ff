import type { Mutation } from "../api/client";
import { NotFoundError } from "../api/errors";
import { waitForLastingStatus } from "../api/operations/lasting-status";
import { BrokenObjectError } from "./errors";
import type { Props } from "./kind";
import { callOf, whatOf, type ResourceCall } from "./resource-call";
import { onceVisible, readAccepted } from "./visibility";

/** Waits for the announced operation, and shows the progress on the resource's row. */
export async function awaitOperation(
  { kind, run, urn, verb, endsAt }: ResourceCall,
  mutation: Mutation<unknown>,
): Promise<void> {
  if (mutation.kind !== "operation") return;
  const startedAt = run.clock.now();
  try {
    await run.api.operations.wait(mutation.operation, {
      what: whatOf(verb, kind, urn),
      timeoutMs: Math.max(0, endsAt - startedAt),
      onProgress: ({ operation, waitedMs }) =>
        run.rows.status(urn, `waiting for operation: ${operation.status} ${seconds(waitedMs)}`),
    });
  } catch (error) {
    // The API no longer knows the operation. The object's own status shows the progress.
    if (error instanceof NotFoundError) return;
    throw error;
  }
  run.rows.status(urn, `operation done after ${seconds(run.clock.now() - startedAt)}`);
}

/**
 * Waits until the object has a final status: one GET if it is ready. `inputs` have the object's path, `shown` an answer that
 * the API has already given. Rejects with SettleTimeoutError after the time limit, and with BrokenObjectError if the API shows
 * the object as broken.
 */
export async function awaitReady(call: ResourceCall, id: string, inputs: Props, shown?: Props): Promise<Props> {
  const { kind, run, urn, verb, endsAt } = call;
  const get = (): Promise<Props> => kind.handler(run.api).get(id, inputs, callOf(call));
  const read = (): Promise<Props> => (verb === "create" ? readAccepted(call, id, get) : onceVisible(call, get));
  const wire = await waitForLastingStatus(shown ?? (await read()), read, {
    clock: run.clock,
    timeoutMs: endsAt - run.clock.now(),
    what: whatOf(verb, kind, urn),
    onProgress: ({ status, waitedMs }) =>
      run.rows.status(urn, `waiting for ${kind.noun}: ${status} ${seconds(waitedMs)}`),
  });
  if (wire["status"] === "error") {
    throw new BrokenObjectError(
      `${whatOf(verb, kind, urn)}: the API shows ${kind.noun} ${id} with the status "error". If it was never ready, run again: ` +
        `the next run replaces it. Otherwise repair it at the API, or run \`pulumi up --target-replace '${urn}'\`.`,
    );
  }
  return wire;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)}s`;
}
