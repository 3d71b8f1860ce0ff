import { readFileSync } from "node:fs";

const PAUSE_MS = 25;

/**
 * A client of the API as there are many: it reads its key from a file and signs in with it, again and again, until it is
 * told to stop; then it says how that went.
 */
export function startSigningClient({ url, keyFile }) {
  const tally = { requests: 0, failed: 0, keys: new Set() };
  let running = true;
  const loop = (async () => {
    while (running) {
      const key = readFileSync(keyFile, "utf8");
      tally.keys.add(key);
      tally.requests += 1;
      const response = await fetch(`${url}/v1/regions`, { headers: { authorization: `Bearer ${key}` } }).catch(
        () => undefined,
      );
      if (!response?.ok) tally.failed += 1;
      await response?.arrayBuffer();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  return {
    stop: async () => {
      running = false;
      await loop;
      return { requests: tally.requests, failed: tally.failed, keys: tally.keys.size };
    },
  };
}
