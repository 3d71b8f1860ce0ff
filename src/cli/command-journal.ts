import { FileJournal } from "../journal/file-journal";
import { noJournal, type Journal } from "../journal/journal";
import { journalFolder } from "../process/user-folders";
import type { CliIo } from "./io";

/** The journal of this user. Without a folder for it, one that keeps nothing. */
export function journalOf(environment: CliIo["environment"]): Journal & Pick<FileJournal, "touch"> {
  const folder = journalFolder(environment);
  return folder === undefined ? { ...noJournal, touch: () => Promise.resolve() } : new FileJournal(folder);
}
