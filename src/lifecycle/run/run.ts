import { Api, type ApiOptions } from "../../api/client";
import { endedBy, skewText, TOLERATED_SKEW_MS, systemClock, type Clock } from "../../time/clock";
import { readSettings, type ConfigReader, type Settings } from "../../settings/config";
import type { Environment } from "../../process/user-folders";
import { userAgent } from "../../process/version";
import { Quoter } from "../../cost/quoter";
import { journalWith, noJournal, type Journal } from "../../journal/journal";
import type { Announcement, RunFile } from "../../process/run-file";
import type { ResourceKind } from "../kind/kind";
import { CatalogReader } from "../preflight/catalog-reader";
import { Duplicates } from "../preflight/duplicates";
import { MissingPermissions, type PermissionTable } from "../preflight/missing-permissions";
import { AdvisoryRequests } from "../../api/advisory-requests";
import { QuotaSums } from "../preflight/quota-sums";
import { AdvisoryPrefetch } from "../preflight/advisory-prefetch";
import { type CostFile, RunCosts } from "../pricing/run-costs";
import { StandIns } from "../pricing/quote-of-creation";
import { redactedRows, silentRowLog, STACK, withoutRepeats, type RowLog } from "../../engine/row-log";
import { AuditLogReader } from "../recovery/audit-log-reader";
import { LateCreations } from "../recovery/late-creations";
import { RunJournal } from "../recovery/run-journal";
import { settingName } from "../../engine/settings-list";
import { REQUOTE_VARIABLE, runNotes } from "../../cost/run-notes";
import type { ObjectsFile } from "../memory/known-objects";
import { RunMemory } from "../memory/run-memory";
import { SavedSettings } from "../../settings/saved-settings";

/**
 * Everything that the calls of one run share. Each run has its own plugin process. Each folder declares the parts that
 * it needs.
 */
export type Run = Readonly<ReturnType<typeof createRun>>;

export interface RunOptions {
  readonly config: ConfigReader;
  readonly environment?: Environment;
  readonly clock?: Clock;
  readonly rows?: RowLog;
  /**
   * For lines under the stack that only a preview shows. Not needed by a front that knows from the start whether this
   * is a preview.
   */
  readonly previewRows?: RowLog;
  /** The name of an explicit provider, with its own settings and journal. */
  readonly provider?: string | undefined;
  /** Given by a front that the engine tells whether the program runs. */
  readonly saved?: SavedSettings;
  /** The file in which the processes of this run share costs. See `RunCosts`. */
  readonly costsFile?: CostFile | undefined;
  /** The file in which the processes of this run share what they know of objects. See `KnownObjects`. */
  readonly objectsFile?: ObjectsFile | undefined;
  /** The file in which the program announces its resources. See `AdvisoryPrefetch`. */
  readonly announced?: RunFile<Announcement> | undefined;
  /** The kind of an announced resource. Undefined if another process handles the resource. */
  readonly kindOf?: (urn: string) => ResourceKind | undefined;
  /** See `MissingPermissions`. */
  readonly permissionTable?: PermissionTable | undefined;
  /** Aborted when a person cancels the run. Its reason is a CancelledError. */
  readonly cancelled?: AbortSignal | undefined;
  /** The journal of open creations. Without one, a killed run leaves no trace. */
  readonly journal?: Journal;
  /** The client's connections and random numbers, for tests, and what ends its waits. */
  readonly client?: Pick<ApiOptions, "dispatcher" | "random" | "cancelled">;
}

/** Makes a run. Its settings and its client are made at first use. */
export function createRun(options: RunOptions) {
  const { clock = systemClock, environment = process.env, provider, journal = noJournal } = options;
  const rows = withoutRepeats(redactedRows(options.rows ?? silentRowLog));
  const memory = new RunMemory(options.objectsFile);
  const costs = new RunCosts(memory, options.costsFile, provider);
  const showLongWait = (subject: string): void => rows.status(STACK, `waiting for the API's answers: ${subject}`);
  const [checks, prices] = [settingName("preflight", provider), settingName("costQuotes", provider)];
  const remedy = `Run again later, or set ${checks} to off or ${prices} to false`;
  const advisory = new AdvisoryRequests(clock, showLongWait, remedy);
  const notes = runNotes(environment);
  const saved = options.saved ?? new SavedSettings(options.config, rows);

  let settings: Settings | undefined;
  let api: Api | undefined;
  let timeRequest: Promise<void> | undefined;
  const base = {
    /** Read at first use, so that a run without our resources needs no configuration. Throws ConfigurationError. */
    get settings(): Settings {
      if (settings) return settings;
      memory.assertShared();
      settings = readSettings(options.config, environment, provider, saved.areInUse);
      for (const text of settings.misspelledVariables) void rows.line(STACK, "warning", text);
      return settings;
    },
    get api(): Api {
      return (api ??= new Api({
        ...this.settings,
        ...options.client,
        userAgent,
        clock,
        onWarning: (message) => void rows.line(STACK, "warning", message),
      }));
    },
    /**
     * The API's time in epoch milliseconds, from a request for the regions in each process, and a second one if the
     * API's clock is far ahead. So a wrong clock of this machine does no harm. If the clocks differ much, a row says
     * so.
     */
    async apiTime(urn: string): Promise<number> {
      await (timeRequest ??= fetchApiTime(this, urn));
      return this.api.now();
    },
    clock: options.cancelled ? endedBy(options.cancelled, clock) : clock,
    cancelled: options.cancelled,
    rows,
    previewRows: options.previewRows ? withoutRepeats(redactedRows(options.previewRows)) : rows,
    /** The advice that this run has already given with an error. */
    explained: new Set<string>(),
    /** Notes for `cloudinfra cost` that Pulumi's own JSON cannot hold. */
    notes,
    saved,
    memory,
    costs,
    prefetch: new AdvisoryPrefetch(options.announced, options.kindOf),
    requotes: environment[REQUOTE_VARIABLE] === "true",
    quoter: new Quoter(advisory, (bill) => notes?.add({ note: "organization", bill, provider: costs.provider })),
    advisory,
    audit: new AuditLogReader(clock, (): Api => base.api),
  };
  const run = Object.assign(base, {
    catalogs: new CatalogReader(base),
    standIns: new StandIns(base),
    // The preview of a command shows no warnings, so it records none, and a later run warns again.
    journal: new RunJournal(
      base,
      notes ? journalWith(journal, { recordWarning: () => Promise.resolve() }) : journal,
      environment,
    ),
  });
  return Object.assign(run, {
    quotaSums: new QuotaSums(run),
    duplicates: new Duplicates(run),
    // The commands that read notes ask about permissions themselves, or need prices only.
    permissions: new MissingPermissions(run, notes ? undefined : options.permissionTable),
    lateCreations: new LateCreations(run),
  });
}

async function fetchApiTime({ api, rows, clock }: Pick<Run, "api" | "rows" | "clock">, urn: string): Promise<void> {
  const ask = async (): Promise<number> => (await api.fetchTime()) - clock.now();
  let skewMs = await ask();
  // A wrong time in the future would make keys expire for good, so a second answer must confirm it.
  if (skewMs > TOLERATED_SKEW_MS) skewMs = await ask();
  if (Math.abs(skewMs) <= TOLERATED_SKEW_MS) return;
  await rows.line(urn, "warning", `this machine's clock is ${skewText(skewMs)}; rotation uses the API's`);
}
