import { z } from "zod";
import { tagsFilter } from "../schemas/list";
import { resourceStatus } from "../schemas/primitives";

/** The filters that the lists of all resources with a status share (section 2.1 shows none; those of the public clients). */
export const resourceFilters = {
  name: z.string().optional().describe("A part of the name, in any case"),
  status: resourceStatus.exclude(["deleted"]).optional(),
  tags: tagsFilter,
};

/** The filters of a list of resources. */
export interface Filters {
  readonly name?: string | undefined;
  readonly region?: string | undefined;
  readonly status?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** What the filters look at. */
export interface Filtered {
  readonly name: string;
  readonly region?: string;
  readonly status?: string;
  readonly tags: readonly string[];
}

/** The filters of one kind only, each with what it is compared with. */
export type OwnFilters<T> = Readonly<Record<string, (resource: T) => unknown>>;

/** The test of a list's filters; undefined when there are none, so that nothing beyond the page is looked at. */
export function matchesOf<T extends Filtered>(
  filters: Filters & Readonly<Record<string, unknown>>,
  ownFilters: OwnFilters<T> = {},
): ((resource: T) => boolean) | undefined {
  const { name, region, status, tags } = filters;
  const tests: ((resource: T) => boolean)[] = [];
  if (name !== undefined) {
    const part = name.toLowerCase();
    tests.push((resource) => resource.name.toLowerCase().includes(part));
  }
  if (region !== undefined) tests.push((resource) => resource.region === region);
  if (status !== undefined) tests.push((resource) => resource.status === status);
  if (tags !== undefined) tests.push((resource) => tags.every((tag) => resource.tags.includes(tag)));
  for (const [filter, valueOf] of Object.entries(ownFilters)) {
    const wanted = filters[filter];
    if (wanted !== undefined) tests.push((resource) => valueOf(resource) === wanted);
  }
  return tests.length === 0 ? undefined : (resource) => tests.every((matches) => matches(resource));
}
