import type { Mutation } from "../../api/client";
import type { JournalEntry } from "../../journal/entry";
import type { Props } from "../kind/kind";

/** A created object, and its entry in the journal. */
export interface MadeObject {
  readonly id: string;
  /** The API's announcement of the operation; `done` if nobody has the answer. */
  readonly mutation: Mutation<Props>;
  readonly entry: JournalEntry;
}
