import type { CliIo } from "./io";

/** Whether a report has no colours and symbols. They are for terminals only, and a user may switch them off. */
export function isPlain({ stdout, environment }: CliIo): boolean {
  return stdout.isTTY !== true || isSet(environment["NO_COLOR"]) || isSet(environment["CI"]);
}

/** Whether a line on stderr can be rewritten: on a terminal, and not if a log keeps the text. */
export function rewritesLines({ stderr, environment }: Pick<CliIo, "stderr" | "environment">): boolean {
  return stderr.isTTY === true && !isSet(environment["CI"]);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
