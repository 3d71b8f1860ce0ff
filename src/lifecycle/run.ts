import ms from "ms";
import { createApi, type Api, type ApiOptions } from "../api/client";
import { systemClock, type Clock } from "../clock";
import { readSettings, type ConfigReader, type Environment, type Settings } from "../config";
import { Quoter } from "../cost/quoter";
import { pulumiBackend } from "../journal/backend";
import { noJournal, type Journal } from "../journal/journal";
import { GoneObjects } from "./gone-objects";
import { fitRows, silentRowLog, withoutRepeats, type RowLog } from "./row-log";
import { AuditTrail } from "./recovery/audit-trail";
import { LateCreations } from "./recovery/late-creations";
import { RunJournal } from "./recovery/run-journal";
import { REQUOTE_VARIABLE, runNotes, type RunNotes } from "../run-notes";
import { RunMemory } from "./run-memory";

/** What all resources of one engine operation share. The engine starts one plugin process for each operation. */
export interface Run {
  /** Read at first use, so that a run without a resource of ours needs no configuration. Throws ConfigurationError. */
  readonly settings: Settings;
  readonly api: Api;
  readonly quoter: Quoter;
  readonly memory: RunMemory;
  readonly journal: RunJournal;
  readonly audit: AuditTrail;
  readonly lateCreations: LateCreations;
  readonly rows: RowLog;
  readonly gone: GoneObjects;
  readonly clock: Clock;
  /** Whether a preview asks for every price anew, unchanged resources included (`cloudinfra cost --requote`). */
  readonly requotes: boolean;
  /** Tells `cloudinfra cost`, where that is there, what Pulumi's own JSON has no place for. */
  readonly notes: RunNotes | undefined;
  /**
   * The API's time, asked for with the list of the regions once in a process, so that a wrong clock of this machine decides
   * nothing. Told on the row where the two are far apart.
   */
  serviceTime(urn: string): Promise<number>;
}

/** What a run is made from. */
export interface RunOptions {
  readonly config: ConfigReader;
  readonly environment?: Environment;
  readonly clock?: Clock;
  readonly rows?: RowLog;
  readonly version: string;
  /** Where creations are entered until the state has them; without one, a run that is killed leaves no trace. */
  readonly journal?: Journal;
  /** What the client's connections and its jitter are made of, where a test has its own. */
  readonly client?: Pick<ApiOptions, "dispatcher" | "random">;
}

/** A run whose settings and client come into being at first use. */
export function createRun(options: RunOptions): Run {
  let settings: Settings | undefined;
  let api: Api | undefined;
  let journal: RunJournal | undefined;
  let audit: AuditTrail | undefined;
  let lateCreations: LateCreations | undefined;
  let asked: Promise<void> | undefined;
  const { clock = systemClock, environment = process.env } = options;
  const rows = withoutRepeats(fitRows(options.rows ?? silentRowLog));
  const notes = runNotes(environment);
  return {
    get settings() {
      return (settings ??= readSettings(options.config, environment));
    },
    get api() {
      return (api ??= createApi({
        ...this.settings,
        ...options.client,
        userAgent: `pulumi-cloudinfra/${options.version}`,
        clock,
        onWarning: (message) => void rows.line("", "warning", message),
      }));
    },
    quoter: new Quoter(clock, (bill) => notes?.add({ note: "organization", bill })),
    notes,
    requotes: environment[REQUOTE_VARIABLE] === "true",
    memory: new RunMemory(),
    get journal() {
      return (journal ??= new RunJournal({
        journal: options.journal ?? noJournal,
        rows,
        backend: () => pulumiBackend(environment),
        baseUrl: () => this.settings.baseUrl,
        serverNow: () => this.api.serverNow(),
        now: () => clock.now(),
      }));
    },
    get audit() {
      return (audit ??= new AuditTrail(() => this.api));
    },
    get lateCreations() {
      return (lateCreations ??= new LateCreations(this));
    },
    rows,
    gone: new GoneObjects(),
    clock,
    async serviceTime(urn) {
      asked ??= askForTime(this, urn);
      await asked;
      return this.api.serverNow();
    },
  };
}

/** A skew that certificates and tokens start to suffer from. */
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
