import type { CostSide, MissingQuote } from "../cost/cost";
import type { Finding, Props } from "../definition/rule-context";

/** The time limits of calls, as Go durations: "90s", "1h30m". */
export type Timeouts = Readonly<Partial<Record<"create" | "update" | "delete", string>>>;

/** A replaced object that its successor deletes (a retired object). Times are epoch milliseconds. */
export interface RetiredObject {
  readonly id: string;
  /** True if the provider signed in with it when it was replaced. */
  readonly isOwn: boolean;
  /** When its successor was made. */
  readonly replacedAt: number;
  /** When it expires, if that is known. */
  readonly expiresAt: number | undefined;
  /** True if it has leaked, so that it waits for nobody. */
  readonly hasLeaked: boolean;
}

/** Values that a resource keeps from run to run, besides its inputs and outputs. A front keeps them in the state. */
export interface ResourceMemory {
  /** True if the option `retainOnDelete` keeps the object when the resource is deleted or replaced. */
  readonly retainOnDelete: boolean;
  /** The number of earlier replacements. */
  readonly generation: number;
  /** The name that check chose, if the program gives none. If somebody renames the object, it gets this name again. */
  readonly autoName: string | undefined;
  /**
   * The id of the object that the resource has adopted or imported. An `adopt` with this id has no effect any longer,
   * because `adopt` works once.
   */
  readonly adopted: string | undefined;
  /**
   * How often `retirePrevious` of the pair had retired a key of this slot when the object was made. If the program has
   * a greater number, this object may have leaked.
   */
  readonly retirements: number;
  /** When the lifetime of a key begins, as it was planned. A later lifetime counts from there. */
  readonly lifetimeStart: string | undefined;
  /** The program's `customTimeouts` as written, because the engine does not pass them on. */
  readonly timeouts: Timeouts;
  readonly unpriced: MissingQuote | undefined;
  /** The cost of the object before this run, if it differs from the one in the state. For the reports on this run. */
  readonly costBefore: CostSide | undefined;
  /** Identifies the run of the program that the outputs belong to, for outputs of one run. */
  readonly mark: string | undefined;
  readonly object: ObjectMemory;
}

/** The part of the memory about the object itself. It belongs to the outputs: the program does not give it. */
export interface ObjectMemory {
  /** True if the object has never been ready. If it fails, it is replaced. */
  readonly neverReady: boolean;
  /** The fields that an update has sent before it failed. The object may show them later. */
  readonly attempted: readonly string[];
  /**
   * True if the object existed before the resource, which adopted, imported or only reads it. Something else may have
   * made it, such as a VM its volumes.
   */
  readonly existedBefore: boolean;
  /** The values of a discovered object before the take-over. A deletion of the resource restores them. */
  readonly foundAs: Props | undefined;
  /**
   * The ids of the parts that the object was made, adopted or imported with. A part that something else attaches later
   * does not count, even if it has the same name. Undefined for a kind without parts, and until a run has seen a
   * creation or an adoption complete.
   */
  readonly ownParts: readonly string[] | undefined;
  /**
   * The ids of the latest objects that this one and its predecessors have replaced, the newest first. After failed
   * runs, the state may still have several of them. Only for a kind whose old objects may stay.
   */
  readonly replaced: readonly string[];
  /** Replaced objects that must be deleted when no client uses them any longer. */
  readonly retired: readonly RetiredObject[];
  /** The id of the old key of a pair that stays, because one run has made both keys anew. */
  readonly keptOfPair: string | undefined;
}

/** The inputs or the outputs of a resource, with its memory. */
export interface ResourceState {
  /** The URN at the time of writing. An alias may have renamed the resource since. */
  readonly urn: string;
  readonly props: Props;
  readonly memory: ResourceMemory;
}

/** The values that the program declares for a resource. */
export type DeclaredResource = Pick<ResourceState, "props" | "memory">;

/** The stack's setting `pulumi:autonaming`, applied to one resource. */
export interface Autonaming {
  /** The name to choose if the program gives none. Undefined if no name may be chosen. */
  readonly name: string | undefined;
}

/** One request of the engine. A front parses it once, and answers with what the lifecycle returns. */
export interface ResourceRequest {
  readonly urn: string;
  readonly id: string;
  /** True in a preview. Only check knows it. The other calls find it in the memory of the run. */
  readonly isPreview: boolean;
  /** True if this may be an update although `isPreview` is true, because the front cannot tell. */
  readonly mayBeUpdate?: boolean;
  /** True if a cost summary of the program counts the resource. Only check knows it. */
  readonly isSummarized?: boolean | undefined;
  /** The program's inputs, completed by check. For a read or a delete, those of the state. */
  readonly inputs: Props;
  readonly memory: ResourceMemory;
  /**
   * The resource in the state: for a check its inputs, for diff and update its outputs. Undefined for a new resource. A
   * read and a deletion have it in `inputs`.
   */
  readonly last?: ResourceState | undefined;
  /** True if a read is for a reference (`get`), which no resource manages. */
  readonly isReference: boolean;
  /** The base URL of the last run that had the resource, if the front keeps it with the state. Only check knows it. */
  readonly formerBaseUrl?: string | undefined;
  /** The stack's organization in Pulumi Cloud, if the front knows it. */
  readonly organization?: string | undefined;
  /** The stack's rule for automatic names, if the front knows it. */
  readonly autonaming?: Autonaming | undefined;
  /** The registrations of the program, for a kind that asks for them. */
  readonly registered?: unknown;
}

/** The object in the state, from any request. A read or a delete has it in `inputs`. */
export function inState({ last, inputs, memory }: ResourceRequest): Pick<ResourceState, "props" | "memory"> {
  return last ?? { props: inputs, memory };
}

export const NO_OBJECT_MEMORY: ObjectMemory = {
  neverReady: false,
  attempted: [],
  existedBefore: false,
  foundAs: undefined,
  ownParts: undefined,
  replaced: [],
  retired: [],
  keptOfPair: undefined,
};

export const NO_MEMORY: ResourceMemory = {
  retainOnDelete: false,
  generation: 0,
  autoName: undefined,
  adopted: undefined,
  retirements: 0,
  lifetimeStart: undefined,
  timeouts: {},
  unpriced: undefined,
  costBefore: undefined,
  mark: undefined,
  object: NO_OBJECT_MEMORY,
};

/** A copy of the memory, with these changes in its `object`. */
export function withObject(memory: ResourceMemory, changes: Partial<ObjectMemory>): ResourceMemory {
  return { ...memory, object: { ...memory.object, ...changes } };
}

export interface CheckAnswer {
  /** The inputs for the engine to keep. */
  readonly state: ResourceState;
  /** The faults of the inputs. Empty if there are none. */
  readonly findings: readonly Finding[];
}

/** The answer of diff. Without `changes`, the engine itself compares old and new inputs, field by field. */
export interface DiffAnswer {
  readonly changes?: boolean;
  /** The fields that differ from the object, for a front that reports the changes to the engine itself. */
  readonly changed?: readonly string[];
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
}

export interface CreateAnswer {
  readonly id: string;
  readonly state: ResourceState;
}

export interface ReadAnswer {
  readonly id: string;
  readonly outputs: ResourceState;
  readonly inputs: ResourceState;
}

export interface UpdateAnswer {
  readonly state: ResourceState;
}

/**
 * The engine's calls for one kind of resource. They reject with a CloudinfraError, and create and update also with an
 * InitFailedError.
 */
export interface Lifecycle {
  readonly check: (request: ResourceRequest) => Promise<CheckAnswer>;
  readonly diff: (request: ResourceRequest) => Promise<DiffAnswer>;
  readonly create: (request: ResourceRequest) => Promise<CreateAnswer>;
  /** Undefined if the object no longer exists. */
  readonly read: (request: ResourceRequest) => Promise<ReadAnswer | undefined>;
  readonly update: (request: ResourceRequest) => Promise<UpdateAnswer>;
  readonly delete: (request: ResourceRequest) => Promise<void>;
}
