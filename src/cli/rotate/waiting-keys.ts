import type { Api } from "../../api/client";
import { retirement, type Retirement } from "../../lifecycle/credential/retirement";
import { usesOf } from "../../lifecycle/credential/key-uses";
import { secondText } from "../../process/utc";
import { printable } from "../../text/terminal-text";
import { withProgress, type CliIo } from "../io";
import { oncePerId, type StackKey, type WaitingStackKey } from "./stack-keys";

/** A replaced key that waits for its clients, and the decision of the next run. */
export interface CheckedWaitingKey extends WaitingStackKey, Pick<StackKey, "urn" | "name"> {
  readonly verdict: Retirement;
}

/**
 * Decides about waiting keys as the next run would. Leaves out keys that the provider signs in with: those also wait until it signs in
 * with the successor. Rejects with a CloudinfraError.
 */
export async function checkWaiting(
  api: Api,
  keys: readonly StackKey[],
  now: number,
): Promise<readonly CheckedWaitingKey[]> {
  const all = keys.flatMap(({ urn, name, waiting }) => waiting.map((key) => ({ ...key, urn, name })));
  const waiting = oncePerId(all).filter(({ isOwn }) => !isOwn);
  const uses = await usesOf(api, waiting);
  return waiting.map((key) => ({ ...key, verdict: retirement(key.rule, key, uses(key.id), now) }));
}

/** The waiting keys at a time, by the API's clock in epoch milliseconds. */
export interface WaitingNow {
  readonly now: number;
  readonly waiting: readonly CheckedWaitingKey[];
}

const LONGEST_PAUSE_MS = 60_000;
const SHORTEST_PAUSE_MS = 5_000;

/**
 * Polls until no replaced key waits any longer, or until none can become quiet within the time. `ask` resolves with undefined after an
 * error.
 */
export async function waitUntilQuiet(
  ask: () => Promise<WaitingNow | undefined>,
  waitMs: number,
  io: CliIo,
): Promise<void> {
  const { clock } = io;
  const endsAt = clock.now() + waitMs;
  for (;;) {
    const found = await ask();
    const late = found?.waiting.filter(({ verdict }) => !verdict.isDue) ?? [];
    if (!found || late.length === 0) return;
    const latest = Math.max(...late.map(({ verdict }) => verdict.earliest));
    const earliestMs = latest - found.now;
    const leftMs = endsAt - clock.now();
    if (leftMs <= 0 || earliestMs > leftMs) return;
    const names = [...new Set(late.map(({ name }) => printable(name)))].join(", ");
    const text = `Waiting for the replaced keys of ${names}, which can be quiet at ${secondText(latest)}.`;
    const pauseMs = Math.min(Math.max(earliestMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS, leftMs);
    await withProgress(text, io, () => clock.sleep(pauseMs));
  }
}
