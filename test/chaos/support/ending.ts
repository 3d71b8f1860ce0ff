import type { JournalEntry } from "../../../src/journal/entry";
import type { KeptResource } from "../../support/mini-state";
import type { DamagedEntry } from "./damage";
import type { Neighbours } from "./neighbours";
import type { Programs } from "./schedule";
import type { Service } from "./service";

/** What is left when a schedule is through. */
export interface Ending {
  readonly service: Service;
  readonly programs: Programs;
  readonly neighbours: Neighbours;
  readonly state: readonly KeptResource[];
  /** Ids that have ever been in the state. */
  readonly everKept: ReadonlySet<string>;
  /** Everything that people were shown. */
  readonly told: string;
  /** Everything that was left on disk. */
  readonly written: string;
  /** What the journal still has open. */
  readonly open: readonly JournalEntry[];
  /** Entries of the journal that were damaged, so that nobody can know what they stood for. */
  readonly damaged: readonly DamagedEntry[];
  /** Names of what the person has said is not theirs. */
  readonly forgotten: ReadonlySet<string>;
  /** Whether lists have shown what was no longer so. */
  readonly areListsLate: boolean;
  /** Objects that the network made by delivering a request twice. */
  readonly networkTwins: ReadonlySet<string>;
  /** Everything that must not be in it. */
  readonly secrets: readonly string[];
  /** What the program had found and did not give back as it was, when it was without that for one run. */
  readonly notGivenBack: readonly string[];
  /** What the last run without faults failed with; empty where it did not. */
  readonly stillFailing: readonly string[];
  /** Whether stack or provider have had other names. */
  readonly hasOtherNames: boolean;
  /** What runs did that no run may do, whatever came of it: in words. */
  readonly wrongdoings: readonly string[];
  /** What a run sent after everything was as it should be. */
  readonly idleChanges: readonly string[];
}
