import { timeOf } from "../../time/utc";
import type { Api, CallOptions } from "../../api/client";
import { USUALLY_HIDDEN_MS } from "../../api/operations/project-poller";
import type { RowLog } from "../../engine/row-log";
import type { Clock } from "../../time/clock";
import { goDurationMs } from "../../time/duration";
import { DEFAULT_OPERATION_TIMEOUT_MS, type Settings } from "../../settings/config";
import { RefusedObjectError } from "../errors";
import { collectionAt } from "../kind/collection-at";
import { type Props, type ResourceKind, operationName, type RunResource } from "../kind/kind";
import type { RunMemory } from "../memory/run-memory";
import { inState, type ResourceRequest, type ResourceState, type Timeouts } from "../resource-request";
import { getWithParts, type OwnParts } from "./get-with-parts";

/**
 * An object counts as new up to this age. The object's `createdAt` and the API's time may come from different clocks.
 */
const NEW_FOR_MS = 60_000;

export interface ObjectRun {
  readonly api: Api;
  readonly settings: Settings;
  /** Its sleeps end when the run is cancelled. */
  readonly clock: Clock;
  /** Aborted when a person cancels the run. Undefined if the front cannot notice that. */
  readonly cancelled: AbortSignal | undefined;
  readonly rows: RowLog;
  readonly memory: RunMemory;
  readonly audit: {
    showsObject(id: string, createdAt: number | undefined): Promise<boolean>;
  };
}

/** A request of the engine that is being carried out at the API, with its resource and deadline. */
export interface ResourceCall<R extends ObjectRun = ObjectRun> extends RunResource<R> {
  readonly verb: "create" | "update" | "delete" | "read";
  readonly request: ResourceRequest;
  /** The program's values, or those of the state. They have the object's path. */
  readonly inputs: Props;
  /** The deadline of the wait for the operation and the object, in epoch milliseconds of the run's clock. */
  readonly endsAt: number;
  /**
   * After `waitedMs`, a new object may still answer 404 for this many milliseconds. For an existing object it uses the
   * API's time, because a jump of this machine's clock would make the object seem deleted.
   */
  readonly hiddenMs: (waitedMs: number) => number;
  /**
   * True if it must also be carried out when a person cancels the run: it deletes an object that nothing else would
   * name.
   */
  readonly isCleanUp?: boolean;
}

/** A resource of the program, with its outputs in the state. */
export interface ComparedResource<R = ObjectRun> extends RunResource<R> {
  readonly request: ResourceRequest;
  readonly outputs: ResourceState;
}

/** A change in place that a preview asks about: of an object in the state, or of one that is to be adopted. */
export interface ProposedUpdate<R = ObjectRun> extends RunResource<R> {
  readonly id: string;
  readonly changed: readonly string[];
  readonly olds: Props;
  readonly news: Props;
  readonly ownParts: OwnParts;
}

/** Begins a call. Its time limit is the program's `customTimeouts`, otherwise the configured one. */
export function begin<R extends ObjectRun>(
  kind: ResourceKind,
  run: R,
  request: ResourceRequest,
  verb: ResourceCall["verb"],
): ResourceCall<R> {
  run.memory.assertShared();
  return withFullTimeLimit({ kind, run, request, verb });
}

/** The call, with its time limit from now on. */
export function withFullTimeLimit<R extends ObjectRun>(
  call: Pick<ResourceCall<R>, "kind" | "run" | "request" | "verb">,
): ResourceCall<R> {
  const { kind, run, request, verb } = call;
  const { urn, inputs, memory } = request;
  const given = verb === "read" ? undefined : timeoutMs(memory.timeouts, verb);
  const endsAt = run.clock.now() + (given ?? timeoutOf(kind, run));
  const hiddenMs = verb === "create" ? () => endsAt - run.clock.now() : hiddenSince(run, inState(request));
  return { kind, run, verb, request, urn, inputs, endsAt, hiddenMs };
}

/** The program's time limit of a call in milliseconds. Undefined if the program gives none, or "0s". */
export function timeoutMs(timeouts: Timeouts, verb: keyof Timeouts): number | undefined {
  const text = timeouts[verb];
  return text === undefined ? undefined : goDurationMs(text) || undefined;
}

/** The public clients of the API wait this long for a cluster. */
const THIRTY_MINUTES_MS = 30 * 60_000;

/**
 * The configured time limit. If that is the default, a kind with sub-resources to wait for, such as a kubeconfig, gets
 * more time.
 */
function timeoutOf(kind: ResourceKind, { settings: { operationTimeoutMs } }: Pick<ObjectRun, "settings">): number {
  const isLong = operationTimeoutMs === DEFAULT_OPERATION_TIMEOUT_MS && kind.subResources.length > 0;
  return isLong ? THIRTY_MINUTES_MS : operationTimeoutMs;
}

/** A few seconds for an object that may be new: by the API's time, or because no run has seen it ready yet. */
export function hiddenSince(
  { api }: Pick<ObjectRun, "api">,
  { props, memory }: Pick<ResourceState, "props" | "memory">,
): ResourceCall["hiddenMs"] {
  const createdAt = timeOf(props["createdAt"]);
  if (createdAt === undefined && !memory.object.neverReady) return () => 0;
  return (waitedMs) => {
    const sinceCreationMs = createdAt === undefined ? 0 : api.now() - createdAt;
    return Math.min(USUALLY_HIDDEN_MS - waitedMs, NEW_FOR_MS - sinceCreationMs);
  };
}

/**
 * Request options with the purpose, so that errors name the resource and the operation, and with the `updatedAt` of the
 * object in the state: a response that is older is outdated.
 */
export function callOf({ kind, run, urn, verb, request, isCleanUp }: ResourceCall): CallOptions {
  const { id } = request;
  const updatedAt = timeOf(inState(request).props["updatedAt"]);
  return {
    purpose: operationName(verb, kind, urn),
    cancelled: isCleanUp ? undefined : run.cancelled,
    ...(id && updatedAt !== undefined && { seen: { id, updatedAt } }),
  };
}

/**
 * The own parts of the call's object. Of an object that the resource makes, adopts, imports or only reads, all parts
 * count.
 */
export function ownPartsOf({ verb, request }: Pick<ResourceCall, "verb" | "request">): OwnParts {
  const isAll = verb === "create" || request.isReference;
  return inState(request).memory.object.ownParts ?? (isAll ? "all" : undefined);
}

/** The object as the API shows it. Rejects as `Collection.get`. */
export function getObject(call: ResourceCall, id: string): Promise<Props> {
  return collectionAt(call.run.api, call.kind, call.inputs, id).get(id, callOf(call));
}

/** As `getObject`, with its own parts. `wire`: the API's response about the object itself. Default: it is read. */
export function getObjectWithParts(call: ResourceCall, id: string, wire?: Props): Promise<Props> {
  const { kind, run, inputs } = call;
  return getWithParts(run.api, kind, { id, inputs, ownParts: ownPartsOf(call), ...(wire && { wire }) }, callOf(call));
}

/** Throws RefusedObjectError for an object that the API manages itself. */
export function assertManageable({ kind, urn, verb }: ResourceCall, outputs: Props): void {
  const refusal = kind.refuse?.(outputs);
  if (refusal !== undefined) throw new RefusedObjectError(`${operationName(verb, kind, urn)}: ${refusal}`);
}
