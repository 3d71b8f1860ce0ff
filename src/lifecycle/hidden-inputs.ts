import type { Unpriced } from "../cost/cost";
import { isRecord, withoutUndefined } from "./engine-values";

/**
 * What travels between the resource class, the engine's state and the lifecycle beside the user's own inputs. The
 * engine's display leaves out keys that begin with two underscores.
 */
export interface HiddenInputs {
  /** The resource's URN: the address of its row. */
  readonly urn: string;
  /** Whether this run is a preview. Taken out by check, so that preview and update agree on the inputs. */
  readonly dryRun: boolean;
  /** Whether the program's options keep the object when the resource goes, also when another one replaces it. */
  readonly retainOnDelete: boolean;
  /** How many times the resource was replaced. */
  readonly generation: number;
  /** The name that check chose, where the program gives none: what the object is called again if somebody renames it. */
  readonly autoName: string | undefined;
  /** The id that `adopt` brought under management: `adopt` is used up once. */
  readonly adopted: string | undefined;
  /** Whether the object was never ready since its creation: then a broken one is replaced. */
  readonly halfMade: boolean;
  /** Ids of objects that this one has replaced, and that are to go once nothing signs in with them. */
  readonly retired: readonly string[];
  /** The program's `customTimeouts`, as it wrote them: the engine keeps them to itself. */
  readonly timeouts: Timeouts;
  /** Why there is no `cost`. */
  readonly unpriced: Unpriced | undefined;
}

/** How long a call may wait for the API, as durations of Go: "90s", "1h30m". */
export type Timeouts = Readonly<Partial<Record<"create" | "update" | "delete", string>>>;

/** The keys of the hidden inputs as they stand in state. They stay for ever: old states have them. */
const KEYS = [
  "__provider",
  "__urn",
  "__dryRun",
  "__retainOnDelete",
  "__generation",
  "__autoName",
  "__adopted",
  "__halfMade",
  "__retired",
  "__timeouts",
  "__unpriced",
  // What an existing object costs now, if the state says something else: of one run, for the reports on it.
  "__costBefore",
  "__registered",
  "__run",
] as const;

/** Those that a run may change beside something else. The engine leaves them out of a row's `[diff: …]`. */
export const HIDDEN_IN_DIFFS: readonly string[] = [
  "__urn",
  "__retainOnDelete",
  "__autoName",
  "__adopted",
  "__retired",
  "__timeouts",
  "__unpriced",
  "__costBefore",
];

/** The hidden inputs of what the engine sent. */
export function hiddenOf(props: Readonly<Record<string, unknown>>): HiddenInputs {
  return {
    urn: typeof props["__urn"] === "string" ? props["__urn"] : "",
    dryRun: props["__dryRun"] === true,
    retainOnDelete: props["__retainOnDelete"] === true,
    generation: typeof props["__generation"] === "number" ? props["__generation"] : 0,
    autoName: typeof props["__autoName"] === "string" ? props["__autoName"] : undefined,
    adopted: typeof props["__adopted"] === "string" ? props["__adopted"] : undefined,
    halfMade: props["__halfMade"] === true,
    retired: Array.isArray(props["__retired"]) ? props["__retired"].filter((id) => typeof id === "string") : [],
    timeouts: isRecord(props["__timeouts"]) ? props["__timeouts"] : {},
    unpriced: unpricedOf(props["__unpriced"]),
  };
}

/** The user's own inputs of what the engine sent. */
export function visibleOf(props: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(props).filter(([key]) => !(KEYS as readonly string[]).includes(key)));
}

/** The hidden inputs as check returns them. */
export function hiddenToProps(hidden: HiddenInputs): Record<string, unknown> {
  return withoutUndefined({
    __urn: hidden.urn === "" ? undefined : hidden.urn,
    __retainOnDelete: hidden.retainOnDelete ? true : undefined,
    __generation: hidden.generation === 0 ? undefined : hidden.generation,
    __autoName: hidden.autoName,
    __adopted: hidden.adopted,
    __halfMade: hidden.halfMade ? true : undefined,
    __retired: hidden.retired.length > 0 ? hidden.retired : undefined,
    __timeouts: Object.keys(hidden.timeouts).length > 0 ? hidden.timeouts : undefined,
    __unpriced: hidden.unpriced,
  });
}

/** The hidden keys of state, carried over untouched from old to new outputs. */
export function hiddenPropsOf(props: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(props).filter(([key]) => (KEYS as readonly string[]).includes(key)));
}

/** What `adopt` asks for: the id and, for a key, its secret. */
export interface AdoptionInput {
  readonly id: string;
  readonly key: string | undefined;
}

/** The input `adopt`, read. */
export function adoptionOf(adopt: unknown): AdoptionInput | undefined {
  if (typeof adopt === "string" && adopt !== "") return { id: adopt, key: undefined };
  if (isRecord(adopt) && typeof adopt["id"] === "string") {
    return { id: adopt["id"], key: typeof adopt["key"] === "string" ? adopt["key"] : undefined };
  }
  return undefined;
}

/** Why there is no cost, as it stands in inputs. Only check writes it; one of a foreign shape counts as none. */
export function unpricedOf(value: unknown): Unpriced | undefined {
  if (!isRecord(value)) return undefined;
  if (value["status"] === "notOffered") return { status: "notOffered" };
  const { reason } = value;
  return value["status"] === "unknown" && typeof reason === "string" ? { status: "unknown", reason } : undefined;
}
