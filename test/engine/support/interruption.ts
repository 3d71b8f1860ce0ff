import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PulumiResult } from "../../../tools/pulumi/stack.cjs";
import type { JournalEntry } from "../../../src/journal/entry";
import { holdBefore } from "../../support/proxy/actions";
import { requests } from "../../support/proxy/exchange";
import type { Stage } from "../fronts/stage";
import type { Session } from "./session";

const LOOK_AGAIN_MS = 50;
const DEADLINE_MS = 60_000;

/** Waits until a condition is true. Gives up after a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (Date.now() > endsAt) throw new Error("it never came to it");
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** Runs an update, and signals it at the given moment. Resolves with the output of the CLI. */
export async function interruptedUp(
  session: Session,
  moment: () => boolean | Promise<boolean>,
  signals: readonly NodeJS.Signals[],
): Promise<PulumiResult> {
  let output = "";
  const args = ["up", "--yes", "--non-interactive", "--skip-preview"];
  const running = session.stack.pulumi(args, { onOutput: (text) => void (output += text) });
  await until(moment);
  for (const [index, signal] of signals.entries()) {
    // The engine takes two signals for one if they come together.
    await until(() => output.split("^C received").length > index);
    session.stack.child?.kill(signal);
  }
  return running;
}

/** Runs an update, and kills its CLI at the given moment. */
export async function killedUp(session: Session, moment: () => boolean | Promise<boolean>): Promise<PulumiResult> {
  const result = await interruptedUp(session, moment, ["SIGKILL"]);
  // The plugin ends by itself. Until then, its creation is in progress.
  await until(() => openEntries(session).every(({ sender }) => !isRunning(sender.pid)));
  return result;
}

/** Runs an update, and kills its CLI as soon as the API has an object. The answer to the creation must be slow. */
export function killedAtFirstObject(session: Session): Promise<PulumiResult> {
  return killedUp(session, async () => (await session.api.heldIds()).length > 0);
}

/** Runs an update, and kills its CLI when the API has answered with an id, before its operation is known to be done. */
export async function killedAtWait(stage: Stage, ...statements: readonly string[]): Promise<string> {
  const { session, proxy } = stage;
  stage.write(...statements);
  proxy.on(requests.operations, holdBefore(new Promise(() => undefined)));
  const { output } = await killedUp(session, () => proxy.count(requests.operations) > 0);
  proxy.clear();
  session.cancel();
  return output;
}

/** The open entries of the journal in the stack's own state folder. */
export function openEntries({ stack }: Session): JournalEntry[] {
  const folder = join(stack.folder, "xdg-state", "pulumi-cloudinfra", "journal");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as JournalEntry);
}

/**
 * Expects that the API has these objects besides those of the state, and that a run has named each and deleted none.
 * Their entries stay until a person decides.
 */
export async function namedBeside(session: Session, output: string): Promise<readonly string[]> {
  const kept = session.kept().map(({ id }) => id);
  const held = await session.api.heldIds();
  expect(held).toEqual(expect.arrayContaining(kept));
  const beside = held.filter((id) => !kept.includes(id));
  for (const id of beside) expect(output).toContain(`run \`cloudinfra doctor --delete ${id}\``);
  const superseded = openEntries(session).filter(({ isSuperseded, id }) => isSuperseded && id !== undefined);
  expect(superseded.map(({ id }) => id).sort()).toEqual(beside);
  return beside;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
