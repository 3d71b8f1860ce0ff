import { z } from "zod";
import type { Api } from "../../api/client";
import { catalogs, type CatalogName } from "../../definition/catalogs";
import { isRecord } from "../../definition/values";
import { isUnknown } from "../../engine/values";
import { namedValues, type NamedValue } from "../../definition/named-values";
import type { Props, ResourceKind } from "../kind/kind";
import { oneLine, STACK, type RowLog } from "../../engine/row-log";
import { closest } from "../../text/closest";
import type { PreflightRequests, Reply } from "../../api/advisory-requests";

/** The values of the inputs that must be in lists of the API. */
export function namedIn(kind: ResourceKind, inputs: Props): readonly NamedValue[] {
  return namedValues(kind, inputs).filter(({ value }) => !isUnknown(value));
}

/** The values of the inputs beside a value: some say what it is in. */
export type Surroundings = Readonly<Record<string, string | undefined>>;

interface Item {
  readonly value: string;
  /** For people, if the value is an id. */
  readonly name: string | undefined;
  readonly wire: Props;
}

export interface Absence {
  /** `there is no region "us-sva-1"` */
  readonly missing: string;
  /** The values that are most like it, for people. Empty if the API shows none. */
  readonly closest: readonly string[];
  /** Where the API has this id instead: `the region us-sva-2`. */
  readonly elsewhere: string | undefined;
}

interface List {
  readonly items: readonly Item[];
  /** Why a value may exist although the list lacks it. Undefined if the list seems to be complete. */
  readonly gap: string | undefined;
  /** The items of the other regions, or of whatever the list was narrowed to. */
  readonly others: readonly Item[];
}

/** Reads the lists that fields take their values from: each list once in a run, and only if somebody asks. */
export class CatalogReader {
  readonly #lists = new Map<string, Promise<Reply<List>>>();
  readonly #absences = new Map<string, Promise<Absence | undefined>>();
  readonly #known = new Set<string>();

  constructor(
    private readonly run: { readonly api: Api; readonly preflight: PreflightRequests; readonly previewRows: RowLog },
  ) {}

  /** The API has accepted a request with this value. */
  note(name: CatalogName, value: string, around: Surroundings): void {
    this.#known.add(keyOf(name, value, around));
    // A node pool does not say its region. What any region has is right for it.
    const { within } = catalogs[name];
    if (within) this.#known.add(keyOf(name, value, { ...around, [within.input]: undefined }));
  }

  #isKnown(name: CatalogName, value: string, around: Surroundings): boolean {
    return this.#known.has(keyOf(name, value, around));
  }

  /** What to say if the API does not have the value. Undefined if it has it, or if nobody knows. */
  async absence(name: CatalogName, value: string, around: Surroundings): Promise<Absence | undefined> {
    if (this.#isKnown(name, value, around)) return undefined;
    const key = keyOf(name, value, around);
    const asked = this.#absences.get(key) ?? this.#absence(name, value, around);
    this.#absences.set(key, asked);
    return asked;
  }

  async #absence(name: CatalogName, value: string, around: Surroundings): Promise<Absence | undefined> {
    const { noun } = catalogs[name];
    const list = await this.#listAround(name, around);
    if (list === undefined && isListable(name, around)) return undefined;
    if (list?.items.some((item) => item.value === value)) this.note(name, value, around);
    if (this.#isKnown(name, value, around) || !(await this.#isAbsent(name, value, around, list))) return undefined;
    const missing = `there is no ${noun} ${JSON.stringify(value)}${locationText(name, around)}`;
    const items = distinct(list?.items ?? []);
    // The id of a VPC instead of its subnet's: that subnet is meant.
    const meant = items.filter(({ wire }) => wire["id"] === value);
    const near =
      meant.length > 0 ? meant : closest(value, items, (item) => [item.value, ...(item.name ? [item.name] : [])]);
    return {
      missing,
      closest: near.map((item) => (item.name ? `${item.value} (${item.name})` : item.value)),
      elsewhere: elsewhere(name, value, list),
    };
  }

  /** An item as the API shows it. Undefined if there is none, or if nobody knows. */
  async find(name: CatalogName, value: string, around: Surroundings): Promise<Props | undefined> {
    return (await this.#listAround(name, around))?.items.find((item) => item.value === value)?.wire;
  }

  /** A list may be late, or not show everything. The object's own address decides, if there is one. */
  async #isAbsent(name: CatalogName, value: string, around: Surroundings, list: List | undefined): Promise<boolean> {
    const { path, hasItems, noun } = catalogs[name];
    if (elsewhere(name, value, list) !== undefined) return true;
    if (hasItems !== true) {
      if (list?.gap !== undefined && !(await this.#isNowhere(name, around))) await this.#warn(name, list.gap);
      return list !== undefined && list.gap === undefined;
    }
    const reply = await this.run.preflight.ask("names", (call) =>
      this.run.api.show(
        z.looseObject({}),
        [...segmentsOf(path), value],
        {},
        { ...call, purpose: `look for the ${noun}` },
      ),
    );
    if (reply.status === "skipped" && reply.trouble !== undefined) await this.#warn(name, reply.trouble);
    return reply.status === "refused" && reply.refusal.isAboutPath;
  }

  /** A region that does not exist has no items: that says nothing more. */
  async #isNowhere(name: CatalogName, around: Surroundings): Promise<boolean> {
    const container = containerOf(name, around);
    return container !== undefined && (await this.absence(container.catalog, container.value, around)) !== undefined;
  }

  async #listAround(name: CatalogName, around: Surroundings): Promise<List | undefined> {
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
    const asked = this.#lists.get(key);
    if (asked) return asked;
    const list = this.run.preflight.ask("names", async (call) => {
      const wires: Props[] = [];
      let total = 0;
      const options = { ...call, purpose: `list each ${noun}` };
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
      if (reply.status === "skipped" && reply.trouble !== undefined) await this.#warn(name, reply.trouble);
      return reply;
    });
    this.#lists.set(key, warned);
    return warned;
  }

  /** A warning under the stack. The rows of a run leave out what they have said. */
  #warn(name: CatalogName, trouble: string): Promise<void> {
    const { noun } = catalogs[name];
    const text = `The preview could not find out whether each ${noun} of the program exists: ${oneLine(trouble)}`;
    return this.run.previewRows.line(STACK, "warning", text);
  }
}

/** `total`: the number of items that the API claims, or 0. */
function gapIn(shown: number, total: number): string | undefined {
  if (shown < total) return `the list shows ${shown} of ${total}`;
  return shown === 0 ? "the list is empty" : undefined;
}

/** Where the list has an id, if not where the program says. An id is in one place only; a name may be in several. */
function elsewhere(name: CatalogName, value: string, list: List | undefined): string | undefined {
  const { within, nameAt } = catalogs[name];
  const other = list?.others.find((item) => item.value === value);
  if (within === undefined || nameAt === undefined || other === undefined) return undefined;
  return `the ${catalogs[within.catalog].noun} ${String(other.wire[within.at])}`;
}

function isListable(name: CatalogName, around: Surroundings): boolean {
  return catalogs[name].isOfProject !== true || around["projectId"] !== undefined;
}

/** What a value of the list is in, such as a region. Undefined if that does not matter, or is not known. */
function containerOf(name: CatalogName, around: Surroundings) {
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

function keyOf(name: CatalogName, value: string, around: Surroundings): string {
  const projectId = catalogs[name].isOfProject ? around["projectId"] : undefined;
  return JSON.stringify([name, value, projectId, containerOf(name, around)?.value]);
}

function locationText(name: CatalogName, around: Surroundings): string {
  const { isOfProject } = catalogs[name];
  const container = containerOf(name, around);
  return [
    isOfProject && around["projectId"] !== undefined ? ` in the project ${around["projectId"]}` : "",
    container === undefined ? "" : ` in the ${catalogs[container.catalog].noun} ${container.value}`,
  ].join("");
}

/** Without the region, an instance type is there once for each. */
function distinct(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.value, item])).values()];
}
