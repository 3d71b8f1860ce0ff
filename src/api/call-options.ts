/** How one call is to be made; each member has a sensible default. */
export interface CallOptions {
  /** Ends the call early, with an AbortedError. */
  readonly signal?: AbortSignal;
  /** For all attempts and the pauses between them together. */
  readonly deadlineMs?: number;
  /** `false`: one attempt only. Default `true`. */
  readonly retry?: boolean;
  /** For error texts: `create FirewallRule "allow-https"`. */
  readonly what?: string;
}
