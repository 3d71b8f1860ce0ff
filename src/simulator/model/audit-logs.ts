import type { AuditLog } from "../schemas/organization";
import { RingBuffer } from "./ring-buffer";
import { Table } from "./table";

const keptLogs = 100_000;

/** The audit logs of section 2.4, all in one partition. If there are very many, the oldest are dropped. */
export class AuditLogs extends Table<AuditLog> {
  readonly #kept = new RingBuffer<string>(keptLogs);

  constructor() {
    super(() => "");
  }

  override insert(log: AuditLog): void {
    super.insert(log);
    const forgotten = this.#kept.add(log.id);
    if (forgotten !== undefined) this.remove(forgotten);
  }
}
