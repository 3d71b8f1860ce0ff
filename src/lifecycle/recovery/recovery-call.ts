import type { Mutation } from "../../api/client";
import type { JournalEntry } from "../../journal/entry";
import type { Props } from "../kind/kind";
import type { ObjectRun, ResourceCall } from "../objects/resource-call";
import type { AuditLogReader } from "./audit-log-reader";
import type { RunJournal } from "./run-journal";

/** The parts of a run that recovery needs. */
export interface RecoveryRun extends ObjectRun {
  readonly journal: RunJournal;
  readonly audit: AuditLogReader;
}

export type RecoveryCall = ResourceCall<RecoveryRun>;

/** A created object, and its entry in the journal. */
export interface MadeObject {
  readonly id: string;
  /** The API's response. `done` if the response was lost. */
  readonly mutation: Mutation<Props>;
  readonly entry: JournalEntry;
}
