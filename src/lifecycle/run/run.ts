import ms from "ms";
import { createApi, type Api, type ApiOptions } from "../../api/client";
import { endedBy, systemClock, type Clock } from "../../process/clock";
import { readSettings, type ConfigReader, type Environment, type Settings } from "../../settings/config";
import { Quoter } from "../../cost/quoter";
import { pulumiBackend } from "../../journal/backend";
import { noJournal, type Journal } from "../../journal/journal";
import { DeletedObjects } from "../memory/deleted-objects";
import { CatalogReader } from "../preflight/catalog-reader";
import { PreflightRequests } from "../../api/preflight-requests";
import { QuotaSums } from "../preflight/quota-sums";
import { RunCosts } from "../pricing/run-costs";
import { StandIns } from "../pricing/stand-ins";
import { fitRows, silentRowLog, STACK, withoutRepeats, type RowLog } from "../../engine/row-log";
import { AuditLogReader } from "../recovery/audit-log-reader";
import { LateCreations } from "../recovery/late-creations";
import { RunJournal } from "../recovery/run-journal";
import { REQUOTE_VARIABLE, runNotes, type RunNotes } from "../../cost/run-notes";
import { RunMemory } from "../memory/run-memory";
import { SavedSettings } from "./saved-settings";

/** The shared parts of one operation of the engine. Each operation has its own plugin process. */
export interface Run {
  /** Read at first use: a run without our resources needs no configuration. Throws ConfigurationError. */
  readonly settings: Settings;
  readonly api: Api;
  readonly quoter: Quoter;
  /** What a preview asks before anything is touched. */
  readonly preflight: PreflightRequests;
  readonly catalogs: CatalogReader;
  readonly quotaSums: QuotaSums;
  readonly standIns: StandIns;
  readonly memory: RunMemory;
  readonly costs: RunCosts;
  readonly journal: RunJournal;
  readonly audit: AuditLogReader;
  readonly lateCreations: LateCreations;
  /** The reasons, and the advice, that this run has already given in full. */
  readonly explained: Set<string>;
  readonly rows: RowLog;
  /** For lines under the stack that only a preview has. */
  readonly previewRows: RowLog;
  readonly deleted: DeletedObjects;
  readonly saved: SavedSettings;
  /** Its sleepers wake when the run is cancelled. */
  readonly clock: Clock;
  /** Aborted when a person cancels the run, if the front hears of it. */
  readonly cancelled: AbortSignal | undefined;
  /** Whether a preview asks for every price again, also of unchanged resources (`cloudinfra cost --requote`). */
  readonly requotes: boolean;
  /** Notes for `cloudinfra cost` that Pulumi's own JSON cannot hold. */
  readonly notes: RunNotes | undefined;
  /**
   * The API's time, from one request for the regions in each process. So a wrong clock of this machine decides nothing. If the
   * clocks differ much, a row says so.
   */
  serviceTime(urn: string): Promise<number>;
}

/** The parts of a run. */
export interface RunOptions {
  readonly config: ConfigReader;
  readonly environment?: Environment;
  readonly clock?: Clock;
  readonly rows?: RowLog;
  /** See `Run.previewRows`. A front needs none if it knows from the start whether this is a preview. */
  readonly previewRows?: RowLog;
  readonly version: string;
  /** The name of an explicit provider, with settings and a journal of its own. */
  readonly provider?: string | undefined;
  /** Of a front that hears from the engine whether the program runs. */
  readonly saved?: SavedSettings;
  /** The file by which the processes of this run tell each other costs. See `RunCosts`. */
  readonly costsFile?: string | undefined;
  /** See `Run.cancelled`. Its reason is a CancelledError. */
  readonly cancelled?: AbortSignal | undefined;
  /** The journal of open creations. Without one, a killed run leaves no trace. */
  readonly journal?: Journal;
  /** The client's connections and random numbers, if a test has its own. */
  readonly client?: Pick<ApiOptions, "dispatcher" | "random">;
}

/** A run whose settings and client are made at first use. */
export function createRun(options: RunOptions): Run {
  let settings: Settings | undefined;
  let api: Api | undefined;
  let journal: RunJournal | undefined;
  let audit: AuditLogReader | undefined;
  let lateCreations: LateCreations | undefined;
  let catalogs: CatalogReader | undefined;
  let quotaSums: QuotaSums | undefined;
  let standIns: StandIns | undefined;
  let asked: Promise<void> | undefined;
  const { clock = systemClock, environment = process.env } = options;
  const rows = withoutRepeats(fitRows(options.rows ?? silentRowLog));
  const previewRows = options.previewRows ? withoutRepeats(fitRows(options.previewRows)) : rows;
  const notes = runNotes(environment);
  const memory = new RunMemory();
  const explained = new Set<string>();
  const costs = new RunCosts(memory, options.costsFile, options.provider);
  return {
    get settings() {
      return (settings ??= readSettings(options.config, environment, options.provider, this.saved.areInUse));
    },
    get api() {
      return (api ??= createApi({
        ...this.settings,
        ...options.client,
        userAgent: `pulumi-cloudinfra/${options.version}`,
        clock,
        onWarning: (message) => void rows.line(STACK, "warning", message),
      }));
    },
    quoter: new Quoter(
      clock,
      (bill) => notes?.add({ note: "organization", bill, provider: costs.provider }),
      options.provider,
      explained,
    ),
    preflight: new PreflightRequests(clock, explained),
    get catalogs() {
      return (catalogs ??= new CatalogReader(this));
    },
    get quotaSums() {
      return (quotaSums ??= new QuotaSums(this));
    },
    get standIns() {
      return (standIns ??= new StandIns(this));
    },
    explained,
    notes,
    requotes: environment[REQUOTE_VARIABLE] === "true",
    memory,
    costs,
    get journal() {
      return (journal ??= new RunJournal({
        journal: options.journal ?? noJournal,
        rows,
        provider: options.provider,
        backend: () => pulumiBackend(environment),
        baseUrl: () => this.settings.baseUrl,
        serverNow: () => this.api.serverNow(),
        now: () => clock.now(),
        keyHash: () => this.api.credentials.hash,
      }));
    },
    get audit() {
      return (audit ??= new AuditLogReader(clock, () => this.api));
    },
    get lateCreations() {
      return (lateCreations ??= new LateCreations(this));
    },
    rows,
    previewRows,
    deleted: new DeletedObjects(),
    saved: options.saved ?? new SavedSettings(options.config, rows),
    clock: options.cancelled ? endedBy(options.cancelled, clock) : clock,
    cancelled: options.cancelled,
    async serviceTime(urn) {
      asked ??= askForTime(this, urn);
      await asked;
      return this.api.serverNow();
    },
  };
}

/** A larger difference of the clocks disturbs certificates and tokens. */
const WORTH_TELLING_MS = 5 * 60_000;

async function askForTime({ api, rows, clock }: Run, urn: string): Promise<void> {
  await api.regions.list({ what: "ask for the API's time" })[Symbol.asyncIterator]().next();
  const skewMs = api.serverNow() - clock.now();
  if (Math.abs(skewMs) <= WORTH_TELLING_MS) return;
  await rows.line(
    urn,
    "warning",
    `this machine's clock is ${ms(Math.abs(skewMs), { long: true })} ${skewMs > 0 ? "behind" : "ahead of"} the API's; rotation uses the API's`,
  );
}
