import { unnamedParts } from "../../definition/parts";
import { containsUnknown } from "../../engine/values";
import type { Props } from "../kind/kind";
import type { ObjectRun } from "../objects/resource-call";
import type { Proposal } from "../pricing/quote-of-creation";

/** Notes the parts of an object to adopt that the program does not name. Another resource may have them. */
export function noteUnnamedParts({ kind, run, urn, inputs: given }: Proposal<ObjectRun>, wire: Props): void {
  for (const { field, part, id, name } of unnamedParts(kind, wire, given)) {
    if (containsUnknown(given[field])) continue;
    const text =
      `${field}: does not list ${part.of.noun} ${JSON.stringify(name)} (${id}) of the ${kind.noun} to adopt. If no other resource manages it, add ` +
      `it: without it the cost is incomplete, and the API may delete it with the ${kind.noun}`;
    run.memory.objects.noteHere(id, { unnamed: { urn, text } });
  }
}

/** Called once, at the end of the run. Only then is it known which of these parts other resources have. */
export async function warnOfUnnamedParts({ memory, rows }: Pick<ObjectRun, "memory" | "rows">): Promise<void> {
  for (const { urn, text } of memory.objects.unnamed()) await rows.line(urn, "warning", text);
}
