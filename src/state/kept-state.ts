import type { CostSide, Unpriced } from "../cost/cost";
import { isRecord } from "../definition/compare-values";
import { HIDDEN_INPUTS } from "../engine/hidden-inputs";
import { asSecret, withoutUndefined } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";
import { costProps } from "../lifecycle/pricing/cost-in-state";
import { NO_MEMORY, type ResourceState, type RetiredObject } from "../lifecycle/resource-request";
import { dateText } from "../process/utc";

/** Reads a resource and its memory from the properties in a state. */
export function stateFromProps(sent: Props): ResourceState {
  const text = (key: string): string | undefined => (typeof sent[key] === "string" ? sent[key] : undefined);
  const count = (key: string): number => (typeof sent[key] === "number" ? sent[key] : 0);
  const { __retired: retired, __timeouts: timeouts } = sent;
  const { __foundAs: foundAs } = sent;
  const texts = (key: string): readonly string[] | undefined => {
    const kept = sent[key];
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : undefined;
  };
  return {
    urn: text("__urn") ?? "",
    props: Object.fromEntries(Object.entries(sent).filter(([key]) => !HIDDEN_INPUTS.includes(key))),
    memory: {
      ...NO_MEMORY, // what is only written, never read
      retainOnDelete: sent["__retainOnDelete"] === true,
      generation: count("__generation"),
      autoName: text("__autoName"),
      adopted: text("__adopted"),
      retirements: count("__retirements"),
      timeouts: isRecord(timeouts) ? timeouts : {},
      unpriced: unpricedOf(sent["__unpriced"]),
      mark: text("__run"),
      object: {
        halfMade: sent["__halfMade"] === true,
        attempted: texts("__attempted") ?? [],
        foundAs: isRecord(foundAs) ? foundAs : undefined,
        ownParts: texts("__ownParts"),
        replaced: texts("__replaced") ?? [],
        retired: Array.isArray(retired) ? retired.flatMap(retiredOf) : [],
        keptOfPair: text("__keptOfPair"),
      },
    },
  };
}

/** The properties that keep a resource and its memory in the state. `secretNames`: the properties to mark as secret. */
export function propsFromState({ urn, props, memory }: ResourceState, secretNames: readonly string[]): Props {
  const { retainOnDelete, generation, autoName, adopted, retirements, timeouts, costBefore, mark } = memory;
  const { halfMade, attempted, foundAs, ownParts, replaced, retired, keptOfPair } = memory.object;
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
    __attempted: attempted.length > 0 ? attempted : undefined,
    __foundAs: foundAs,
    __ownParts: ownParts,
    __replaced: replaced.length > 0 ? replaced : undefined,
    __retired: retired.length > 0 ? retired.map(retiredProps) : undefined,
    __retirements: retirements === 0 ? undefined : retirements,
    __keptOfPair: keptOfPair,
    __timeouts: Object.keys(timeouts).length > 0 ? timeouts : undefined,
    __unpriced: unpricedProps(memory),
    __costBefore: costBefore && withoutUndefined({ ...costProps(costBefore), __unpriced: unpricedProps(costBefore) }),
    __run: mark,
  });
}

function retiredOf(kept: unknown): RetiredObject[] {
  if (!isRecord(kept) || typeof kept["id"] !== "string") return [];
  const time = (text: unknown): number | undefined => Date.parse(String(text)) || undefined;
  const { id, signedIn, replacedAt, endsAt, leaked } = kept;
  const times = { replacedAt: time(replacedAt) ?? 0, endsAt: time(endsAt) };
  return [{ id, isOwn: signedIn === true, ...times, hasLeaked: leaked === true }];
}

function retiredProps({ id, isOwn, replacedAt, endsAt, hasLeaked }: RetiredObject): unknown {
  const at = (time: number | undefined): string | undefined => (time === undefined ? undefined : dateText(time));
  const times = { replacedAt: at(replacedAt), endsAt: at(endsAt) };
  return withoutUndefined({ id, signedIn: isOwn, ...times, leaked: hasLeaked ? true : undefined });
}

/** Why there is no cost. The details of a failed quote are left out, because they belong to one run. */
function unpricedProps({ unpriced }: Pick<CostSide, "unpriced">): Props | undefined {
  return unpriced?.status === "unknown" ? { status: unpriced.status, reason: unpriced.reason } : unpriced;
}

/** The reason for an unknown cost, from inputs. check writes it. A value of another form counts as none. */
export function unpricedOf(value: unknown): Unpriced | undefined {
  if (!isRecord(value)) return undefined;
  const { reason, billedFor } = value;
  if (value["status"] === "notOffered")
    return { status: "notOffered", ...(typeof billedFor === "string" && { billedFor }) };
  return value["status"] === "unknown" && typeof reason === "string" ? { status: "unknown", reason } : undefined;
}
