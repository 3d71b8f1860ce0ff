import { asSecret } from "../../src/engine/values";

/** Properties as the engine and the provider hand them to each other. */
export type Props = Record<string, unknown>;

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
  /** Replaced: it is deleted at the end of this run, or of a later one. */
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

/** The result of a run of a whole program. */
export interface StackRun {
  /** The operations, by logical name. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** What failed: nothing new is begun after the first. */
  readonly failures: readonly StepFailure[];
}

/** A step that failed, with what the provider threw. */
export interface StepFailure {
  readonly name: string;
  readonly error: unknown;
}

/** The options of a run. */
export interface StackOptions {
  /** The stack's name, if it has another one. */
  readonly stack?: string;
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
