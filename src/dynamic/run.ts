import { createApi, type Api } from "../api/client";
import { systemClock, type Clock } from "../clock";
import { readSettings, type ConfigReader, type Environment, type Settings } from "../config";
import { Quoter } from "../cost/quoter";
import { engineRowLog, silentRowLog, withoutRepeats, type RowLog } from "./row-log";
import { RunMemory } from "./run-memory";

/** What all resources of one engine operation share. The engine starts one plugin process for each operation. */
export interface Run {
  /** Read at first use, so that a run without a resource of ours needs no configuration. Throws ConfigurationError. */
  readonly settings: Settings;
  readonly api: Api;
  readonly quoter: Quoter;
  readonly memory: RunMemory;
  readonly rows: RowLog;
  readonly clock: Clock;
}

/** What a run is made from. */
export interface RunOptions {
  readonly config: ConfigReader;
  readonly environment?: Environment;
  readonly clock?: Clock;
  readonly rows?: RowLog;
  readonly version: string;
}

/** A run whose settings and client come into being at first use. */
export function createRun(options: RunOptions): Run {
  let settings: Settings | undefined;
  let api: Api | undefined;
  const { clock = systemClock } = options;
  const rows = withoutRepeats(options.rows ?? silentRowLog);
  return {
    get settings() {
      return (settings ??= readSettings(options.config, options.environment));
    },
    get api() {
      const { baseUrl, credentials, dialect, allowInsecure, requestTimeoutMs, operationTimeoutMs } = this.settings;
      return (api ??= createApi({
        baseUrl,
        credentials,
        dialect,
        allowInsecure,
        requestTimeoutMs,
        operationTimeoutMs,
        userAgent: `pulumi-cloudinfra/${options.version}`,
        clock,
        onWarning: (message) => void rows.line("", "warning", message),
      }));
    },
    quoter: new Quoter(),
    memory: new RunMemory(),
    rows,
    clock,
  };
}

/** The row log of the engine that started this process: its address is the first argument behind the script. */
export function rowLogOfThisProcess(): RowLog {
  const address = process.argv[2];
  return address !== undefined && /^[\w.-]+:\d+$/.test(address) ? engineRowLog(address) : silentRowLog;
}
