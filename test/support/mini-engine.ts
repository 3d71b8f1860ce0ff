import { isDeepStrictEqual } from "node:util";
import { asSecret } from "../../src/dynamic/engine-values";
import { sent, urnOf, type TestRun } from "./lifecycle";

type Props = Record<string, unknown>;

/** A resource as the engine's state holds it. */
export interface StateEntry {
  readonly id: string;
  readonly inputs: Props;
  readonly outs: Props;
}

/** A resource in the state of a whole stack. */
export interface KeptResource extends StateEntry {
  readonly type: string;
  readonly name: string;
  /** Replaced: to be deleted at the end of the run, or of a later one where that did not get so far. */
  readonly isReplaced: boolean;
  /** Made, but not ready: the next run updates it although nothing has changed. */
  readonly hasInitError: boolean;
}

/** A resource as a program declares it. */
export interface Declared {
  readonly type: string;
  readonly name: string;
  readonly dependsOn?: readonly string[];
  /** Its arguments, from the state of the resources it depends on. */
  args(stateOf: (name: string) => StateEntry): object;
}

export type Operation = "create" | "same" | "update" | "replace" | "delete";

/** What a run of a whole program has come to. */
export interface StackRun {
  /** What was done, by logical name. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** What failed: nothing new is begun after the first. */
  readonly failures: readonly StepFailure[];
}

/** A step that failed, with what the provider threw. */
export interface StepFailure {
  readonly name: string;
  readonly error: unknown;
}

/** What a run is told beside the program. */
export interface StackOptions {
  /** Steps that do not depend on each other run at the same time. */
  readonly isParallel?: boolean;
  /** `--target-replace`: these are replaced without being asked. */
  readonly replace?: readonly string[];
  /** After the provider has answered and before the engine has saved it: where this never resolves, the run was killed there. */
  readonly beforeSave?: () => Promise<void>;
  /** While the old and the new one of every replacement exist. */
  readonly beforeDeletes?: () => Promise<void>;
}

const MARK = Object.keys(asSecret(""))[0] ?? "";

/** What the engine sends back later: secrets arrive as plain text. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if (MARK in value && "value" in value) return plain(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/**
 * What the real engine does with a stack, as the facts of it are known: check and diff one after the other; the second check
 * of a replacement without old inputs; create before delete; the state saved after each step, so that a run that ends in
 * between leaves what it had saved. Tests in test/engine hold this to the real one.
 */
export class MiniStack {
  #saved: string;

  constructor(resources: readonly KeptResource[] = []) {
    this.#saved = JSON.stringify(resources);
  }

  /** The state as it was saved last. */
  get resources(): readonly KeptResource[] {
    return JSON.parse(this.#saved) as KeptResource[];
  }

  /** The present state of a resource. Throws where it is not in the state. */
  stateOf(name: string): StateEntry {
    const found = this.resources.find((kept) => kept.name === name && !kept.isReplaced);
    if (!found) throw new Error(`the state has no ${name}`);
    return found;
  }

  /** Makes the stack what the program says. */
  async up(run: TestRun, program: readonly Declared[], options: StackOptions = {}): Promise<StackRun> {
    const update = new Update(this, run, options);
    await update.register(program);
    if (update.failures.length === 0) await update.deleteTheRest(program);
    return update;
  }

  /** Takes over what the API shows. */
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
          this.save(kept, id === undefined ? [] : [{ ...kept, ...shown }]);
        } catch (error) {
          failures.push({ name: kept.name, error });
        }
      });
    if (isParallel === true) await Promise.all(steps.map((step) => step()));
    else for (const step of steps) await step();
    return failures;
  }

  /** Puts resources in the place of one, or after all others where that is undefined. */
  save(former: KeptResource | undefined, now: readonly KeptResource[]): void {
    const { resources } = this;
    const at = former ? resources.findIndex((kept) => isDeepStrictEqual(kept, former)) : resources.length;
    this.#saved = JSON.stringify(resources.toSpliced(at, former ? 1 : 0, ...now));
  }
}

/** One update under way. */
class Update implements StackRun {
  readonly operations = new Map<string, Operation>();
  readonly failures: StepFailure[] = [];

  constructor(
    private readonly stack: MiniStack,
    private readonly run: TestRun,
    private readonly options: StackOptions,
  ) {}

  /** Creates, updates and replaces, each resource when what it depends on is done. */
  async register(program: readonly Declared[]): Promise<void> {
    const steps = new Map<string, Promise<unknown>>();
    for (const declared of program) {
      await Promise.all((declared.dependsOn ?? []).map((name) => steps.get(name) ?? Promise.resolve()));
      if (this.failures.length > 0) break;
      const step = await this.#attempt(declared.name, () => this.#plan(declared));
      if (!step) break;
      const done = this.#attempt(declared.name, step);
      steps.set(declared.name, done);
      if (this.options.isParallel !== true) await done;
    }
    await Promise.all(steps.values());
  }

  /** Deletes what was replaced and what the program has no more, the latest first. */
  async deleteTheRest(program: readonly Declared[]): Promise<void> {
    await this.options.beforeDeletes?.();
    const isDeclared = new Set(program.map(({ name }) => name));
    const rest = this.stack.resources.filter(({ name, isReplaced }) => isReplaced || !isDeclared.has(name));
    for (const kept of rest.reverse()) {
      await this.#attempt(kept.name, async () => {
        await this.run.of(kept.type).delete(kept.id, kept.outs);
        if (!isDeclared.has(kept.name)) this.operations.set(kept.name, "delete");
        await this.#save(kept, []);
      });
      if (this.failures.length > 0) return;
    }
  }

  /** Check and diff, which the engine does for one resource at a time; then the step that is to be done. */
  async #plan(declared: Declared): Promise<() => Promise<void>> {
    const { type, name } = declared;
    const lifecycle = this.run.of(type);
    const current = this.stack.resources.find((kept) => kept.name === name && !kept.isReplaced);
    const news = sent(
      type,
      name,
      declared.args((of) => this.stack.stateOf(of)),
      false,
    );
    const checked = async (olds: Props): Promise<Props> => {
      const { inputs, failures } = await lifecycle.check(olds, news);
      if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
      return { ...inputs, __provider: "loader" };
    };
    if (!current) return this.#creation(declared, await checked({}), undefined);
    if (this.options.replace?.includes(name)) return this.#creation(declared, await checked({}), current);
    const inputs = await checked(current.inputs);
    const diff = await lifecycle.diff(current.id, current.outs, inputs);
    if (diff.changes ?? !isDeepStrictEqual(current.inputs, inputs)) {
      if ((diff.replaces ?? []).length > 0) return this.#creation(declared, await checked({}), current);
    } else if (!current.hasInitError) {
      this.operations.set(name, "same");
      this.stack.save(current, [{ ...current, inputs }]);
      return () => Promise.resolve();
    }
    return async () => {
      const { outs } = await lifecycle.update(current.id, current.outs, inputs);
      this.operations.set(name, "update");
      await this.#save(current, [{ ...current, inputs, outs: plain(outs) as Props, hasInitError: false }]);
    };
  }

  #creation({ type, name }: Declared, inputs: Props, current: KeptResource | undefined): () => Promise<void> {
    const old = current ? [{ ...current, isReplaced: true }] : [];
    const made = { type, name, inputs, isReplaced: false };
    return async () => {
      try {
        const { id, outs } = await this.run.of(type).create(inputs);
        this.operations.set(name, current ? "replace" : "create");
        await this.#save(current, [{ ...made, id, outs: plain(outs) as Props, hasInitError: false }, ...old]);
      } catch (error) {
        const { id, properties } = error as { readonly id?: string; readonly properties?: Props };
        if (id !== undefined) {
          await this.#save(current, [{ ...made, id, outs: plain(properties) as Props, hasInitError: true }, ...old]);
        }
        throw error;
      }
    };
  }

  async #attempt<T>(name: string, step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      this.failures.push({ name, error });
      return undefined;
    }
  }

  async #save(former: KeptResource | undefined, now: readonly KeptResource[]): Promise<void> {
    await this.options.beforeSave?.();
    this.stack.save(former, now);
  }
}

/** What one run has done with a single resource. */
export interface Outcome {
  readonly operation: Operation;
  readonly state: StateEntry;
  /** The text of its lines. */
  readonly lines: string[];
}

/** An update of a stack with one resource. Rejects with what its step failed with. */
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
