import type { CostSide, Unpriced } from "../cost/cost";
import type { Finding, Props } from "../definition/rules";

/** The time limit of a call, as a duration of Go: "90s", "1h30m". */
export type Timeouts = Readonly<Partial<Record<"create" | "update" | "delete", string>>>;

/** A replaced object that its successor deletes. Times are epoch milliseconds. */
export interface RetiredObject {
  readonly id: string;
  /** Whether the provider signed in with it when it was replaced. */
  readonly isOwn: boolean;
  /** When its successor was made, if the kind's rule of retirement is for it. */
  readonly replacedAt: number | undefined;
  /** When it ends by itself, if that is known. */
  readonly endsAt: number | undefined;
}

/** The memory of a resource from run to run, beside its inputs and outputs. A front keeps it in the state. */
export interface ResourceMemory {
  /** Whether the program's options keep the object when the resource is deleted or replaced. */
  readonly retainOnDelete: boolean;
  /** The number of replacements before. */
  readonly generation: number;
  /** The name that check chose, if the program gives none: the object gets it again if somebody renames it. */
  readonly autoName: string | undefined;
  /** The id that `adopt` brought under management, because `adopt` works once. */
  readonly adopted: string | undefined;
  /** Whether the object has never been ready. A broken one is then replaced. */
  readonly halfMade: boolean;
  /** What a discovered object was like when the resource took it over. It is given back like that. Only outputs have it. */
  readonly foundAs: Props | undefined;
  /**
   * The ids of the parts that the object was made, adopted or imported with. What something else attaches later is none of them, even if it has
   * the same name. Only outputs have it, and only of a kind with parts.
   */
  readonly ownParts: readonly string[] | undefined;
  /** Replaced objects that must be deleted when nothing signs in with them any longer. */
  readonly retired: readonly RetiredObject[];
  /** The program's `customTimeouts` as written, because the engine does not pass them on. */
  readonly timeouts: Timeouts;
  readonly unpriced: Unpriced | undefined;
  /** The present cost of the object, if it differs from the state: for the reports on this run. */
  readonly costBefore: CostSide | undefined;
  /** The mark of the program that the outputs were made for, if they tell of one run only. */
  readonly mark: string | undefined;
}

/** The inputs or the outputs of a resource, with what is remembered of it. */
export interface ResourceState {
  /** Of the run that wrote it: an alias may have renamed the resource since. */
  readonly urn: string;
  readonly props: Props;
  readonly memory: ResourceMemory;
}

/** The stack's setting `pulumi:autonaming`, as it applies to one resource. */
export interface Autonaming {
  /** The name to choose if the program gives none. Undefined if no name may be chosen. */
  readonly name: string | undefined;
}

/** One request of the engine. A front parses it once, and answers with what the lifecycle returns. */
export interface ResourceRequest {
  readonly urn: string;
  readonly id: string;
  /** Whether the engine only previews. Only check knows it; the other calls take it from the memory of the run. */
  readonly isPreview: boolean;
  /** Whether the program has a cost summary that counts it. Only check knows it. */
  readonly isSummarized?: boolean | undefined;
  /** The program's inputs, completed by check. For a read or a delete, those of the state. */
  readonly inputs: Props;
  readonly memory: ResourceMemory;
  /** The state: the last inputs for check, the last outputs for diff and update. */
  readonly previous: ResourceState | undefined;
  /** Whether a read is for a reference (`get`), which nobody manages. */
  readonly isReference: boolean;
  /** The base URL of the last run that had the resource, if the front keeps it with the state. Only check knows it. */
  readonly formerBaseUrl?: string | undefined;
  /** Whose stack it is in Pulumi Cloud, if the front knows. */
  readonly organization: string | undefined;
  /** How the stack wants a name to be chosen, if the front knows and the stack says so. */
  readonly autonaming?: Autonaming | undefined;
  /** The resources of the program, for a kind that asks for them. */
  readonly registered: unknown;
}

export const NO_MEMORY: ResourceMemory = {
  retainOnDelete: false,
  generation: 0,
  autoName: undefined,
  adopted: undefined,
  halfMade: false,
  foundAs: undefined,
  ownParts: undefined,
  retired: [],
  timeouts: {},
  unpriced: undefined,
  costBefore: undefined,
  mark: undefined,
};

export interface CheckAnswer {
  /** The inputs as the engine is to keep them. */
  readonly state: ResourceState;
  /** The faults of the inputs. Empty if there are none. */
  readonly findings: readonly Finding[];
}

/** diff's answer. Without `changes` the engine compares old and new inputs itself, field by field. */
export interface DiffAnswer {
  readonly changes?: boolean;
  /** The fields that differ from the object, for a front that tells the engine itself what changes. */
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
 * The engine's calls for one kind of resource. All fail with a CloudinfraError; create and update with a HalfMadeError as
 * well.
 */
export interface Lifecycle {
  readonly check: (request: ResourceRequest) => Promise<CheckAnswer>;
  readonly diff: (request: ResourceRequest) => Promise<DiffAnswer>;
  readonly create: (request: ResourceRequest) => Promise<CreateAnswer>;
  /** Undefined if the object is gone. */
  readonly read: (request: ResourceRequest) => Promise<ReadAnswer | undefined>;
  readonly update: (request: ResourceRequest) => Promise<UpdateAnswer>;
  readonly delete: (request: ResourceRequest) => Promise<void>;
}
