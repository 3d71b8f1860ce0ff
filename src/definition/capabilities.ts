import type { Finding, Props } from "./rule-context";

/**
 * The capability of objects that the provider may sign in with. Such an object is not deleted while the provider needs
 * it. After a replacement, the provider signs in with the successor for the rest of the run. A change that would lock
 * the provider out is refused.
 */
export interface CredentialCapability {
  /** The short word for it in messages: `key`. */
  readonly word: string;
  /** The secret output that the provider signs in with. */
  readonly secret: string;
  /** Whether the API now accepts a credential with these outputs. */
  readonly isAccepted: (outputs: Props) => boolean;
  /** The input that says when the credential expires. */
  readonly endsAt: string;
  /**
   * Findings if a change would lock the provider out. A failure is refused in the preview. `type` is the kind, which
   * the provider has to manage; `address` is the provider's address as the API sees it, if known; `now` is the API's
   * time in epoch milliseconds.
   */
  readonly lockOut: (
    outputs: Props,
    inputs: Props,
    provider: { readonly type: string; readonly address: string | undefined; readonly now: number },
  ) => readonly Finding[];
  /**
   * The types of kinds whose lists a credential with these inputs may read, and the inputs that each list needs. The
   * package need not have the kind.
   */
  readonly readableLists: (inputs: Props) => readonly { readonly type: string; readonly inputs: Props }[];
  /** Its permissions and addresses, for messages: `vpc:edit, from 10.0.0.0/8`. */
  readonly reach: (outputs: Props) => string;
}

/** A duration, as the program writes it and in milliseconds. */
export interface Span {
  readonly text: string;
  readonly ms: number;
}

/**
 * When the old object of a replacement is deleted: after the audit log has shown no request of it for `whenQuietFor`,
 * but at the latest after `atLatest`.
 */
export interface RetirementRule {
  readonly whenQuietFor: Span;
  /** Counted from the creation of its successor. */
  readonly atLatest: Span;
}

/** When the old object of a replacement is deleted. `never`: it expires. */
export type DeletionOfOld = "atOnce" | "never" | RetirementRule;

/**
 * The capability of objects that something else makes. A resource takes such an object over, and its deletion restores
 * the former values.
 */
export interface Discovery {
  /** The inputs that identify the object in its collection. If the program leaves one out, any value matches. */
  readonly by: readonly string[];
  /**
   * A sentence on what makes the objects, for messages: `Kubernetes makes one for each Service of the type
   * LoadBalancer`.
   */
  readonly origin: string;
}

/** Another object for the path of a quote, in place of a parent that does not exist yet. */
export interface StandIn<Definition> {
  /** The kind of the object. It must have a region. */
  readonly of: Definition;
  /** The inputs for the object's path, and others that must match it. `object` is an item of the API's list. */
  readonly inputs: (object: Props) => Props;
}
