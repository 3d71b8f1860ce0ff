import type { Session } from "./session";

/** The facts about one key of a `RotatingApiKey`. */
interface KeyOutput {
  readonly id: string;
  readonly key: string;
  readonly expiresAt: string;
}

/** Both keys of a pair. */
export type PairOfKeys = Record<"current" | "previous", KeyOutput>;

/** The pair that the program returns as `current` and `previous`. */
export function pairOf(session: Session): PairOfKeys {
  return session.shownOutputs() as unknown as PairOfKeys;
}

/** The ids of the keys at the API. */
export async function keysHeld({ api }: Session): Promise<string[]> {
  return (await api.held()).apiKeys.map(({ id }) => id).sort();
}
