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
  | "at an endpoint of its own"
  | "part of the path: another value is another object"
  | "tells it from others: another value is another object"
  | "follows from the clock"
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

/** All that the suites know of a kind: every suite that runs "one of each" takes it from here. */
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
  /** For fields whose drift is no change that a program can make: one that it can. */
  readonly changes?: Readonly<Record<string, Change>>;
  /** The collection in `/state` of the simulator's control port. */
  readonly collection: string;
  /** Whether the API has made the object with one of another kind: no resource stands for it. */
  readonly comesAlong?: (object: Readonly<Record<string, unknown>>) => boolean;
  /** An object as the API answers it. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** The body of the creation request for these arguments and the name `sample`. */
  creation(surroundings: Surroundings): Readonly<Record<string, unknown>>;
  /** A change of every input, and of every output that no input stands for. */
  readonly inputDrifts: Readonly<Record<string, Drift | Nowhere>>;
  readonly outputDrifts: Readonly<Record<string, Drift | Nowhere>>;
  /** Each limit of each field: at it, and beyond it. They are given beside the valid arguments. */
  readonly limits: readonly Limit[];
}

/** What every object of the API shows of its making. */
export const times: Readonly<Record<string, Drift>> = {
  createdAt: { wire: { created_at: "2026-06-01T00:00:00Z" }, shown: "2026-06-01T00:00:00Z" },
  updatedAt: { wire: { updated_at: "2026-06-15T12:34:56Z" }, shown: "2026-06-15T12:34:56Z" },
};

/** The limits of what every kind has. */
export const tagLimits: readonly Limit[] = [
  [{ tags: tags(50) }, undefined],
  [{ tags: tags(51) }, "tags: must have at most 50 items (has 51)"],
];

export function tags(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `tag-${index}`);
}

/** One of some values, counted round. */
export function nth<T>(values: readonly T[], number: number): T | undefined {
  return values[number % values.length];
}

/** What check says of a missing field that the configuration can give. */
export function configurable(key: string, variable: string): string {
  return `is required: give it, or set it for the stack with "pulumi config set cloudinfra:${key} <value>" or CLOUDINFRA_${variable}=<value>`;
}
