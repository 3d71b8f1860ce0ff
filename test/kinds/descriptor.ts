/** A change at the API that Pulumi has not made. */
export interface Drift {
  /** The changed members of the object. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** The field's value in Pulumi after a refresh. Absent if the object no longer has the field. */
  readonly shown?: unknown;
  /** Other outputs that change with it. */
  readonly follows?: Readonly<Record<string, unknown>>;
}

/** A change by a program: the field's value before (default: that of the valid arguments) and after. */
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

/** The project, region and parents of test objects. */
export interface Surroundings {
  readonly projectId: string;
  readonly region: string;
  readonly vpcId: string;
  /** A cluster that is there. */
  readonly clusterId?: string;
  /** When API keys end. */
  readonly keysEndAt?: string;
}

/** Existing objects that programs of the fault campaign use. */
export interface Ground extends Surroundings {
  readonly vpcs: readonly { readonly id: string; readonly cidr: string }[];
  readonly vmIds: readonly string[];
}

/** The number of changes that a program of the fault campaign has made to a resource. */
export interface Edits {
  /** The number of changes in place. */
  readonly fields: number;
  /** The number of changes that replace it. */
  readonly replace: number;
  /** True if a key has a lifetime in place of a fixed end. */
  readonly rotates: boolean;
  /** The resource's logical name. */
  readonly name: string;
}

type Args = Readonly<Record<string, unknown>>;

/**
 * Arguments, and the expected message of check. Empty if they are valid. `before`: those of the object so far, if there
 * is one.
 */
export type Limit = readonly [args: Args, reason: string | undefined, before?: Args];

/**
 * The facts about a kind that its definition and the simulator's noun do not have. Every suite for all kinds uses them.
 */
export interface KindDescriptor {
  /** The logical name of the one in "one of each". */
  readonly name: string;
  /** Arguments of a valid resource. Project and region come from the configuration. */
  args(surroundings: Surroundings): Readonly<Record<string, unknown>>;
  /**
   * The remaining arguments, so that every input is given. An optional one has its other value, unless this has one.
   */
  readonly others?: Readonly<Record<string, unknown>>;
  /** Lists that are not in sorted order, to show whether order matters. */
  readonly lists?: Readonly<Record<string, unknown>>;
  /**
   * The arguments in the fault campaign besides `args`, after this many changes: another value after each, if there is
   * one.
   */
  edited(edits: Edits, ground: Ground): Readonly<Record<string, unknown>>;
  /**
   * For a kind whose objects something else creates: the object that these arguments find, and a similar one of another
   * person. Members of the simulator, without the id.
   */
  readonly found?: (args: Readonly<Record<string, unknown>>) => { readonly own: object; readonly twin: object };
  /** True if the API has made the object together with one of another kind, and no resource manages it. */
  readonly comesAlong?: (object: Readonly<Record<string, unknown>>) => boolean;
  /** Another valid value of fields, if a rule or a catalog restricts it, or if the field has members. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** How a field drifts, if not to another value. */
  readonly drifts?: Readonly<Record<string, Drift | Nowhere>>;
  /** For fields whose drift is not a change that a program can make: such a change. */
  readonly changes?: Readonly<Record<string, Change>>;
  /**
   * Arguments that the definition's rules accept and reject, besides the valid ones. The limits of types are derived.
   */
  readonly limits?: readonly Limit[];
}

/** A descriptor, completed from the definition and the simulator's noun. */
export interface CompleteDescriptor extends KindDescriptor {
  /** The collection in `/state` of the simulator's control port. */
  readonly collection: string;
  /** The body of the creation request for these arguments and the name `sample`. */
  creation(surroundings: Surroundings): Readonly<Record<string, unknown>>;
  /** A change of every input, and of every output without an input. */
  readonly inputDrifts: Readonly<Record<string, Drift | Nowhere>>;
  readonly outputDrifts: Readonly<Record<string, Drift | Nowhere>>;
  readonly changes: Readonly<Record<string, Change>>;
}

export function tags(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `tag-${index}`);
}

/** One of several values, modulo their number. */
export function nth<T>(values: readonly T[], number: number): T | undefined {
  return values[number % values.length];
}
