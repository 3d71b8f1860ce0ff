import { randomUUID } from "node:crypto";
import { kept, RingBuffer } from "./records";
import { Table } from "./table";
import type { SimulatedClock } from "./time";

export type FieldValue = string | number | boolean | readonly string[];

export type FieldChanges = Readonly<Record<string, { readonly from: FieldValue; readonly to: FieldValue }>>;

/** How the control port makes an operation go wrong. */
export type OperationFault = "fail" | "never";

/** A new operation. The effects run when it ends, with the instant of its end. */
export interface OperationRequest extends Pick<OperationRecord, "kind" | "type" | "projectId" | "resourceId"> {
  readonly changes?: FieldChanges | undefined;
  readonly fault?: OperationFault | undefined;
  readonly onDone: (atMs: number) => void;
  readonly onFailed: (atMs: number) => void;
}

/** A stored operation. Its status follows from the clock. */
export interface OperationRecord {
  readonly id: string;
  readonly kind: string;
  readonly type: "create" | "update" | "delete" | "restart";
  readonly projectId: string;
  readonly resourceId: string;
  readonly changes: FieldChanges | undefined;
  readonly createdAtMs: number;
  readonly startsAtMs: number;
  /** When it ends. Never, if the control port makes it hang. */
  readonly endsAtMs: number;
  readonly fails: boolean;
}

/** The fraction of its time for which an operation is pending before it runs. */
const pendingShare = 0.25;

/** The status of an operation. The public clients name the values. The timing is the simulator's own. */
export function operationStatus(record: OperationRecord, nowMs: number): "pending" | "running" | "done" | "failed" {
  if (nowMs >= record.endsAtMs) return record.fails ? "failed" : "done";
  return nowMs >= record.startsAtMs ? "running" : "pending";
}

/**
 * The operations of the organization. They use the clock without timers: each reader first calls `applyDue`, which
 * applies all due effects in order. Above a limit, the operations that ended first are dropped.
 */
export class Operations {
  readonly table = new Table<OperationRecord>((record) => record.projectId);
  /** In the order of their ends: all take the same time, and the clock never runs back. */
  #waiting: { readonly record: OperationRecord; readonly request: OperationRequest }[] = [];
  readonly #ended = new RingBuffer<string>(kept);
  #applied = 0;
  /** The instant of the effect that is being applied. */
  #effectMs: number | undefined;

  constructor(
    private readonly clock: SimulatedClock,
    private readonly durationMs: number,
  ) {}

  /** Milliseconds since the epoch. While an effect is applied: the instant of that effect. */
  get nowMs(): number {
    return this.#effectMs ?? this.clock.now();
  }

  start(request: OperationRequest): OperationRecord {
    const nowMs = this.clock.now();
    const { kind, type, projectId, resourceId, changes, fault } = request;
    const record: OperationRecord = {
      ...{ id: randomUUID(), kind, type, projectId, resourceId, changes },
      createdAtMs: nowMs,
      startsAtMs: nowMs + Math.floor(this.durationMs * pendingShare),
      endsAtMs: fault === "never" ? Infinity : nowMs + this.durationMs,
      fails: fault === "fail",
    };
    this.table.insert(record);
    if (fault !== "never") this.#waiting.push({ record, request });
    this.applyDue();
    return record;
  }

  applyDue(): void {
    const nowMs = this.clock.now();
    for (;;) {
      const next = this.#waiting[this.#applied];
      if (!next || next.record.endsAtMs > nowMs) break;
      this.#applied += 1;
      this.#effectMs = next.record.endsAtMs;
      if (next.record.fails) next.request.onFailed(next.record.endsAtMs);
      else next.request.onDone(next.record.endsAtMs);
      const forgotten = this.#ended.add(next.record.id);
      if (forgotten !== undefined) this.table.remove(forgotten);
    }
    this.#effectMs = undefined;
    if (this.#applied > 1024 || this.#applied === this.#waiting.length) {
      if (this.#applied > 0) this.#waiting = this.#waiting.slice(this.#applied);
      this.#applied = 0;
    }
  }
}
