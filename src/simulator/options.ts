import { isIP } from "node:net";
import { newSecret } from "./model/callers";
import type { Dialect } from "./model/catalogs";
import { type Lag, noLag } from "./model/table";
import { type BaseClock, durationMs, MAX_DELAY, MAX_DELAY_MS } from "./model/time";

/** The options of a simulator. Each may also be given as text, as on a command line. */
export interface SimulatorOptions {
  /** The API's port; 0: a free one. */
  readonly port?: number | string | undefined;
  /** The address that the API listens on. The control port listens on 127.0.0.1 alone. */
  readonly host?: string | undefined;
  /** The owner's key. Default: a random one. */
  readonly apiKey?: string | undefined;
  /** How long an operation takes, as `"0"`, `"100ms"`, `"1s"` or in milliseconds. */
  readonly operationTime?: string | number | undefined;
  /** The delay of every answer. */
  readonly latency?: string | number | undefined;
  /** How late answers show a change, as `"reads=3s,lists=15s,audit=5s"`. Those that are not named show it at once. */
  readonly lag?: string | undefined;
  /** Requests a second for each API key; others get 429. Default: no limit. */
  readonly rateLimit?: number | string | undefined;
  /** The specification's names, or those of the public service. */
  readonly dialect?: Dialect | undefined;
  /** The control port; 0: a free one. */
  readonly controlPort?: number | string | undefined;
  /** The clock that the simulator's clock is based on, for tests. */
  readonly clock?: BaseClock | undefined;
  /** Checks every response against its schema, for tests. A response that does not match becomes a 500. */
  readonly validateResponses?: boolean | undefined;
}

export type SimulatorSettings = ReturnType<typeof readOptions>;

/** An invalid option. The message names it as the caller wrote it. */
export class SimulatorOptionError extends Error {
  override readonly name = "SimulatorOptionError";
}

/** Reads the options. Throws a SimulatorOptionError for the first invalid one. */
export function readOptions(options: SimulatorOptions) {
  return {
    port: portOf("port", options.port),
    host: hostOf(options.host ?? "127.0.0.1"),
    apiKey: apiKeyOf(options.apiKey ?? newSecret()),
    operationTimeMs: timeOf("operationTime", options.operationTime ?? "100ms"),
    latencyMs: timeOf("latency", options.latency ?? 0, MAX_DELAY_MS),
    lag: lagOf(options.lag ?? ""),
    rateLimitPerSecond: rateOf(options.rateLimit),
    dialect: dialectOf(options.dialect ?? "spec"),
    controlPort: portOf("controlPort", options.controlPort),
    clock: options.clock ?? ({ now: () => Date.now() } satisfies BaseClock),
    validateResponses: options.validateResponses ?? false,
  };
}

function refuse(name: string, rule: string, value: unknown): never {
  throw new SimulatorOptionError(`${name} must be ${rule}, not "${String(value)}"`);
}

function portOf(name: string, value: number | string = 0): number {
  const port = Number(value);
  const isPort = String(value).trim() !== "" && Number.isInteger(port) && port >= 0 && port <= 65_535;
  return isPort ? port : refuse(name, "a port from 0 to 65535", value);
}

function hostOf(host: string): string {
  return host === "localhost" || isIP(host) !== 0 ? host : refuse("host", "an IP address or localhost", host);
}

function apiKeyOf(apiKey: string): string {
  // The value may be a secret, so the message must not show it.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new SimulatorOptionError("apiKey must be printable, without white space");
  return apiKey;
}

function timeOf(name: string, value: string | number, longestMs = Infinity): number {
  const timeMs = durationMs(value);
  if (timeMs === undefined) return refuse(name, '"0" or a duration with a unit such as "100ms" or "1s"', value);
  return timeMs <= longestMs ? Math.round(timeMs) : refuse(name, `at most ${MAX_DELAY}`, value);
}

function lagOf(value: string): Lag {
  const lag = { ...noLag };
  for (const part of value === "" ? [] : value.split(",")) {
    const [kind = "", duration = "", ...rest] = part.split("=");
    const lagMs = durationMs(duration);
    if (!(`${kind}Ms` in lag) || lagMs === undefined || rest.length > 0) {
      return refuse("lag", 'such as "reads=3s,lists=15s,audit=5s"', value);
    }
    lag[`${kind}Ms` as keyof Lag] = Math.round(lagMs);
  }
  return lag;
}

function rateOf(value: number | string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const rate = Number(value);
  return rate > 0 && Number.isFinite(rate)
    ? rate
    : refuse("rateLimit", "a number of requests per second above 0", value);
}

function dialectOf(dialect: string): Dialect {
  return dialect === "spec" || dialect === "nirvana" ? dialect : refuse("dialect", "spec or nirvana", dialect);
}
