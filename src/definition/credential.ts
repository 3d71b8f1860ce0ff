import type { Finding, Props } from "./rules";

/**
 * The capability "the provider may sign in with it". Such an object is not deleted while the provider needs it, its successor signs
 * in for the rest of the run, and no change takes from it what the provider needs.
 */
export interface CredentialCapability {
  /** The short word for it in messages: `key`. */
  readonly word: string;
  /** The secret output that the provider signs in with. */
  readonly secret: string;
  /** Whether the API accepts one with these outputs now. */
  readonly isAccepted: (outputs: Props) => boolean;
  /** When the API stops accepting it by itself, for messages. */
  readonly endOf: (outputs: Props) => string;
  /**
   * What a change would take from it that the provider needs to go on. A failure is refused in preview. `address` is where the API
   * sees the provider come from, if that is known.
   */
  readonly lockOut: (outputs: Props, inputs: Props, address: string | undefined) => readonly Finding[];
}
