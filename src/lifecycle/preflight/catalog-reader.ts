import { z } from "zod";
import { catalogs, type CatalogName } from "../../definition/catalogs";
import { isRecord } from "../../definition/compare-values";
import { isUnknown } from "../../engine/values";
import { namedValues, type NamedValue } from "../../definition/named-values";
import type { Props, ResourceKind } from "../kind/kind";
import { STACK } from "../../engine/row-log";
import { closest } from "../../text/closest";
import type { Reply } from "../../api/advisory-requests";
import { warnOfTrouble } from "../report-findings";
import type { AdvisoryRun } from "../pricing/quote-of-creation";

/** Completes "The preview could not …". It names no list, because one such warning stands for all. */
const FIND_NAMES = "find out whether the names and ids in the program exist";

/** The known values of the inputs that must exist in a list of the API. */
export function namedIn(kind: ResourceKind, inputs: Props): readonly NamedValue[] {
  return namedValues(kind, inputs).filter(({ value }) => !isUnknown(value));
}

/** The other inputs of the resource. Some name the parent or region of a value. */
export type OtherInputs = Readonly<Record<string, string | undefined>>;

interface Item {
  readonly value: string;
  /** The item's name, if the value is an id. */
  readonly name: string | undefined;
  readonly wire: Props;
}

export interface Absence {
  /** `there is no region "us-sva-1"` */
  readonly missing: string;
  /** The closest values that exist, in words. Empty if there are none. */
  readonly closest: readonly string[];
  /** The other region or container in which the API has this id: `the region us-sva-2`. */
  readonly elsewhere: string | undefined;
}

interface List {
  readonly items: readonly Item[];
  /** Why a value may exist although the list does not have it. Undefined if the list seems to be complete. */
  readonly gap: string | undefined;
  /** The items that the filter by region or other container has left out. */
  readonly others: readonly Item[];
}

/** Reads the lists that fields take their values from, each at most once in a run. */
export class CatalogReader {
  readonly #lists = new Map<string, Promise<Reply<List>>>();
  readonly #absences = new Map<string, Promise<Absence | undefined>>();
  readonly #known = new Set<string>();

  constructor(private readonly run: AdvisoryRun) {}

  /** Notes that the API has accepted a request with this value. */
  note(name: CatalogName, value: string, around: OtherInputs): void {
    this.#known.add(keyOf(name, value, around));
    // Also without its region, because a node pool does not have one: any region's values are right for it.
    const { within } = catalogs[name];
    if (within) this.#known.add(keyOf(name, value, { ...around, [within.input]: undefined }));
  }

  #isKnown(name: CatalogName, value: string, around: OtherInputs): boolean {
    return this.#known.has(keyOf(name, value, around));
  }

  /** A description if the API does not have the value. Undefined if it has the value, or if that is not known. */
  async absence(name: CatalogName, value: string, around: OtherInputs): Promise<Absence | undefined> {
    if (this.#isKnown(name, value, around)) return undefined;
    const key = keyOf(name, value, around);
    const answer = this.#absences.get(key) ?? this.#absence(name, value, around);
    this.#absences.set(key, answer);
    return answer;
  }

  async #absence(name: CatalogName, value: string, around: OtherInputs): Promise<Absence | undefined> {
    const { noun } = catalogs[name];
    const list = await this.#listAround(name, around);
    if (list === undefined && isListable(name, around)) return undefined;
    if (list?.items.some((item) => item.value === value)) this.note(name, value, around);
    if (this.#isKnown(name, value, around) || !(await this.#isAbsent(name, value, around, list))) return undefined;
    const missing = `there is no ${noun} ${JSON.stringify(value)}${locationText(name, around)}`;
    // Without a filter, the list has an instance type once for each region.
    const items = [...new Map((list?.items ?? []).map((item) => [item.value, item])).values()];
    // The value is the id of a VPC instead of its subnet's: suggest that subnet.
    const meant = items.filter(({ wire }) => wire["id"] === value);
    const near =
      meant.length > 0 ? meant : closest(value, items, (item) => [item.value, ...(item.name ? [item.name] : [])]);
    return {
      missing,
      closest: near.map((item) => (item.name ? `${item.value} (${item.name})` : item.value)),
      elsewhere: otherContainer(name, value, list),
    };
  }

  /** The item with this value, as the API shows it. Undefined if it does not exist, or if that is not known. */
  async find(name: CatalogName, value: string, around: OtherInputs): Promise<Props | undefined> {
    return (await this.#listAround(name, around))?.items.find((item) => item.value === value)?.wire;
  }

  /**
   * True if the value certainly does not exist. A list may lag behind or be incomplete, so the object's own path
   * decides, if it has one.
   */
  async #isAbsent(name: CatalogName, value: string, around: OtherInputs, list: List | undefined): Promise<boolean> {
    const { path, hasItems, noun } = catalogs[name];
    if (otherContainer(name, value, list) !== undefined) return true;
    if (hasItems !== true) {
      if (list?.gap !== undefined && !(await this.#isContainerAbsent(name, around)))
        await this.#warnOfGap(name, list.gap);
      return list !== undefined && list.gap === undefined;
    }
    const reply = await this.run.advisory.ask("names", (options) =>
      this.run.api.show(
        z.looseObject({}),
        [...segmentsOf(path), value],
        {},
        { ...options, purpose: `look for the ${noun}` },
      ),
    );
    await warnOfTrouble(this.run, reply, FIND_NAMES);
    return reply.status === "refused" && reply.refusal.isAboutPath;
  }

  /** True if the region or other container does not exist itself, which explains why the list is empty. */
  async #isContainerAbsent(name: CatalogName, around: OtherInputs): Promise<boolean> {
    const container = containerOf(name, around);
    return container !== undefined && (await this.absence(container.catalog, container.value, around)) !== undefined;
  }

  async #listAround(name: CatalogName, around: OtherInputs): Promise<List | undefined> {
    if (!isListable(name, around)) return undefined;
    const reply = await this.#list(name, catalogs[name].isOfProject ? around["projectId"] : undefined);
    if (reply.status !== "answered") return undefined;
    const container = containerOf(name, around);
    if (container === undefined) return reply.answer;
    const { at, value } = container;
    const items = reply.answer.items.filter(({ wire }) => wire[at] === value);
    const others = reply.answer.items.filter(({ wire }) => wire[at] !== value);
    const gap = items.length === 0 ? `the list is empty for ${value}` : undefined;
    return { items, gap: reply.answer.gap ?? gap, others };
  }

  #list(name: CatalogName, projectId: string | undefined): Promise<Reply<List>> {
    const { path, noun, valueAt, nameAt } = catalogs[name];
    const query = projectId === undefined ? {} : { project_id: projectId };
    const key = JSON.stringify([path, valueAt, query]);
    const answer = this.#lists.get(key);
    if (answer) return answer;
    const list = this.run.advisory.ask("names", async (advisory) => {
      const wires: Props[] = [];
      let total = 0;
      const options = { ...advisory, purpose: `list each ${noun}` };
      for await (const page of this.run.api.pages(z.looseObject({}), segmentsOf(path), query, options)) {
        wires.push(...page.items);
        total = Math.max(total, page.totalCount ?? 0);
      }
      const items = wires.flatMap((wire) => {
        const value = textAt(wire, valueAt);
        return value === undefined ? [] : [{ value, name: nameAt && textAt(wire, nameAt), wire }];
      });
      return { items, gap: gapIn(wires.length, total), others: [] };
    });
    const warned = list.then(async (reply) => {
      await warnOfTrouble(this.run, reply, FIND_NAMES);
      return reply;
    });
    this.#lists.set(key, warned);
    return warned;
  }

  /** Warns under the stack. A repeated text is shown only once. */
  #warnOfGap(name: CatalogName, gap: string): Promise<void> {
    const { noun } = catalogs[name];
    const text = `The preview could not find out whether each ${noun} of the program exists: ${gap}`;
    return this.run.previewRows.line(STACK, "warning", text);
  }
}

/** Returns why the list may be incomplete, or undefined. `total`: the API's count of items; 0 if the API gives none. */
function gapIn(shown: number, total: number): string | undefined {
  if (shown < total) return `the list shows ${shown} of ${total}`;
  return shown === 0 ? "the list is empty" : undefined;
}

/**
 * The region or other container in which an id exists, if it is not the program's. Only for ids, because a name may
 * exist in several.
 */
function otherContainer(name: CatalogName, value: string, list: List | undefined): string | undefined {
  const { within, nameAt } = catalogs[name];
  const other = list?.others.find((item) => item.value === value);
  if (within === undefined || nameAt === undefined || other === undefined) return undefined;
  return `the ${catalogs[within.catalog].noun} ${String(other.wire[within.at])}`;
}

function isListable(name: CatalogName, around: OtherInputs): boolean {
  return catalogs[name].isOfProject !== true || around["projectId"] !== undefined;
}

/** The region or other container of a value. Undefined if the list has none, or if it is not known. */
function containerOf(name: CatalogName, around: OtherInputs) {
  const { within } = catalogs[name];
  const value = within && around[within.input];
  return within === undefined || value === undefined ? undefined : { ...within, value };
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function textAt(wire: unknown, at: readonly string[]): string | undefined {
  const value = at.reduce<unknown>((object, member) => (isRecord(object) ? object[member] : undefined), wire);
  return typeof value === "string" ? value : undefined;
}

function keyOf(name: CatalogName, value: string, around: OtherInputs): string {
  const projectId = catalogs[name].isOfProject ? around["projectId"] : undefined;
  return JSON.stringify([name, value, projectId, containerOf(name, around)?.value]);
}

function locationText(name: CatalogName, around: OtherInputs): string {
  const { isOfProject } = catalogs[name];
  const container = containerOf(name, around);
  return [
    isOfProject && around["projectId"] !== undefined ? ` in the project ${around["projectId"]}` : "",
    container === undefined ? "" : ` in the ${catalogs[container.catalog].noun} ${container.value}`,
  ].join("");
}
