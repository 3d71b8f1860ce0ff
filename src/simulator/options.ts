import { isIP } from "node:net";
import { z } from "zod";
import { newSecret } from "./model/callers";
import type { Dialect } from "./model/catalogs";
import type { BaseClock } from "./model/time";
import { delay, duration, lag, MAX_DELAY } from "./schemas/durations";

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

const port = z
  .union([z.int(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.int().min(0).max(65_535))
  .default(0);
const portRule = "a port from 0 to 65535";
const durationRule = '"0" or a duration with a unit such as "100ms" or "1s"';

/** Reads the options. Throws a SimulatorOptionError for the first invalid one. */
export function readOptions(options: SimulatorOptions) {
  const read = <T>(name: Exclude<keyof SimulatorOptions, "clock">, schema: z.ZodType<T>, rule: string): T => {
    const value = schema.safeParse(options[name]);
    if (value.success) return value.data;
    throw new SimulatorOptionError(`${name} must be ${rule}, not "${String(options[name])}"`);
  };
  read("latency", duration.optional(), durationRule); // no duration at all: the rule below is only for long ones
  return {
    port: read("port", port, portRule),
    host: read("host", z.string().refine(isHost).default("127.0.0.1"), "an IP address or localhost"),
    apiKey: apiKeyOf(options.apiKey ?? newSecret()),
    operationTimeMs: read("operationTime", duration.default(100), durationRule),
    latencyMs: read("latency", delay.default(0), `at most ${MAX_DELAY}`),
    lag: read("lag", z.preprocess(lagMembers, lag), 'such as "reads=3s,lists=15s,audit=5s"'),
    rateLimitPerSecond: read(
      "rateLimit",
      z.coerce.number().positive().optional(),
      "a number of requests per second above 0",
    ),
    dialect: read("dialect", z.enum(["spec", "nirvana"]).default("spec"), "spec or nirvana"),
    controlPort: read("controlPort", port, portRule),
    clock: options.clock ?? ({ now: () => Date.now() } satisfies BaseClock),
    validateResponses: options.validateResponses ?? false,
  };
}

/** `reads=3s,lists=15s` as an object. */
function lagMembers(text: unknown): unknown {
  if (typeof text !== "string") return text ?? {};
  const parts = text === "" ? [] : text.split(",").map((part) => part.split(/=(.*)/s));
  return Object.fromEntries(parts.map(([kind = "", time = ""]) => [kind, time]));
}

function isHost(text: string): boolean {
  return text === "localhost" || isIP(text) !== 0;
}

function apiKeyOf(apiKey: string): string {
  // The value may be a secret, so the message must not show it.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new SimulatorOptionError("apiKey must be printable, without white space");
  return apiKey;
}
