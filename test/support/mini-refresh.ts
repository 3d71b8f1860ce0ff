import { isDeepStrictEqual } from "node:util";
import { sent, type TestRun } from "./lifecycle";
import { MiniStack } from "./mini-engine";
import type { StateEntry } from "./mini-state";

/**
 * Refreshes a stack with one resource. Undefined if the object no longer exists. Rejects with the error of the refresh.
 */
export async function refresh(
  run: TestRun,
  type: string,
  current: StateEntry,
  { name = "x" }: { readonly name?: string } = {},
): Promise<StateEntry | undefined> {
  const stack = new MiniStack([{ ...current, type, name, isReplaced: false, hasInitError: false }]);
  const [failure] = await stack.refresh(run);
  if (failure) throw failure.error;
  return stack.resources.length > 0 ? stack.stateOf(name) : undefined;
}

/** The preview of one existing resource. */
export interface PreviewOutcome {
  readonly operation: "same" | "update" | "replace";
  /** The inputs that the engine shows as changed, because it compares old and new ones itself. */
  readonly fields: string[];
}

/** Imitates what the real engine does with a resource in a preview. */
export async function preview(
  run: TestRun,
  type: string,
  args: object,
  current: StateEntry,
  { name = "x" }: { readonly name?: string } = {},
): Promise<PreviewOutcome> {
  const lifecycle = run.of(type);
  const { inputs, failures } = await lifecycle.check(current.inputs, sent(type, name, args));
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
  const news: Record<string, unknown> = { ...inputs, __provider: "loader" };
  const { changes, replaces = [] } = await lifecycle.diff(current.id, current.outs, news);
  const all = new Set([...Object.keys(current.inputs), ...Object.keys(news)]);
  const fields = [...all].filter((field) => !isDeepStrictEqual(current.inputs[field], news[field])).sort();
  if (changes === false || (changes === undefined && fields.length === 0)) return { operation: "same", fields: [] };
  if (replaces.length === 0) return { operation: "update", fields };
  await lifecycle.check({}, sent(type, name, args)); // of the new object
  return { operation: "replace", fields };
}
