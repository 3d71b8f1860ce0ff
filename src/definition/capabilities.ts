import type { Finding, Props } from "./rules";

/**
 * The capability "the provider may sign in with it". Such an object is not deleted while the provider needs it. Its successor
 * signs in for the rest of the run. A change that would lock the provider out is refused.
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
   * Findings if a change would lock the provider out. A failure is refused in the preview. `address` is the provider's address
   * as the API sees it, if known.
   */
  readonly lockOut: (outputs: Props, inputs: Props, address: string | undefined) => readonly Finding[];
  /** The kinds whose lists a credential with these inputs may read, and the inputs that a list needs. A kind may be unknown. */
  readonly readableLists: (inputs: Props) => readonly { readonly type: string; readonly inputs: Props }[];
  /** Its permissions and addresses, for messages: `vpc:edit, from 10.0.0.0/8`. */
  readonly reach: (outputs: Props) => string;
}

/** A duration: as the program writes it, and in milliseconds. */
export interface Span {
  readonly text: string;
  readonly ms: number;
}

/** When the old object of a replacement goes: when the audit log has shown no request of it for a time, or after another time. */
export interface RetirementRule {
  readonly whenQuietFor: Span;
  /** Since its successor was made. */
  readonly atLatest: Span;
}

/** For objects that something else makes: a resource takes such an object over, and gives it back as it was. */
export interface Discovery {
  /** The inputs that tell it from the others in its collection. If the program leaves one out, any value fits. */
  readonly by: readonly string[];
  /** The sentence that says what makes the object, for messages: `Kubernetes makes one for each Service of the type LoadBalancer`. */
  readonly origin: string;
}

/** In place of an object that this run makes, a quote leads through another one of its kind. */
export interface StandIn<Definition> {
  /** The kind of the object, which has a region. */
  readonly of: Definition;
  /** The inputs that lead to it, and those that have to fit it. `object` is an item of the API's list. */
  readonly inputs: (object: Props) => Props;
}
