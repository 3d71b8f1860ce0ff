import { documentOf, type ShownReport } from "../../cli/cost-schema";
import type { CommandResult } from "./command";

/** The report of `cloudinfra cost --format json` on the only stack. */
export const reportOf = (result: CommandResult): ShownReport => documentOf(result).stacks[0]!;

/** Each resource as `create 0 78.125`, by its name. */
export function changesOf({ resources }: ShownReport): Record<string, string> {
  return Object.fromEntries(
    resources.map(({ name, operation, before, after }) => [
      name,
      [operation, before, after].map((text) => String(text)).join(" "),
    ]),
  );
}
