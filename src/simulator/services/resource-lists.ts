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

/** The test of a list's filters; undefined when there are none, so that nothing beyond the page is looked at. */
export function matchesOf(filters: Filters): ((resource: Filtered) => boolean) | undefined {
  const { name, region, status, tags } = filters;
  if (name === undefined && region === undefined && status === undefined && tags === undefined) return undefined;
  const part = name?.toLowerCase();
  return (resource) =>
    (part === undefined || resource.name.toLowerCase().includes(part)) &&
    (region === undefined || resource.region === region) &&
    (status === undefined || resource.status === status) &&
    (tags === undefined || tags.every((tag) => resource.tags.includes(tag)));
}
