import type { Definition } from "./definition";
import type { Finding, Props, RuleContext } from "./rules";

/** What the API only lets grow must not shrink, unless a new object takes the old one's place. */
export function growthFindings({ inputs, noun }: Definition, values: Props, context: RuleContext<Props>): Finding[] {
  if (context.isReplacement) return [];
  const present = context.previous ?? context.adopted;
  const findings: Finding[] = [];
  for (const [name, { growsOnly }] of Object.entries(inputs)) {
    const [before, after] = [present?.[name], values[name]];
    if (growsOnly !== true || typeof before !== "number" || typeof after !== "number" || after >= before) continue;
    findings.push({
      severity: "failure",
      field: name,
      reason: `cannot become smaller: the ${noun} has ${before}, and the program says ${after}. Say ${before} or more, or make another ${noun}`,
    });
  }
  return findings;
}
