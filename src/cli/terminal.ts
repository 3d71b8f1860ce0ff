import type { CliIo } from "./io";

/** Whether a report goes without colours and symbols: those are for terminals, and for people who have not declined them. */
export function isPlain({ stdout, environment }: CliIo): boolean {
  return stdout.isTTY !== true || isSet(environment["NO_COLOR"]) || isSet(environment["CI"]);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
