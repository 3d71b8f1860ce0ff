import type { ConfigReader } from "./config";
import { endWithEngine, engineAddress } from "./engine-process";
import { FileJournal } from "./journal/file-journal";
import { TOUCHED_EVERY_MS } from "./journal/under-way";
import { homelessJournal } from "./journal/homeless-journal";
import type { RowLog } from "./lifecycle/row-log";
import { runCostsFile } from "./lifecycle/pricing/run-costs";
import { createRun, type Run, type RunOptions } from "./lifecycle/run";
import { journalFolder, runsFolder } from "./user-folders";
import { version } from "./version";

// Not in engine-process.ts, which is loaded before the compile cache is on: these modules are to come from it.

/** What only some fronts know. */
type FrontParts = Pick<RunOptions, "provider" | "cancelled" | "previewRows">;

/**
 * The run of this process, which ends with the engine: the engine starts one for each operation.
 */
export function startRun(config: ConfigReader, rows: RowLog, front: FrontParts = {}): Run {
  const folder = journalFolder();
  const files = folder === undefined ? undefined : new FileJournal(folder);
  if (files) setInterval(() => void files.touch(), TOUCHED_EVERY_MS).unref();
  const journal = files ?? homelessJournal;
  const [runs, engine] = [runsFolder(), engineAddress()];
  const costsFile = runs === undefined || engine === undefined ? undefined : runCostsFile(runs, engine);
  const run = createRun({ config, rows, version, journal, costsFile, ...front });
  endWithEngine(({ isCancelled }) => {
    run.journal.end(isCancelled);
    run.costs.end();
    return run.gone.tell(run.rows, () => run.settings.baseUrl);
  });
  return run;
}
