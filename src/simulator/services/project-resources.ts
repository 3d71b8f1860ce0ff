import { z } from "zod";
import type { Region } from "../schemas/organization";
import { regionProblem } from "../model/regions";
import type { World } from "../model/world";
import { projectIdFilter, sortBy, sortedPageQuery } from "../schemas/list";
import { resourceFilters } from "./resource-lists";
import type { Report } from "./validation";

/** The query of a list of resources of one project. */
export const projectResourcesQuery = sortedPageQuery.extend({
  project_id: projectIdFilter,
  sort: sortBy("created_at", "updated_at", "name", "status"),
  region: z.string().optional(),
  ...resourceFilters,
});

/** The rules on where a resource is placed: its project exists, and its region has the feature. */
export function placementRules(world: World, feature: keyof Region["networking"]) {
  return (members: { project_id?: unknown; region?: unknown }, report: Report): void => {
    const { project_id, region } = members;
    if (typeof project_id === "string" && !world.projects.get(project_id)) report("project_id", "no such project");
    const problem = typeof region === "string" ? regionProblem(region, feature) : undefined;
    if (problem !== undefined) report("region", problem);
  };
}
