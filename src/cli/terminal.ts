import type { CliIo } from "./io";

/** Whether a report goes without colours and symbols: those are for terminals, and for people who have not declined them. */
export function isPlain({ stdout, environment }: CliIo): boolean {
  return stdout.isTTY !== true || isSet(environment["NO_COLOR"]) || isSet(environment["CI"]);
}

/** Whether a line on stderr can be rewritten: on a terminal, and not where its text is kept in a log. */
export function rewritesLines({ stderr, environment }: Pick<CliIo, "stderr" | "environment">): boolean {
  return stderr.isTTY === true && !isSet(environment["CI"]);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
