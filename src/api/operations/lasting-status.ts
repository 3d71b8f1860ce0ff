import type { Clock } from "../../process/clock";
import { CloudinfraError } from "../errors/cloudinfra-error";
import { quoted } from "../errors/error-response";
import { howToRaise } from "../errors/operation-error";

/** Statuses of ResourceStatus that lead on to another. */
const TRANSITIONAL: readonly unknown[] = ["pending", "creating", "updating", "deleting"];
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const GROWTH = 1.5;

/** Whether the status will change by itself. */
export function isTransitional({ status }: { readonly status?: unknown }): boolean {
  return TRANSITIONAL.includes(status);
}

/** The resource did not reach a lasting status before the deadline. */
export class SettleTimeoutError extends CloudinfraError {
  readonly code = "SETTLE_TIMEOUT";

  /** `provider`: the explicit one whose settings limit the time. */
  constructor(message: string, provider: string | undefined, options?: ErrorOptions) {
    super(`${message} ${howToRaise(provider)}`, options);
  }
}

export interface LastingStatusOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** For error texts: `create firewall rule "allow-https"`. */
  readonly what: string;
  readonly provider: string | undefined;
  readonly onProgress?: (progress: { readonly status: string; readonly waitedMs: number }) => void;
}

/**
 * Waits until a resource has a lasting status. It is used if there is no operation to ask for: the API answered with the
 * resource itself, or no longer knows the operation. Rejects with SettleTimeoutError, or as `read` does.
 */
export async function waitForLastingStatus<T extends { readonly status?: unknown }>(
  first: T,
  read: () => Promise<T>,
  { clock, timeoutMs, what, provider, onProgress }: LastingStatusOptions,
): Promise<T> {
  const startedAt = clock.now();
  let pauseMs = FIRST_PAUSE_MS;
  let shown = first;
  while (isTransitional(shown)) {
    const waitedMs = clock.now() - startedAt;
    const status = quoted(String(shown.status));
    if (waitedMs + pauseMs > timeoutMs) {
      throw new SettleTimeoutError(
        `${what}: the API still showed the status "${status}" after ${Math.round(waitedMs / 1000)} s. It may change later: ` +
          `run again to go on waiting.`,
        provider,
      );
    }
    onProgress?.({ status, waitedMs });
    await clock.sleep(pauseMs);
    pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
    shown = await read();
  }
  return shown;
}
