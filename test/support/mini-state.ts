import { asSecret } from "../../src/engine/values";

/** Properties as the engine and the provider exchange them. */
export type Props = Record<string, unknown>;

/** A resource in the engine's state. */
export interface StateEntry {
  readonly id: string;
  readonly inputs: Props;
  readonly outs: Props;
}

/** A resource in the state of a whole stack. */
export interface KeptResource extends StateEntry {
  readonly type: string;
  readonly name: string;
  /** Replaced. It is deleted at the end of this run, or of a later one. */
  readonly isReplaced: boolean;
  /** Created but not ready: the next run updates it although nothing has changed. */
  readonly hasInitError: boolean;
}

/** A resource as a program declares it. */
export interface Declaration {
  readonly type: string;
  readonly name: string;
  readonly dependsOn?: readonly string[];
  /** Its arguments, derived from the state of its dependencies. */
  args(stateOf: (name: string) => StateEntry): object;
}

export type Operation = "create" | "same" | "update" | "replace" | "delete";

/** The result of a run of a complete program. */
export interface StackRun {
  /** The operations, by logical name. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The failures. After the first, nothing new is begun. */
  readonly failures: readonly StepFailure[];
  /** The messages of the failures. */
  readonly messages: readonly string[];
}

/** A step that failed, with what the provider threw. */
export interface StepFailure {
  readonly name: string;
  readonly error: unknown;
}

/** The options of a run. */
export interface StackOptions {
  /** The stack's name, if it differs. */
  readonly stack?: string;
  /** Runs independent steps at the same time. */
  readonly isParallel?: boolean;
  /** `--target-replace`: the resources to replace in any case. */
  readonly replace?: readonly string[];
  /**
   * Called after the provider has answered and before the engine has saved the answer. If it never resolves, the run
   * was killed there.
   */
  readonly beforeSave?: () => Promise<void>;
  /** Called while the old and the new object of every replacement exist. */
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
