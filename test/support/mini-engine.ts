import { isDeepStrictEqual } from "node:util";
import { urnOf, type TestRun } from "./lifecycle";
import {
  plain,
  type Declaration,
  type KeptResource,
  type Operation,
  type Props,
  type StackOptions,
  type StackRun,
  type StateEntry,
  type StepFailure,
} from "./mini-state";
import { Update } from "./mini-update";

/**
 * Imitates the real engine's treatment of a stack: check and diff in sequence; the second check of a replacement
 * without old inputs; create before delete, unless diff asks for the reverse; the state saved after each step, so that
 * an interrupted run leaves what was saved. Tests in test/engine compare this with the real engine.
 */
export class MiniStack {
  #saved: string;

  constructor(resources: readonly KeptResource[] = []) {
    this.#saved = JSON.stringify(resources);
  }

  /** The last saved state. */
  get resources(): readonly KeptResource[] {
    return JSON.parse(this.#saved) as KeptResource[];
  }

  /** The current state of a resource. Throws if the state does not have it. */
  stateOf(name: string): StateEntry {
    const found = this.resources.find((kept) => kept.name === name && !kept.isReplaced);
    if (!found) throw new Error(`the state has no ${name}`);
    return found;
  }

  /** Deploys the program. */
  async up(run: TestRun, program: readonly Declaration[], options: StackOptions = {}): Promise<StackRun> {
    const update = new Update(this, run, options);
    await update.register(program);
    if (update.failures.length === 0) await update.deleteTheRest(program);
    return update;
  }

  /** Refreshes the state from the API. */
  async refresh(
    run: TestRun,
    { isParallel, beforeSave }: Pick<StackOptions, "isParallel" | "beforeSave"> = {},
  ): Promise<readonly StepFailure[]> {
    const failures: StepFailure[] = [];
    const steps = this.resources
      .filter(({ isReplaced }) => !isReplaced)
      .map((kept) => async (): Promise<void> => {
        try {
          const { id, props, inputs } = await run.of(kept.type).read(kept.id, kept.outs);
          const __provider = kept.outs["__provider"]; // the plugin puts it back
          const shown = {
            outs: { ...(plain(props) as Props), __provider },
            inputs: { ...(plain(inputs) as Props), __provider },
          };
          await beforeSave?.();
          this.save(kept, id === undefined ? [] : [{ ...kept, ...shown, hasInitError: false }]);
        } catch (error) {
          failures.push({ name: kept.name, error });
        }
      });
    if (isParallel === true) await Promise.all(steps.map((step) => step()));
    else for (const step of steps) await step();
    return failures;
  }

  /** Replaces one resource by others, or appends them if there is none to replace. */
  save(former: KeptResource | undefined, now: readonly KeptResource[]): void {
    const { resources } = this;
    const at = former ? resources.findIndex((kept) => isDeepStrictEqual(kept, former)) : resources.length;
    this.#saved = JSON.stringify(resources.toSpliced(at, former ? 1 : 0, ...now));
  }
}

/** The result of a run for a single resource. */
export interface Outcome {
  readonly operation: Operation;
  readonly state: StateEntry;
  /** The text of its lines. */
  readonly lines: string[];
}

/** An update of a stack with one resource. Rejects with the error of its step. */
export async function up(
  run: TestRun,
  type: string,
  args: object,
  current: StateEntry | undefined,
  { name = "x", between }: { readonly name?: string; readonly between?: (state: StateEntry) => Promise<void> } = {},
): Promise<Outcome> {
  const kept = current && { ...current, type, name, isReplaced: false, hasInitError: false };
  const stack = new MiniStack(kept ? [kept] : []);
  const before = run.lines.length;
  const { operations, failures } = await stack.up(run, [{ type, name, args: () => args }], {
    beforeDeletes: async () => {
      if (stack.resources.length > 1) await between?.(stack.stateOf(name));
    },
  });
  if (failures[0]) throw failures[0].error;
  const lines = run.lines.slice(before).flatMap(({ urn, text }) => (urn === urnOf(type, name) ? [text] : []));
  return { operation: operations.get(name) ?? "same", state: stack.stateOf(name), lines };
}
