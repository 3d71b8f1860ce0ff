import { quotaWords, unshownQuotas, type MachineOf, type QuotaName, type QuotaUse } from "../../definition/quotas";
import { quotaSchema } from "../../definition/response-schemas";
import type { Definition } from "../../definition/types";
import { valuesInPresentNames } from "../../definition/compare-fields";
import { isRecord } from "../../definition/compare-values";
import { containsUnknown } from "../../engine/values";
import type { Finding, Props, ResourceKind } from "../kind/kind";
import { STACK, type RowLog } from "../../engine/row-log";
import { type CatalogReader, namedIn } from "./catalog-reader";
import type { AdvisoryRequests, Reply } from "../../api/advisory-requests";
import type { CallOptions } from "../../api/client";
import { warnOfTrouble, withoutAnswer } from "../report-findings";
import { preflightSeverity } from "./existence";
import { columnsTable } from "../../text/terminal-table";
import type { Settings } from "../../settings/config";

/** The inputs of an object before and after this run. `before` is undefined for a new object. */
export interface BeforeAndAfter {
  readonly before: Props | undefined;
  readonly after: Props;
}

interface QuotaTools {
  readonly api: {
    show(schema: typeof quotaSchema, path: readonly string[], query: Props, options: CallOptions): Promise<Props>;
  };
  readonly settings: Pick<Settings, "dialect" | "preflight" | "region">;
  readonly advisory: AdvisoryRequests;
  readonly catalogs: Pick<CatalogReader, "absence" | "find">;
  readonly previewRows: Pick<RowLog, "line">;
}

export interface QuotaVerdict {
  readonly findings: readonly Finding[];
  /** True if the object alone exceeds a whole quota, so that it can never fit. */
  readonly isFinal: boolean;
}

const FITS: QuotaVerdict = { findings: [], isFinal: false };
const NAMES = Object.keys(quotaWords) as QuotaName[];

/** Adds up what the resources of a preview need of each region's quotas, and compares the sums with the limits. */
export class QuotaSums {
  readonly #uses = new Map<string, { readonly region: string; readonly use: QuotaUse }>();
  readonly #quotas = new Map<string, Promise<Reply<Props>>>();
  readonly #regions = new Set<string>();
  /** By region: its quotas, and the names of those that the program exceeds. */
  readonly #exceeded = new Map<string, { readonly quota: Props; readonly names: Set<QuotaName> }>();

  constructor(private readonly run: QuotaTools) {}

  /**
   * Decides whether the resource fits into the quotas of its region. They are read once, when a resource needs more
   * than before.
   */
  async verdict(kind: ResourceKind, urn: string, sizes: BeforeAndAfter): Promise<QuotaVerdict> {
    const region = this.#regionOf(sizes.after);
    if (kind.quotas === undefined || region === undefined) return FITS;
    const { use, total } = await this.#useOf(kind, region, sizes);
    this.#uses.set(urn, { region, use });
    const grown = NAMES.filter((name) => (use[name] ?? 0) > 0);
    if (grown.length === 0) return FITS;
    const reply = await this.#quotaOf(region);
    if (reply.status !== "answered") return FITS;
    const full = this.#rows(region, reply.answer).filter(({ name, missing }) => grown.includes(name) && missing > 0);
    const over = full.filter(({ name, limit }) => (total[name] ?? 0) > limit);
    if (over.length > 0) {
      // This resource will never be made, so it does not count in the sums of the others.
      this.#uses.delete(urn);
      const texts = over.map(({ name, limit }) => `${quotaWords[name]}: ${total[name] ?? 0} of ${limit}`);
      const reason =
        `is larger than a whole quota of ${region}: ${texts.join(", ")}. ` +
        `Make it smaller, use another region, or ask for a higher quota: otherwise the update fails`;
      return { findings: [{ severity: preflightSeverity(this.run), field: "", reason }], isFinal: true };
    }
    if (full.length === 0) return FITS;
    const exceeded = this.#exceeded.get(region) ?? { quota: reply.answer, names: new Set<QuotaName>() };
    for (const { name } of full) exceeded.names.add(name);
    this.#exceeded.set(region, exceeded);
    const texts = full.map(({ name, limit, used, added }) => `${quotaWords[name]}: ${used + added} of ${limit}`);
    const reason = `does not fit into the quotas of ${region} any longer: with it, ${texts.join(", ")}`;
    return { findings: [{ severity: preflightSeverity(this.run, "now"), field: "", reason }], isFinal: false };
  }

  /** Called once, at the end of the run: warns of the exceeded quotas, with the sums of all resources. */
  async warn(): Promise<void> {
    for (const [region, { quota, names }] of this.#exceeded) {
      const full = this.#rows(region, quota).filter(({ name, missing }) => names.has(name) && missing > 0);
      if (full.length > 0) await this.run.previewRows.line(STACK, "warning", quotaTable(region, full));
    }
  }

  #rows(region: string, quota: Props): QuotaRow[] {
    return NAMES.flatMap((name) => {
      const [group = "", member = ""] = name.split(".");
      const members: unknown = quota[group];
      const detail = isRecord(members) ? members[member] : undefined;
      if (!isRecord(detail) || typeof detail["limit"] !== "number" || typeof detail["used"] !== "number") return [];
      const { limit, used } = detail;
      const added = this.#sum(region, name);
      return [{ name, limit, used, added, missing: Math.max(0, used + added - limit) }];
    });
  }

  #sum(region: string, name: QuotaName): number {
    let sum = 0;
    for (const each of this.#uses.values()) if (each.region === region) sum += each.use[name] ?? 0;
    return sum;
  }

  /** `use`: the increase in this run. `total`: all that the object needs. */
  async #useOf(
    kind: ResourceKind,
    region: string,
    { before, after }: BeforeAndAfter,
  ): Promise<{ readonly use: QuotaUse; readonly total: QuotaUse }> {
    const machines = await machinesOf(kind, this.run.catalogs, region, [before ?? {}, after]);
    const take = (inputs: Props | undefined): QuotaUse =>
      inputs === undefined ? {} : quotaUse(kind, knownInputs(inputs), machines);
    const [was, total] = [take(before), take(after)];
    const unshown: readonly QuotaName[] = unshownQuotas[this.run.settings.dialect];
    const shown = NAMES.filter((name) => !unshown.includes(name));
    return { total, use: Object.fromEntries(shown.map((name) => [name, (total[name] ?? 0) - (was[name] ?? 0)])) };
  }

  #quotaOf(region: string): Promise<Reply<Props>> {
    const answer = this.#quotas.get(region) ?? this.#askQuota(region);
    this.#quotas.set(region, answer);
    return answer;
  }

  async #askQuota(region: string): Promise<Reply<Props>> {
    const { api, advisory } = this.run;
    const reply = await advisory.ask("quotas", (options) =>
      api.show(quotaSchema, ["v1", "quotas", region], {}, { ...options, purpose: `ask for the quotas of ${region}` }),
    );
    const isAboutRegion = reply.status === "refused" && reply.refusal.isAboutPath && (await this.#isMissing(region));
    if (!isAboutRegion) await warnOfTrouble(this.run, withoutAnswer(reply), "look at the quotas");
    return reply;
  }

  /** True if there is no such region, which the resource's own row says. */
  async #isMissing(region: string): Promise<boolean> {
    return (await this.run.catalogs.absence("region", region, {})) !== undefined;
  }

  /**
   * The region of the object. For a node pool, which has none, the program's only region counts, or the configured one.
   */
  #regionOf({ region }: Props): string | undefined {
    if (typeof region === "string" && !containsUnknown(region)) {
      this.#regions.add(region);
      return region;
    }
    const [only, another] = this.#regions;
    return another === undefined ? (only ?? this.run.settings.region) : this.run.settings.region;
  }
}

/** What an object needs of its region's quotas. `inputs` must have no unknown values. */
export function quotaUse(kind: Definition, inputs: Props, machineOf: MachineOf): QuotaUse {
  return kind.quotas?.(valuesInPresentNames(kind.inputs, inputs), machineOf) ?? {};
}

async function machinesOf(
  kind: ResourceKind,
  catalogs: QuotaTools["catalogs"],
  region: string,
  sides: readonly Props[],
): Promise<MachineOf> {
  const named = sides.flatMap((inputs) => namedIn(kind, inputs)).filter(({ catalog }) => catalog === "instanceType");
  const around = { region };
  const types = await Promise.all(
    [...new Set(named.map(({ value }) => value))].map(
      async (value) => [value, await catalogs.find("instanceType", value, around)] as const,
    ),
  );
  const sizes = new Map(types);
  return (instanceType) => {
    const { vcpu, memory_gb: memoryGb } = sizes.get(instanceType ?? "") ?? {};
    return typeof vcpu === "number" && typeof memoryGb === "number" ? { vcpu, memoryGb } : undefined;
  };
}

function knownInputs(inputs: Props): Props {
  return Object.fromEntries(
    Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null && !containsUnknown(value)),
  );
}

interface QuotaRow {
  readonly name: QuotaName;
  readonly limit: number;
  readonly used: number;
  readonly added: number;
  readonly missing: number;
}

const HEADINGS = ["Quota", "Limit", "Used", "Added", "Missing"];

function quotaTable(region: string, rows: readonly QuotaRow[]): string {
  const cells = rows.map(({ name, limit, used, added, missing }) => [
    quotaWords[name],
    ...[limit, used, added, missing].map(String),
  ]);
  const table = columnsTable(cells, { head: HEADINGS, isRight: (column) => column > 0 });
  return [
    `The quotas of ${region} have no room for everything that this program adds:`,
    "",
    table.replace(/^/gm, "  "),
    "",
    "The sums count all resources that this preview has checked. Each resource that no longer fits has its own line. Resources",
    "that leave the program are not counted, because a preview does not show them to the provider. If they do not make enough room, use",
    "another region, or ask for a higher quota: otherwise the update fails.",
  ].join("\n");
}
