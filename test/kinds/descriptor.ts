/** A change at the API that Pulumi has not made. */
export interface Drift {
  /** The members of the object that are another. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** What the field is to Pulumi after a refresh; absent if the object no longer has such a field. */
  readonly shown?: unknown;
  /** What of the outputs follows from it. */
  readonly follows?: Readonly<Record<string, unknown>>;
}

/** A change that a program makes: the field's value before it, if it is none of the valid arguments, and after it. */
export interface Change {
  readonly from?: unknown;
  readonly to: unknown;
}

/** Why a field cannot drift. */
export type Nowhere =
  | "not at the API"
  | "at its own endpoint"
  | "part of the path: another value is another object"
  | "tells it from others: another value is another object"
  | "follows from the objects around it";

/** Where the objects of tests are made. */
export interface Surroundings {
  readonly projectId: string;
  readonly region: string;
  readonly vpcId: string;
  /** A cluster that is there. */
  readonly clusterId?: string;
  /** When API keys end. */
  readonly keysEndAt?: string;
}

/** What programs of the fault campaign stand on. */
export interface Ground extends Surroundings {
  readonly vpcs: readonly { readonly id: string; readonly cidr: string }[];
  readonly vmIds: readonly string[];
}

/** How often a program of the fault campaign has changed a resource. */
export interface Edits {
  /** In place. */
  readonly fields: number;
  /** So that it is replaced. */
  readonly replace: number;
  /** Whether a key has a lifetime, and no fixed end. */
  readonly rotates: boolean;
  /** The resource's logical name. */
  readonly name: string;
}

/** Arguments, and what check says of them: nothing if it accepts them. */
export type Limit = readonly [args: Readonly<Record<string, unknown>>, reason: string | undefined];

/** What the suites know of a kind beside its definition and the simulator's noun: every suite that runs "one of each" takes it from here. */
export interface KindDescriptor {
  /** The logical name of the one in "one of each". */
  readonly name: string;
  /** Arguments that make a valid one; project and region come from the configuration. */
  args(surroundings: Surroundings): Readonly<Record<string, unknown>>;
  /** The other arguments, so that every input is given. */
  readonly others?: Readonly<Record<string, unknown>>;
  /** Lists in an order that a sorted copy of them does not have: what order means is seen. */
  readonly lists?: Readonly<Record<string, unknown>>;
  /** What a program of the fault campaign says beside `args`, after so many edits: another value after each, if there is one. */
  edited(edits: Edits, ground: Ground): Readonly<Record<string, unknown>>;
  /**
   * For a kind whose objects something else makes: the one that such arguments find, and one of somebody else's that looks like it.
   * The simulator's members, all but the id.
   */
  readonly found?: (args: Readonly<Record<string, unknown>>) => { readonly own: object; readonly twin: object };
  /** Whether the API has made the object with one of another kind: no resource stands for it. */
  readonly comesAlong?: (object: Readonly<Record<string, unknown>>) => boolean;
  /** Another valid value of fields, if a rule or a catalog has to take it, or the field has members. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** How a field drifts, if not to another value of its own. */
  readonly drifts?: Readonly<Record<string, Drift | Nowhere>>;
  /** For fields whose drift is no change that a program can make: one that it can. */
  readonly changes?: Readonly<Record<string, Change>>;
  /** What the rules of the definition accept and refuse, beside the valid arguments. The limits of types are derived. */
  readonly limits?: readonly Limit[];
}

/** A descriptor with all that follows from the definition and from the simulator's noun. */
export interface CompleteDescriptor extends KindDescriptor {
  /** The collection in `/state` of the simulator's control port. */
  readonly collection: string;
  /** The body of the creation request for these arguments and the name `sample`. */
  creation(surroundings: Surroundings): Readonly<Record<string, unknown>>;
  /** A change of every input, and of every output that no input stands for. */
  readonly inputDrifts: Readonly<Record<string, Drift | Nowhere>>;
  readonly outputDrifts: Readonly<Record<string, Drift | Nowhere>>;
  readonly changes: Readonly<Record<string, Change>>;
}

export function tags(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `tag-${index}`);
}

/** One of some values, counted round. */
export function nth<T>(values: readonly T[], number: number): T | undefined {
  return values[number % values.length];
}
