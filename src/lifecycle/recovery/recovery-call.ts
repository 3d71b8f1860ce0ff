import type { ObjectRun, ResourceCall } from "../objects/resource-call";
import type { AuditLogReader } from "./audit-log-reader";
import type { RunJournal } from "./run-journal";

export interface RecoveryRun extends ObjectRun {
  readonly journal: RunJournal;
  readonly audit: AuditLogReader;
}

export type RecoveryCall = ResourceCall<RecoveryRun>;
