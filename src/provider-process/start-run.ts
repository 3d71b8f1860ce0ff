import type { ConfigReader } from "../settings/config";
import { endWithEngine, engineAddress } from "./engine-process";
import { FileJournal } from "../journal/file-journal";
import { touchRegularly } from "../journal/sender";
import { homelessJournal } from "../journal/journal";
import type { RowLog } from "../engine/row-log";
import { warnOfUnnamedParts } from "../lifecycle/adoption/unnamed-parts";
import type { ObjectsFile } from "../lifecycle/memory/known-objects";
import type { CostFile } from "../lifecycle/pricing/run-costs";
import { createRun, type Run, type RunOptions } from "../lifecycle/run/run";
import { journalFolder } from "../process/user-folders";
import { runFile } from "../process/run-file";

// A separate file, so that its imports come from the compile cache: engine-process.ts is loaded before the cache is on.

type FrontParts = Pick<RunOptions, "provider" | "saved" | "cancelled" | "previewRows" | "kindOf" | "permissionTable">;

/** Makes the run of this process, which ends with the engine. */
export function startRun(config: ConfigReader, rows: RowLog, front: FrontParts): Run {
  const folder = journalFolder();
  const files = folder === undefined ? undefined : new FileJournal(folder);
  if (files) touchRegularly(files);
  const journal = files ?? homelessJournal;
  const objectsFile: ObjectsFile | undefined = runFile(engineAddress(), "objects");
  const run = createRun({
    config,
    rows,
    journal,
    costsFile: costsFileOfThisRun(),
    objectsFile,
    announced: runFile(engineAddress(), "announced"),
    ...front,
  });
  endWithEngine(async () => {
    run.journal.end();
    run.costs.end();
    // The engine may end an explicit provider while the others are at work.
    if (front.provider === undefined) objectsFile?.remove();
    await run.quotaSums.warn();
    await run.duplicates.warn();
    await warnOfUnnamedParts(run);
    await run.permissions.warn();
    run.prefetch.end();
    await run.memory.missing.warn(run.rows, () => run.settings.baseUrl);
    await run.journal.reportNotPresented((urn) => run.memory.isLeftOut(urn));
  });
  return run;
}

/** The file in which the processes of this run share costs. */
export function costsFileOfThisRun(): CostFile | undefined {
  return runFile(engineAddress(), "costs");
}
