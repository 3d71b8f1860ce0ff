import type { AdvisoryRequests, Refusal } from "../../api/advisory-requests";
import type { RowLog } from "../../engine/row-log";
import { collectionAt, isQuotedIn } from "../kind/collection-at";
import { exampleOf, examplesOf } from "../../definition/examples";
import type { Field } from "../../definition/types";
import { toWire } from "../../definition/wire";
import type { Api, CallOptions } from "../../api/client";
import type { CostQuote } from "../../api/cost-quotes";
import type { MissingQuote } from "../../cost/cost";
import { REFUSED, refusedReason, type QuoteKeys, type Quoter, type QuoteReply } from "../../cost/quoter";
import { isRecord } from "../../definition/compare-values";
import { containsUnknown } from "../../engine/values";
import type { Settings } from "../../settings/config";
import { isUnseen, unshownMembers } from "../kind/changed-fields";
import { type Props, type ResourceKind, defaultsOf, operationName, type RunResource } from "../kind/kind";
import { objectionsIn, refusedFields } from "../kind/objections";
import type { RunMemory } from "../memory/run-memory";

export interface AdvisoryRun {
  readonly api: Api;
  readonly settings: Settings;
  readonly advisory: AdvisoryRequests;
  readonly previewRows: RowLog;
}

export interface PricingRun {
  readonly api: Api;
  readonly settings: Settings;
  readonly memory: RunMemory;
  readonly quoter: Quoter;
  readonly standIns: StandIns;
  /** True if a preview asks for all prices again, also of unchanged resources (`cloudinfra cost --requote`). */
  readonly requotes: boolean;
}

export interface Proposal<R = PricingRun> extends RunResource<R> {
  readonly inputs: Props;
}

/**
 * Asks for the price of an object with these inputs. Resources with the same price key share one request. There is no
 * `reply` if a refusal may be about a placeholder.
 */
export async function quoteOf(proposal: Proposal): Promise<QuoteReply> {
  const { kind, run, inputs: given } = proposal;
  if (!isQuotedIn(kind, run.settings.dialect)) {
    const billedFor = kind.billedFor?.(given);
    return { quote: { status: "notOffered", ...(billedFor !== undefined && { billedFor }) } };
  }
  const standIn = await run.standIns.inputsFor(kind, given);
  const inputs = { ...inConfiguredProject(kind, run, given), ...standIn };
  const unknown = Object.keys(kind.pricedFields).filter((field) => containsUnknown(inputs[field]));
  if (unknown.length > 0) {
    const reason = `${unknown.join(" and ")} ${unknown.length === 1 ? "is" : "are"} not known yet`;
    return { quote: { status: "unknown", reason } };
  }
  const unknownFields = openFields(kind, given).map(([name]) => name);
  const body = withPlaceholders(kind, inputs, run.api.now());
  const answer = await run.quoter.quote(keysOf(proposal, inputs), (options) =>
    quoteOfCreation({ ...proposal, inputs: body }, options),
  );
  if (answer.reply?.status !== "refused") return answer;
  const { refusal } = answer.reply;
  const saysNothing = standIn !== undefined || isAboutPlaceholder(kind, run, refusal, unknownFields);
  return saysNothing ? NOT_KNOWN_YET : { ...answer, quote: inProgramsWords(proposal, refusal) };
}

/**
 * `inputs`: the inputs of the quote, perhaps with another project or parent. The body leaves out the name, because the
 * new object of a replacement gets another automatic name.
 */
function keysOf({ kind, urn, inputs: given }: Proposal, inputs: Props): QuoteKeys {
  const priced = Object.entries(kind.pricedFields);
  const valuesOf = (isMeant: (field: Field) => boolean): string =>
    JSON.stringify(priced.filter(([, field]) => isMeant(field)).map(([name]) => inputs[name] ?? null));
  const shown = Object.keys(kind.fieldsAtApi).filter((field) => field !== "name");
  return {
    price: `${kind.type} ${valuesOf(({ names }) => names !== "project")}`,
    project: valuesOf(({ names }) => names === "project"),
    body: JSON.stringify([urn, ...shown.map((field) => given[field] ?? null)]),
  };
}

/**
 * Replaces a project that this run makes by the configured one in a quote. Both belong to the same organization, which
 * sets the prices.
 */
function inConfiguredProject(kind: ResourceKind, { settings }: PricingRun, inputs: Props): Props {
  const configured = defaultsOf(kind, settings);
  const isNew = (field: string): boolean => containsUnknown(inputs[field]) && configured[field] !== undefined;
  const fields = Object.keys(kind.fields).filter((field) => kind.fields[field]?.names === "project" && isNew(field));
  return { ...inputs, ...Object.fromEntries(fields.map((field) => [field, configured[field]])) };
}

export function quoteOfCreation({ kind, run, urn, inputs }: Proposal, options: CallOptions): Promise<CostQuote> {
  const body = toWire(kind, inputs, run.api.now());
  return collectionAt(run.api, kind, inputs).quoteCreate(body, {
    ...options,
    purpose: operationName("quote", kind, urn),
  });
}

/** True if the refusal may be about a placeholder. It then says nothing about the proposal. */
function isAboutPlaceholder(
  kind: ResourceKind,
  run: PricingRun,
  refusal: Refusal,
  unknownFields: readonly string[],
): boolean {
  if (refusal.isAboutPath || unknownFields.length === 0) return false;
  const refused = refusedFields(kind, run.settings.dialect, refusal);
  return refused.length === 0 || refused.some((field) => unknownFields.includes(field));
}

const NOT_KNOWN_YET: QuoteReply = { quote: { status: "unknown", reason: "some of its values are not known yet" } };

/** The fields with an unknown value, or with one that an import could not see. */
function openFields({ fields }: ResourceKind, inputs: Props): [name: string, field: Field][] {
  return Object.entries(fields).filter(
    ([name, field]) => containsUnknown(inputs[name]) || isUnseen(field, inputs[name]),
  );
}

/** A value to use in a quote: a placeholder for the whole value, or for its missing members. */
function placeholderFor(field: Field, value: unknown, now: number): unknown {
  if (!isRecord(value) || containsUnknown(value)) return exampleOf(field, now);
  return { ...examplesOf(unshownMembers(field), now), ...value };
}

function withPlaceholders(kind: ResourceKind, inputs: Props, now: number): Props {
  const placeholders = openFields(kind, inputs).map(([name, field]) => [
    name,
    placeholderFor(field, inputs[name], now),
  ]);
  return { ...inputs, ...(Object.fromEntries(placeholders) as Props) };
}

function inProgramsWords({ kind, run, urn, inputs }: Proposal, refusal: Refusal): MissingQuote {
  const { settings, memory } = run;
  // A warning on the same row already has the API's words.
  if (settings.preflight === "warn" && memory.of(urn)?.isPreview === true)
    return { status: "unknown", isRefused: true, reason: REFUSED };
  const words = objectionsIn(kind, settings.dialect, inputs, refusal).map(({ text }) => text);
  return { status: "unknown", isRefused: true, reason: refusedReason(words.join("; ")) };
}

/**
 * Finds parents for quotes. The path of a quote has the parent's id, such as the VPC of a rule. If the parent does not
 * exist yet, another one of the same region is used, because the price does not depend on the parent.
 */
export class StandIns {
  /** The regions of the objects that this run makes, by type. */
  readonly #regions = new Map<string, Set<unknown>>();
  readonly #parents = new Map<string, Promise<Props | undefined>>();

  constructor(private readonly run: AdvisoryRun) {}

  noteNew({ type }: Pick<ResourceKind, "type">, { region }: Props): void {
    const regions = this.#regions.get(type) ?? new Set();
    this.#regions.set(type, regions.add(region));
  }

  /** The inputs for a quote under another parent. Undefined if the parent exists, or if no suitable one is known. */
  async inputsFor({ standIn, pathFields }: ResourceKind, inputs: Props): Promise<Props | undefined> {
    if (standIn === undefined || !pathFields.some((field) => containsUnknown(inputs[field]))) return undefined;
    const [region, another] = this.#regions.get(standIn.of.type) ?? [];
    // The parent is one that the run makes. If those have different regions, the parent's region is not known.
    if (typeof region !== "string" || containsUnknown(region) || another !== undefined) return undefined;
    const key = `${standIn.of.type} ${region}`;
    const answer = this.#parents.get(key) ?? this.#find(standIn, region);
    this.#parents.set(key, answer);
    const parent = await answer;
    return parent && standIn.inputs(parent);
  }

  async #find(standIn: NonNullable<ResourceKind["standIn"]>, region: string): Promise<Props | undefined> {
    const { api, advisory, settings } = this.run;
    const { projectId } = settings;
    if (projectId === undefined) return undefined;
    const find = async (options: CallOptions): Promise<Props | undefined> => {
      const purpose = `look for another ${standIn.of.type} to ask for a price`;
      for await (const parent of collectionAt(api, standIn.of, { projectId }).list({ ...options, purpose })) {
        if (parent["region"] === region && parent["status"] === "ready") return parent;
      }
      return undefined;
    };
    const reply = await advisory.ask("parents", find, true); // nobody reads its trouble
    return reply.status === "answered" ? reply.answer : undefined;
  }
}
