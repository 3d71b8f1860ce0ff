import { asSecret } from "../../src/dynamic/engine-values";
import { sent, urnOf, type TestRun } from "./lifecycle";

type Props = Record<string, unknown>;

/** A resource as the engine's state holds it. */
export interface StateEntry {
  readonly id: string;
  readonly inputs: Props;
  readonly outs: Props;
}

/** What one run has done with a resource. */
export interface Outcome {
  readonly operation: "create" | "same" | "update" | "replace";
  readonly state: StateEntry;
  /** The text of its lines. */
  readonly lines: string[];
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
 * What the real engine does with one resource in an update, as the facts of it are known: check, diff, the second check of
 * a replacement without old inputs, create before delete. Tests in test/engine hold this to the real one.
 */
export async function up(
  run: TestRun,
  type: string,
  args: object,
  current: StateEntry | undefined,
  { name = "x", between }: { readonly name?: string; readonly between?: (state: StateEntry) => Promise<void> } = {},
): Promise<Outcome> {
  const lifecycle = run.of(type);
  const news = sent(type, name, args, false);
  const before = run.lines.length;
  const told = (): string[] =>
    run.lines.slice(before).flatMap(({ urn, text }) => (urn === urnOf(type, name) ? [text] : []));
  const checked = async (olds: Props): Promise<Props> => {
    const { inputs, failures } = await lifecycle.check(olds, news);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
    return { ...inputs, __provider: "loader" };
  };
  const created = async (inputs: Props): Promise<StateEntry> => {
    const { id, outs } = await lifecycle.create(inputs);
    return { id, inputs, outs: plain(outs) as Props };
  };

  if (!current) {
    const state = await created(await checked({}));
    return { operation: "create", state, lines: told() };
  }
  const inputs = await checked(current.inputs);
  const diff = await lifecycle.diff(current.id, current.outs, inputs);
  if (diff.changes === false) return { operation: "same", state: { ...current, inputs }, lines: told() };
  if ((diff.replaces ?? []).length > 0) {
    const state = await created(await checked({}));
    await between?.(state);
    await lifecycle.delete(current.id, current.outs);
    return { operation: "replace", state, lines: told() };
  }
  const { outs } = await lifecycle.update(current.id, current.outs, inputs);
  return { operation: "update", state: { id: current.id, inputs, outs: plain(outs) as Props }, lines: told() };
}
