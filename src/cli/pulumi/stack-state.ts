import { CommandFailure } from "../command-failure";
import { readInput } from "../input";
import type { CliIo } from "../io";
import { askPulumi, isNoneSelected, type PulumiTarget } from "./command";

/**
 * A resource in the output of `pulumi stack export`. Values of the program or the service may have any type, including
 * secrets.
 */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** The URN of the component that it is part of. */
  readonly parent?: string;
  /** The provider, as `<urn>::<id>`. */
  readonly provider?: string;
  /** Whether it was replaced, and waits for its deletion. */
  readonly delete?: boolean;
  /** Whether it is only read, and not managed. */
  readonly external?: boolean;
}

/** The resources of a stack, from Pulumi. Secrets stay encrypted, unless a flag says otherwise. Rejects with CommandFailure. */
export async function exportStack(
  target: PulumiTarget,
  flags: readonly "--show-secrets"[] = [],
): Promise<readonly StateResource[]> {
  const exported = await askPulumi(["stack", "export", ...flags], target);
  switch (exported.status) {
    case "done":
      return resourcesOf(exported.stdout, "The output of pulumi stack export");
    case "no project":
      throw new CommandFailure(noProjectText(target.cwd, "give a state with --state"));
    case "no pulumi":
      throw new CommandFailure("pulumi is not on PATH. Install it, or give a state with --state.");
    case "failed":
      throw new CommandFailure(
        isNoneSelected(target, exported.reason)
          ? "No stack is selected. Name one with --stack, or select one with `pulumi stack select`."
          : `The state of ${stackName(target)} cannot be read: ${exported.reason}.`,
      );
  }
}

/** The resources in a file of `pulumi stack export`, or in standard input for `-`. Rejects with CommandFailure. */
export async function readExportedStack(file: string, io: CliIo): Promise<readonly StateResource[]> {
  const { text, source } = await readInput(file, io);
  return resourcesOf(text, source);
}

export function noProjectText(folder: string, otherwise: string): string {
  return `There is no Pulumi project in ${folder} or above it. Run this in the project's folder, or ${otherwise}.`;
}

/** The stack in words for people. */
export function stackName({ stack }: Pick<PulumiTarget, "stack">): string {
  return stack === undefined ? "the selected stack" : `the stack ${stack}`;
}

function resourcesOf(json: string, source: string): readonly StateResource[] {
  let state: { deployment?: { resources?: readonly StateResource[] | null } | null } | null;
  try {
    state = JSON.parse(json) as typeof state;
  } catch {
    // Without the parser's words, because they quote the text.
    throw new CommandFailure(`${source} is not JSON. A state is what \`pulumi stack export\` prints.`);
  }
  const deployment = state?.deployment;
  if (deployment === null) return []; // no run has updated the stack
  const resources = deployment?.resources ?? []; // null if there are none
  if (!deployment || !(resources instanceof Array)) {
    throw new CommandFailure(`${source} holds no state. A state is what \`pulumi stack export\` prints.`);
  }
  return resources;
}
