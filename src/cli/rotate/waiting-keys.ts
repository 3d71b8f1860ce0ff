import type { Api } from "../../api/client";
import { retirement, type Retirement } from "../../lifecycle/credential/retired-objects";
import { usesOf } from "../../lifecycle/credential/key-uses";
import type { StackKey, WaitingStackKey } from "./stack-keys";

/** A replaced key that waits for its clients, and what the next run does with it. */
export interface CheckedWaitingKey extends WaitingStackKey, Pick<StackKey, "urn" | "name"> {
  readonly verdict: Retirement;
}

/** Asks about the replaced keys that wait, as the next run does. Rejects with a CloudinfraError. */
export async function checkWaiting(
  api: Api,
  keys: readonly StackKey[],
  now: number,
): Promise<readonly CheckedWaitingKey[]> {
  const waiting = keys.flatMap(({ urn, name, waiting }) => waiting.map((key) => ({ ...key, urn, name })));
  const uses = await usesOf(api, waiting);
  return waiting.map((key) => ({ ...key, verdict: retirement(key.rule, key, uses(key.id), now) }));
}
