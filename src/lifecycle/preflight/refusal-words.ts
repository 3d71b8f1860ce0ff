import { specName } from "../../api/dialect";
import type { Refusal, Unpriced } from "../../cost/cost";
import { refusedReason } from "../../cost/quoter";
import type { Props, ResourceKind } from "../kind";
import type { Run } from "../run";

/** The API's objections to a proposal, with the program's names. The API's own words stay as they are. */
export function refusalWords(kind: ResourceKind, run: Run, inputs: Props, refusal: Refusal): string {
  const { words, isAboutPath, faults } = refusal;
  const holder = kind.place.find((field) => isAboutPath && typeof inputs[field] === "string");
  if (holder !== undefined) return `${holder}: the API has nothing with the id ${String(inputs[holder])} (${words})`;
  if (faults.length === 0) return words;
  return faults.map(({ member, reason }) => `${fieldOf(kind, run, member)}: ${reason}`).join("; ");
}

/** The inputs that a refusal names. */
export function refusedFields(kind: ResourceKind, run: Run, { faults }: Refusal): readonly string[] {
  return faults.map(({ member }) => fieldOf(kind, run, member).split(/[.[]/)[0] ?? "");
}

/** An unpriced quote with its reason in the program's words. */
export function inProgramsWords(kind: ResourceKind, run: Run, inputs: Props, quote: Unpriced): Unpriced {
  if (quote.status !== "unknown" || quote.refusal === undefined) return quote;
  return { ...quote, reason: refusedReason(refusalWords(kind, run, inputs, quote.refusal)) };
}

function fieldOf(kind: ResourceKind, run: Run, member: string): string {
  return kind.inputName(specName(run.settings.dialect, member));
}
