import type { Api } from "../api/client";
import { urnParts } from "../engine/urn";
import { memoize } from "../definition/memoize";
import { withoutRepeats, type RowLog } from "../engine/row-log";
import { createRun, type Run, type RunOptions } from "../lifecycle/run/run";
import type { ConfigReader } from "../settings/config";
import type { CliIo } from "./io";
import type { StateResource } from "./pulumi/stack";
import { configOfProvider } from "./stack-config";

/** A run outside an engine, with the settings of the named provider, or of the stack. */
export function commandRun(
  config: ConfigReader,
  io: CliIo,
  options: Pick<RunOptions, "provider" | "journal" | "cancelled" | "client"> = {},
): Run {
  const { environment, clock } = io;
  const run = createRun({ config, environment, clock, rows: rowsOn(io), ...options });
  run.saved.noteProgram();
  return run;
}

/** Prints each warning once in a command, on stderr, and drops all other lines, which are for the rows of resources. */
const rowsOn = memoize(({ stderr }: CliIo): RowLog =>
  withoutRepeats({
    line: (_urn, severity, text) => {
      if (severity === "warning") stderr.write(`warning: ${text}\n`);
      return Promise.resolve();
    },
    status: () => undefined,
  }),
);

/**
 * Opens the API as a provider would. `provider`: the URN of an explicit one. Rejects with CommandFailure or
 * ConfigurationError.
 */
export type Connect = (provider: string | undefined) => Promise<Api>;

/** Makes a `Connect`. `secrets`: reads the state with its secrets, for the keys of explicit providers only. */
export function apiOpener(config: ConfigReader, secrets: () => Promise<readonly StateResource[]>, io: CliIo): Connect {
  return async (urn) => {
    if (urn === undefined) return commandRun(config, io).api;
    const { name: provider } = urnParts(urn);
    return commandRun(configOfProvider(await secrets(), urn), io, { provider }).api;
  };
}
