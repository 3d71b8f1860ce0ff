import { FileJournal } from "../../journal/file-journal";
import { isUnderWay, LEFT_BEHIND_ADVICE, objectText } from "../../journal/left-behind";
import { journalFolder } from "../../user-folders";
import type { CliIo } from "../io";
import type { Report } from "./report";

/** What interrupted runs may have left at the API, of all stacks that ran on this machine. No fault of the settings. */
export async function openCreations({ environment }: CliIo): Promise<Report> {
  const journal = new FileJournal(journalFolder(environment));
  const open = (await journal.all()).filter((entry) => !isUnderWay(entry));
  const lines = open.map((entry) => ({
    verdict: "no" as const,
    subject: "interrupted",
    finding: `stack ${entry.stack.project}/${entry.stack.stack}, ${entry.sentAt}: ${objectText(entry)}`,
  }));
  const files = open.map((entry) => journal.pathOf(entry)).join("\n  ");
  return {
    lines,
    advice:
      open.length === 0
        ? []
        : [`${LEFT_BEHIND_ADVICE} What is settled by hand is forgotten with its file:\n  ${files}`],
  };
}
