import { isIP } from "node:net";
import { newSecret } from "./model/api-keys";
import type { Dialect } from "./model/dialect";
import { noLag, type Lag } from "./model/lag";
import type { BaseClock } from "./model/simulated-clock";
import { durationMs, LONGEST_DELAY, LONGEST_DELAY_MS } from "./duration";

/** The options of a simulator. Each may also be a text, as on a command line. */
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
  /** How late the API shows a change, as `"reads=3s,lists=15s,audit=5s"`. Kinds that are not named show it at once. */
  readonly lag?: string | undefined;
  /** Requests a second for each API key; others get 429. Default: no limit. */
  readonly rateLimit?: number | string | undefined;
  /** The specification's names, or those of the public service. */
  readonly dialect?: Dialect | undefined;
  /** The control port; 0: a free one. */
  readonly controlPort?: number | string | undefined;
  /** The clock under the simulator's own, for tests. */
  readonly clock?: BaseClock | undefined;
  /** Checks every response against its schema: a response that does not match is a 500. For tests. */
  readonly validateResponses?: boolean | undefined;
}

/** The options, read. */
export interface SimulatorSettings {
  readonly port: number;
  readonly host: string;
  readonly apiKey: string;
  readonly operationTimeMs: number;
  readonly latencyMs: number;
  readonly lag: Lag;
  readonly rateLimitPerSecond: number | undefined;
  readonly dialect: Dialect;
  readonly controlPort: number;
  readonly clock: BaseClock;
  readonly validateResponses: boolean;
}

/** An option that cannot be used; the message names it as the caller wrote it. */
export class SimulatorOptionError extends Error {
  override readonly name = "SimulatorOptionError";
}

/** Reads the options; throws a SimulatorOptionError for the first that cannot be used. */
export function readOptions(options: SimulatorOptions): SimulatorSettings {
  return {
    port: portOf("port", options.port),
    host: hostOf(options.host ?? "127.0.0.1"),
    apiKey: apiKeyOf(options.apiKey),
    operationTimeMs: timeOf("operationTime", options.operationTime ?? "100ms"),
    latencyMs: latencyOf(options.latency ?? 0),
    lag: lagOf(options.lag ?? ""),
    rateLimitPerSecond: rateOf(options.rateLimit),
    dialect: dialectOf(options.dialect ?? "spec"),
    controlPort: portOf("controlPort", options.controlPort),
    clock: options.clock ?? { now: () => Date.now() },
    validateResponses: options.validateResponses ?? false,
  };
}

function portOf(name: string, value: number | string | undefined): number {
  if (value === undefined) return 0;
  const port = Number(value);
  if (String(value).trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SimulatorOptionError(`${name} must be a port from 0 to 65535, not "${value}"`);
  }
  return port;
}

function hostOf(host: string): string {
  if (host !== "localhost" && isIP(host) === 0) {
    throw new SimulatorOptionError(`host must be an IP address or localhost, not "${host}"`);
  }
  return host;
}

function apiKeyOf(apiKey: string | undefined): string {
  if (apiKey === undefined) return newSecret();
  // The message must not show what may be a secret.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new SimulatorOptionError("apiKey must be printable, without white space");
  return apiKey;
}

function timeOf(name: string, value: string | number): number {
  const timeMs = durationMs(value);
  if (timeMs === undefined) {
    throw new SimulatorOptionError(
      `${name} must be "0" or a duration with a unit such as "100ms" or "1s", not "${value}"`,
    );
  }
  return Math.round(timeMs);
}

function latencyOf(value: string | number): number {
  const latencyMs = timeOf("latency", value);
  if (latencyMs > LONGEST_DELAY_MS) {
    throw new SimulatorOptionError(`latency must be at most ${LONGEST_DELAY}, not "${value}"`);
  }
  return latencyMs;
}

function lagOf(value: string): Lag {
  const lag = { ...noLag };
  for (const part of value === "" ? [] : value.split(",")) {
    const [kind = "", duration = "", ...rest] = part.split("=");
    const lagMs = durationMs(duration);
    if (!(`${kind}Ms` in lag) || lagMs === undefined || rest.length > 0) {
      throw new SimulatorOptionError(`lag must be such as "reads=3s,lists=15s,audit=5s", not "${value}"`);
    }
    lag[`${kind}Ms` as keyof Lag] = Math.round(lagMs);
  }
  return lag;
}

function rateOf(value: number | string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const rate = Number(value);
  if (!(rate > 0) || !Number.isFinite(rate)) {
    throw new SimulatorOptionError(`rateLimit must be a number of requests per second above 0, not "${value}"`);
  }
  return rate;
}

function dialectOf(dialect: string): Dialect {
  if (dialect === "spec" || dialect === "nirvana") return dialect;
  throw new SimulatorOptionError(`dialect must be spec or nirvana, not "${dialect}"`);
}
