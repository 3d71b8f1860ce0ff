import { writeFileSync } from "node:fs";
import { join } from "node:path";
export type Inputs = Readonly<Record<string, unknown>>;
/** A side of a step: a monthly amount stands for a quote of one dimension, an object for the inputs. */
type Side = string | Inputs;
/** A step of `pulumi preview --json`. */
export type Step = Record<string, unknown>;

/** The members of a step besides its operation. */
export interface StepParts {
  readonly before?: Side;
  readonly after?: Side;
  readonly type?: string;
  readonly stack?: string;
  readonly project?: string;
  /** Members of both states, such as `retainOnDelete`. */
  readonly state?: Inputs;
}

/** The engine's name for a resource type of this package. */
export function urnOf(
  name: string,
  { type = "ConnectConnection", stack = "dev", project = "test" }: StepParts = {},
): string {
  return `urn:pulumi:${stack}::${project}::pulumi-nodejs:dynamic/cloudinfra:${type}::${name}`;
}

/** A quote as the inputs have it. */
export function costInput(monthlyTotal: string, quantity = 50): Record<string, unknown> {
  const amounts = { quantity, unitPrice: "1.5625", monthlyAmount: monthlyTotal };
  const usageDimensions = [{ dimension: "mbps", displayName: "Bandwidth (Mbps)", ...amounts }];
  return { currency: "USD", monthlyTotal, usageDimensions };
}

/** A step with these states. */
export function step(op: string, name: string, parts: StepParts = {}): Step {
  const urn = urnOf(name, parts);
  const state = (side: Side): Record<string, unknown> => ({
    urn,
    custom: true,
    id: "made",
    type: urn.split("::")[2],
    inputs: typeof side === "string" ? { cost: costInput(side) } : side,
    ...parts.state,
  });
  return {
    op,
    urn,
    ...(parts.before !== undefined && { oldState: state(parts.before) }),
    ...(parts.after !== undefined && { newState: state(parts.after) }),
  };
}

/** The output of `pulumi preview --json --show-sames`. */
export function previewJson(steps: readonly Step[], more: Inputs = {}): string {
  const summary: Record<string, number> = {};
  for (const { op } of steps) summary[String(op)] = (summary[String(op)] ?? 0) + 1;
  return JSON.stringify({ steps, duration: 1, changeSummary: summary, ...more }, undefined, 4);
}

/** A diagnostic with the severity that fails a preview. */
export function errorOf(message: string, urn?: string): Record<string, unknown> {
  return { ...(urn !== undefined && { urn }), message, severity: "error" };
}

/** Writes previews to files in a folder. Returns the flags that name them. */
export function previewFlags(folder: string, previews: readonly string[]): readonly string[] {
  return previews.flatMap((text, nth) => {
    writeFileSync(join(folder, `${nth}.json`), text);
    return ["--preview", `${nth}.json`];
  });
}
