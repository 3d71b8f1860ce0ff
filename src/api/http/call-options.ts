/** How one call is to be made; each member has a sensible default. */
export interface CallOptions {
  /** Ends the call early, with an AbortedError. */
  readonly signal?: AbortSignal;
  /**
   * For all attempts and the pauses between them together. Where other requests of the process go before, the wait counts from
   * the last answer that any of them got. Default: two minutes, and at least twice the time limit of a request.
   */
  readonly deadlineMs?: number;
  /** `false`: one attempt only; one that was refused for the rate (429) is none. Default `true`. */
  readonly retry?: boolean;
  /** For error texts: `create FirewallRule "allow-https"`. */
  readonly what?: string;
  /** Sent in the `User-Agent`, which the audit log shows: it tells this call from every other. */
  readonly token?: string | undefined;
}
