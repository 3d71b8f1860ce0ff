import type { CallOptions, Mutation } from "../api/client";
import { NotFoundError } from "../api/errors";
import { waitForLastingStatus } from "../api/operations/lasting-status";
import { DEFAULT_OPERATION_TIMEOUT_MS } from "../config";
import { BrokenObjectError, RefusedObjectError } from "./errors";
import { hiddenOf, visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import type { Run } from "./run";
import { timeoutMs } from "./timeouts";
import { onceVisible, NEW_FOR_MS, readAccepted, VISIBLE_AFTER_MS } from "./visibility";
import { whatOf } from "./what";

/** What a resource's request is part of: for messages, for the row, and how long it may take. */
export interface Doing {
  readonly kind: ResourceKind;
  readonly run: Run;
  readonly urn: string;
  readonly verb: "create" | "update" | "delete" | "read";
  /** Until when the API's operation and the object are waited for, in milliseconds since the epoch by the run's clock. */
  readonly endsAt: number;
  /**
   * How much longer a 404 may be of an object that is so new that the API does not show it yet, once it was waited for so long. Not
   * by this machine's clock, which may jump meanwhile: the object would pass for gone.
   */
  readonly hiddenMs: (waitedMs: number) => number;
}

/**
 * Begins one call of the engine's. The time it has is the program's `customTimeouts`, else the configured one. `outputs`: what is
 * known of the object.
 */
export function begin(kind: ResourceKind, run: Run, props: Props, verb: Doing["verb"], outputs: Props = props): Doing {
  const { urn, timeouts } = hiddenOf(props);
  const given = verb === "read" ? undefined : timeoutMs(timeouts, verb);
  const endsAt = run.clock.now() + (given ?? timeoutOf(kind, run));
  const hiddenMs = verb === "create" ? () => endsAt - run.clock.now() : hiddenSince(run, outputs);
  return { kind, run, urn, verb, endsAt, hiddenMs };
}

/** The configured time; else the kind's own, which takes longer than most; else the default. */
function timeoutOf(kind: ResourceKind, { settings: { operationTimeoutMs } }: Run): number {
  return operationTimeoutMs === DEFAULT_OPERATION_TIMEOUT_MS
    ? (kind.operationTimeoutMs ?? operationTimeoutMs)
    : operationTimeoutMs;
}

/** Some seconds from now on, if it may be new: by the API's time, or because no run has seen it yet. */
function hiddenSince(run: Run, outputs: Props): Doing["hiddenMs"] {
  const createdAt = Date.parse(String(outputs["createdAt"]));
  if (Number.isNaN(createdAt) && !hiddenOf(outputs).halfMade) return () => 0;
  return (waitedMs) => {
    const sinceCreationMs = Number.isNaN(createdAt) ? 0 : run.api.serverNow() - createdAt;
    return Math.min(VISIBLE_AFTER_MS - waitedMs, NEW_FOR_MS - sinceCreationMs);
  };
}

/** The call options that make a request's errors say what was tried, on which resource. */
export function callOf({ kind, urn, verb }: Doing): CallOptions {
  return { what: whatOf(verb, kind, urn) };
}

/** Throws RefusedObjectError for an object that the API manages itself. */
export function assertManageable({ kind, urn, verb }: Doing, outputs: Props): void {
  const refusal = kind.refuse?.(outputs);
  if (refusal !== undefined) throw new RefusedObjectError(`${whatOf(verb, kind, urn)}: ${refusal}`);
}

/** The id of the object that a creation was answered with, in either style. */
export function idOf<Wire extends { readonly id?: unknown }>(mutation: Mutation<Wire>): string | undefined {
  if (mutation.kind === "operation") return mutation.operation.resource_id;
  if (mutation.kind === "resource" && typeof mutation.resource.id === "string") return mutation.resource.id;
  return undefined;
}

/** Waits for what the API said it would do, and shows the progress on the resource's row. */
export async function settled({ kind, run, urn, verb, endsAt }: Doing, mutation: Mutation<unknown>): Promise<void> {
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
    // The API does not know the operation, or not any more: then the object itself tells how far it is.
    if (error instanceof NotFoundError) return;
    throw error;
  }
  run.rows.status(urn, `operation done after ${seconds(run.clock.now() - startedAt)}`);
}

/**
 * The object once it is no longer on its way to something: one GET where it is ready. Rejects with SettleTimeoutError where
 * it does not get there in time, with BrokenObjectError where the API shows it as broken.
 */
export async function ready(doing: Doing, id: string, props: Props, shown?: Props): Promise<Props> {
  const { kind, run, urn, verb } = doing;
  const get = (): Promise<Props> => kind.handler(run.api).get(id, visibleOf(props), callOf(doing));
  const read = (): Promise<Props> => (verb === "create" ? readAccepted(doing, id, get) : onceVisible(doing, get));
  const wire = await waitForLastingStatus(shown ?? (await read()), read, {
    clock: run.clock,
    timeoutMs: doing.endsAt - run.clock.now(),
    what: whatOf(doing.verb, kind, urn),
    onProgress: ({ status, waitedMs }) =>
      run.rows.status(urn, `waiting for ${kind.noun}: ${status} ${seconds(waitedMs)}`),
  });
  if (wire["status"] === "error") {
    throw new BrokenObjectError(
      `${whatOf(doing.verb, kind, urn)}: the API shows ${kind.noun} ${id} with the status "error".`,
    );
  }
  return wire;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)}s`;
}
