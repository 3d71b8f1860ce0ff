import type { ObjectRun, ResourceCall } from "../objects/resource-call";
import type { AuditLogReader } from "./audit-log-reader";
import type { RunJournal } from "./run-journal";

/** The parts of a run that recovery needs. */
export interface RecoveryRun extends ObjectRun {
  readonly journal: RunJournal;
  readonly audit: AuditLogReader;
}

export type RecoveryCall = ResourceCall<RecoveryRun>;
