import type { CostSide, Unpriced } from "../cost/cost";
import { isRecord } from "../definition/values";
import { asSecret, withoutUndefined } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";
import { costProps } from "../lifecycle/pricing/cost-in-state";
import { NO_MEMORY, type ResourceState } from "../lifecycle/resource-request";

/**
 * The keys of what stands in a state, or travels to the lifecycle, beside the user's own inputs. The engine's display leaves out
 * keys that begin with two underscores. They stay for ever: old states have them, whichever front reads them.
 */
const KEYS: readonly string[] = [
  "__provider",
  "__urn",
  "__dryRun",
  // The paths of a dynamic resource's secret arguments: the engine sends their values unmarked. Of this run only.
  "__secrets",
  "__retainOnDelete",
  "__generation",
  "__autoName",
  "__adopted",
  "__halfMade",
  "__foundAs",
  "__retired",
  "__timeouts",
  "__unpriced",
  "__costBefore",
  "__registered",
  "__run",
  // The base URL of the last run, among a dynamic resource's inputs: the engine tells only other plugins when settings change.
  "__baseUrl",
  // Whose stack it is in Pulumi Cloud: the program says it, and it does not get into the state.
  "__organization",
  // Whether a cost summary counts it: of this run only.
  "__summarized",
];

export function stateOf(sent: Props): ResourceState {
  const text = (key: string): string | undefined => (typeof sent[key] === "string" ? sent[key] : undefined);
  const { __generation: generation, __retired: retired, __timeouts: timeouts, __foundAs: foundAs } = sent;
  return {
    urn: text("__urn") ?? "",
    props: Object.fromEntries(Object.entries(sent).filter(([key]) => !KEYS.includes(key))),
    memory: {
      ...NO_MEMORY, // what is only written, never read
      retainOnDelete: sent["__retainOnDelete"] === true,
      generation: typeof generation === "number" ? generation : 0,
      autoName: text("__autoName"),
      adopted: text("__adopted"),
      halfMade: sent["__halfMade"] === true,
      foundAs: isRecord(foundAs) ? foundAs : undefined,
      retired: Array.isArray(retired) ? retired.filter((id) => typeof id === "string") : [],
      timeouts: isRecord(timeouts) ? timeouts : {},
      unpriced: unpricedOf(sent["__unpriced"]),
      mark: text("__run"),
    },
  };
}

export function keptProps({ urn, props, memory }: ResourceState, secretNames: readonly string[]): Props {
  const { retainOnDelete, generation, autoName, adopted, halfMade, foundAs, retired, timeouts, costBefore, mark } =
    memory;
  const secrets = secretNames.filter((name) => props[name] !== undefined);
  return withoutUndefined({
    ...props,
    ...Object.fromEntries(secrets.map((name) => [name, asSecret(props[name])])),
    __urn: urn === "" ? undefined : urn,
    __retainOnDelete: retainOnDelete ? true : undefined,
    __generation: generation === 0 ? undefined : generation,
    __autoName: autoName,
    __adopted: adopted,
    __halfMade: halfMade ? true : undefined,
    __foundAs: foundAs,
    __retired: retired.length > 0 ? retired : undefined,
    __timeouts: Object.keys(timeouts).length > 0 ? timeouts : undefined,
    __unpriced: unpricedProps(memory),
    __costBefore: costBefore && withoutUndefined({ ...costProps(costBefore), __unpriced: unpricedProps(costBefore) }),
    __run: mark,
  });
}

/** Why there is no cost, for those who read the state. What went wrong with the quote is of one run. */
function unpricedProps({ unpriced }: Pick<CostSide, "unpriced">): Props | undefined {
  return unpriced?.status === "unknown" ? { status: unpriced.status, reason: unpriced.reason } : unpriced;
}

/** The reason for an unknown cost in inputs. Only check writes it; another shape counts as none. */
export function unpricedOf(value: unknown): Unpriced | undefined {
  if (!isRecord(value)) return undefined;
  const { reason, billedFor } = value;
  if (value["status"] === "notOffered")
    return { status: "notOffered", ...(typeof billedFor === "string" && { billedFor }) };
  return value["status"] === "unknown" && typeof reason === "string" ? { status: "unknown", reason } : undefined;
}
