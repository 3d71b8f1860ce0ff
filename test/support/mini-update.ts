import { containsUnknown } from "../../src/engine/values";
import { isDeepStrictEqual } from "node:util";
import { sent, type TestRun } from "./lifecycle";
import type { MiniStack } from "./mini-engine";
import {
  plain,
  type Declaration,
  type KeptResource,
  type Operation,
  type Props,
  type StackOptions,
  type StackRun,
  type StepFailure,
} from "./mini-state";

/** One update of a {@link MiniStack} in progress. */
export class Update implements StackRun {
  readonly operations = new Map<string, Operation>();
  readonly failures: StepFailure[] = [];

  constructor(
    private readonly stack: MiniStack,
    private readonly run: TestRun,
    private readonly options: StackOptions,
  ) {}

  get messages(): readonly string[] {
    return this.failures.map(({ error }) => (error as Error).message);
  }

  /** Creates, updates and replaces each resource once its dependencies are done. */
  async register(program: readonly Declaration[]): Promise<void> {
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

  /** Deletes replaced resources, and those that the program no longer has, in reverse order. */
  async deleteTheRest(program: readonly Declaration[]): Promise<void> {
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

  /** Runs check and diff, one resource at a time. Returns the step to do. */
  async #plan(declared: Declaration): Promise<() => Promise<void>> {
    const { type, name } = declared;
    const lifecycle = this.run.of(type);
    const current = this.stack.resources.find((kept) => kept.name === name && !kept.isReplaced);
    const news = sent(
      type,
      name,
      declared.args((of) => this.stack.stateOf(of)),
      false,
      this.options.stack,
    );
    const checked = async (olds: Props): Promise<Props> => {
      const { inputs, failures } = await lifecycle.check(olds, news);
      // The engine reads the inputs before the failures.
      if (containsUnknown(inputs) && !containsUnknown(news)) throw new Error("unexpected unknown property value");
      if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
      return { ...inputs, __provider: "loader" };
    };
    if (!current) return this.#creation(declared, await checked({}), undefined);
    if (this.options.replace?.includes(name)) return this.#creation(declared, await checked({}), current);
    const inputs = await checked(current.inputs);
    const diff = await lifecycle.diff(current.id, current.outs, inputs);
    if (diff.changes ?? !isDeepStrictEqual(current.inputs, inputs)) {
      if ((diff.replaces ?? []).length > 0) {
        const news = await checked({});
        if (diff.deleteBeforeReplace !== true) return this.#creation(declared, news, current);
        return async () => {
          await lifecycle.delete(current.id, current.outs);
          await this.#save(current, []);
          await this.#creation(declared, news, undefined)();
          this.operations.set(name, "replace");
        };
      }
    } else if (!current.hasInitError) {
      this.operations.set(name, "same");
      this.stack.save(current, [{ ...current, inputs }]);
      return () => Promise.resolve();
    }
    return async () => {
      try {
        const { outs } = await lifecycle.update(current.id, current.outs, inputs);
        this.operations.set(name, "update");
        await this.#save(current, [{ ...current, inputs, outs: plain(outs) as Props, hasInitError: false }]);
      } catch (error) {
        const { id, properties } = error as { readonly id?: string; readonly properties?: Props };
        if (id !== undefined) {
          // The engine keeps the inputs of the last update that succeeded.
          await this.#save(current, [{ ...current, outs: plain(properties) as Props, hasInitError: true }]);
        }
        throw error;
      }
    };
  }

  #creation({ type, name }: Declaration, inputs: Props, current: KeptResource | undefined): () => Promise<void> {
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
