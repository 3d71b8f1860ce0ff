import type { Mutation } from "../api/client";
import { AbortedError, NotFoundError } from "../api/errors";
import { waitForLastingStatus } from "../api/operations/lasting-status";
import { BrokenObjectError, CancelledError } from "./errors";
import type { Props } from "./kind";
import { callOf, whatOf, type ResourceCall } from "./resource-call";
import { onceVisible, readAccepted } from "./visibility";

/** Waits for the announced operation, and shows the progress on the resource's row. */
export async function awaitOperation(call: ResourceCall, mutation: Mutation<unknown>): Promise<void> {
  const { kind, run, urn, verb, endsAt } = call;
  if (mutation.kind !== "operation") return;
  const startedAt = run.clock.now();
  const { cancelled } = run;
  try {
    await run.api.operations.wait(mutation.operation, {
      what: whatOf(verb, kind, urn),
      timeoutMs: Math.max(0, endsAt - startedAt),
      ...(cancelled && { signal: cancelled }),
      onProgress: ({ operation, waitedMs }) =>
        run.rows.status(urn, `waiting for operation: ${operation.status} ${seconds(waitedMs)}`),
    });
  } catch (error) {
    // The API no longer knows the operation. The object's own status shows the progress.
    if (error instanceof NotFoundError) return;
    if (!(error instanceof AbortedError)) throw error;
    throw underWay(call, `operation ${mutation.operation.id}`, run.clock.now() - startedAt);
  }
  run.rows.status(urn, `operation done after ${seconds(run.clock.now() - startedAt)}`);
}

/**
 * Waits until the object has a final status: one GET if it is ready, or a list with others that were made at the same time.
 * `inputs` have the object's path, `shown` an answer that the API has already given. Rejects with SettleTimeoutError after the
 * time limit, and with BrokenObjectError if the API shows the object as broken.
 */
export async function awaitReady(call: ResourceCall, id: string, inputs: Props, shown?: Props): Promise<Props> {
  const { kind, urn, verb } = call;
  const wire = await awaitLastingStatus(call, id, inputs, shown);
  if (wire["status"] === "error") {
    throw new BrokenObjectError(
      `${whatOf(verb, kind, urn)}: the API shows ${kind.noun} ${id} with the status "error". If it was never ready, run again: ` +
        `the next run replaces it. Otherwise repair it at the API, or run \`pulumi up --target-replace '${urn}'\`.`,
    );
  }
  return wire;
}

/**
 * An object that other runs or people may be changing: as long as a change is under way, the API shows the values before it. Rejects as
 * `read` does, and with SettleTimeoutError after the time limit.
 */
export async function readUnchanging(
  call: ResourceCall,
  id: string,
  inputs: Props,
  read: () => Promise<Props>,
): Promise<Props> {
  const shown = await read();
  if (shown["status"] !== "updating") return shown;
  await awaitLastingStatus(call, id, inputs, shown);
  return read();
}

async function awaitLastingStatus(call: ResourceCall, id: string, inputs: Props, shown?: Props): Promise<Props> {
  const { kind, run, urn, verb, endsAt } = call;
  const get = (): Promise<Props> => kind.handler(run.api).get(id, inputs, callOf(call));
  const getNew = (): Promise<Props> => kind.handler(run.api).getNew(id, inputs, callOf(call));
  const read = (): Promise<Props> => (verb === "create" ? readAccepted(call, id, get) : onceVisible(call, get));
  const first = (): Promise<Props> => (verb === "create" ? readAccepted(call, id, getNew) : read());
  const startedAt = run.clock.now();
  const settled = async (): Promise<Props> =>
    waitForLastingStatus(shown ?? (await first()), read, {
      clock: run.clock,
      timeoutMs: endsAt - run.clock.now(),
      what: whatOf(verb, kind, urn),
      onProgress: ({ status, waitedMs }) =>
        run.rows.status(urn, `waiting for ${kind.noun}: ${status} ${seconds(waitedMs)}`),
    });
  return settled().catch((error: unknown) => {
    throw error instanceof CancelledError ? underWay(call, `${kind.noun} ${id}`, run.clock.now() - startedAt) : error;
  });
}

/** The error of a wait that a person has ended. `subject`: what the API goes on with. */
function underWay({ kind, urn, verb }: ResourceCall, subject: string, waitedMs: number): CancelledError {
  return new CancelledError(
    `${whatOf(verb, kind, urn)}: the run was cancelled after ${seconds(waitedMs)} of waiting. The API has accepted it and goes on ` +
      `with ${subject}. Run again: the next run goes on from there.`,
  );
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)}s`;
}
