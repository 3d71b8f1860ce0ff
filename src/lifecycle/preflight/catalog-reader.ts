import { z } from "zod";
import type { Api } from "../../api/client";
import { catalogs, type CatalogName } from "../../definition/catalogs";
import { isRecord } from "../engine-values";
import type { Props } from "../kind";
import { oneLine, type RowLog } from "../row-log";
import { closest } from "./closest";
import type { Questions, Reply } from "./questions";

/** Where a value is looked for. */
export interface Surroundings {
  readonly projectId: string | undefined;
  readonly region: string | undefined;
}

/** An item of a catalog. */
interface Item {
  readonly value: string;
  /** For people, if the value is an id. */
  readonly name: string | undefined;
  readonly wire: Props;
}

/** Reads the lists that fields take their values from: each list once in a run, and only if somebody asks. */
export class CatalogReader {
  readonly #lists = new Map<string, Promise<Reply<readonly Item[]>>>();
  readonly #absences = new Map<string, Promise<string | undefined>>();
  /** What the API is known to have. */
  readonly #known = new Set<string>();

  constructor(
    private readonly run: { readonly api: Api; readonly questions: Questions; readonly previewRows: RowLog },
  ) {}

  /** The API has accepted a request with this value. */
  note(name: CatalogName, value: string, around: Surroundings): void {
    this.#known.add(keyOf(name, value, around));
  }

  isKnown(name: CatalogName, value: string, around: Surroundings): boolean {
    return this.#known.has(keyOf(name, value, around));
  }

  /** What to say if the API does not have the value. Undefined if it has it, or if nobody knows. */
  absence(name: CatalogName, value: string, around: Surroundings): Promise<string | undefined> {
    const key = keyOf(name, value, around);
    const asked = this.#absences.get(key) ?? this.#absence(name, value, around);
    this.#absences.set(key, asked);
    return asked;
  }

  async #absence(name: CatalogName, value: string, around: Surroundings): Promise<string | undefined> {
    const { noun } = catalogs[name];
    const items = await this.#items(name, around);
    if (items === undefined && isListable(name, around)) return undefined;
    if (items?.some((item) => item.value === value)) {
      this.note(name, value, around);
      return undefined;
    }
    if (!(await this.#isAbsent(name, value, items))) return undefined;
    const missing = `there is no ${noun} ${JSON.stringify(value)}${placeOf(name, around)}`;
    const near = closest(value, distinct(items ?? []), (item) => [item.value, ...(item.name ? [item.name] : [])]);
    if (near.length === 0) return missing;
    const words = near.map((item) => (item.name === undefined ? item.value : `${item.value} (${item.name})`));
    return `${missing}. ${near.length === 1 ? "The closest is" : "The closest are"} ${words.join(", ")}`;
  }

  /** An item as the API shows it. Undefined if there is none, or if nobody knows. */
  async find(name: CatalogName, value: string, around: Surroundings): Promise<Props | undefined> {
    return (await this.#items(name, around))?.find((item) => item.value === value)?.wire;
  }

  /** A list may be late, or not show everything. The object's own address decides, if there is one. */
  async #isAbsent(name: CatalogName, value: string, items: readonly Item[] | undefined): Promise<boolean> {
    const { path, hasItems, noun } = catalogs[name];
    if (hasItems !== true) return items !== undefined;
    const reply = await this.run.questions.ask("names", (call) =>
      this.run.api.show(z.looseObject({}), [...segmentsOf(path), value], {}, { ...call, what: `look for the ${noun}` }),
    );
    return reply.status === "refused" && reply.refusal.isAboutPath;
  }

  async #items(name: CatalogName, around: Surroundings): Promise<readonly Item[] | undefined> {
    const { isOfProject, isOfRegion } = catalogs[name];
    const { projectId, region } = around;
    if (!isListable(name, around)) return undefined;
    const reply = await this.#list(name, isOfProject ? projectId : undefined);
    if (reply.status !== "answered") return undefined;
    return isOfRegion && region !== undefined
      ? reply.answer.filter(({ wire }) => wire["region"] === region)
      : reply.answer;
  }

  #list(name: CatalogName, projectId: string | undefined): Promise<Reply<readonly Item[]>> {
    const { path, noun, valueAt, nameAt } = catalogs[name];
    const query = projectId === undefined ? {} : { project_id: projectId };
    const key = JSON.stringify([path, valueAt, query]);
    const asked = this.#lists.get(key);
    if (asked) return asked;
    const list = this.run.questions.ask("names", async (call) => {
      const items: Item[] = [];
      const what = `list each ${noun}`;
      for await (const wire of this.run.api.list(z.looseObject({}), segmentsOf(path), query, { ...call, what })) {
        const value = textAt(wire, valueAt);
        if (value !== undefined) items.push({ value, name: nameAt && textAt(wire, nameAt), wire });
      }
      return items;
    });
    const told = list.then(async (reply) => {
      if (reply.status === "unanswered" && reply.trouble !== undefined) {
        const text = `The preview could not find out whether each ${noun} of the program exists: ${oneLine(reply.trouble)}`;
        await this.run.previewRows.line("", "warning", text);
      }
      return reply;
    });
    this.#lists.set(key, told);
    return told;
  }
}

function isListable(name: CatalogName, { projectId }: Surroundings): boolean {
  return catalogs[name].isOfProject !== true || projectId !== undefined;
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function textAt(wire: unknown, at: readonly string[]): string | undefined {
  const value = at.reduce<unknown>((holder, member) => (isRecord(holder) ? holder[member] : undefined), wire);
  return typeof value === "string" ? value : undefined;
}

function keyOf(name: CatalogName, value: string, { projectId, region }: Surroundings): string {
  const { isOfProject, isOfRegion } = catalogs[name];
  return JSON.stringify([name, value, isOfProject ? projectId : null, isOfRegion ? region : null]);
}

function placeOf(name: CatalogName, { projectId, region }: Surroundings): string {
  const { isOfProject, isOfRegion } = catalogs[name];
  return [
    isOfProject && projectId !== undefined ? ` in the project ${projectId}` : "",
    isOfRegion && region !== undefined ? ` in ${region}` : "",
  ].join("");
}

/** Without the region, an instance type is there once for each. */
function distinct(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.value, item])).values()];
}
