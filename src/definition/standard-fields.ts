import { IF_LEFT_EMPTY, instant, list, openOneOf, text, type NameLimits } from "./field";

// The fields that most kinds have, with their documentation. On the page of a kind, the last word of its noun replaces
// "the object".

/** For objects of a project. */
export const ofProject = {
  /** The id of the project that it belongs to. Default: `cloudinfra:projectId`. Changing it replaces the object. */
  projectId: text({ configured: "projectId", names: "project", change: "replace" }),
};

/** For objects of a region. */
export const inRegion = {
  /**
   * The name of the region that it is in: `getRegions` lists them. Default: `cloudinfra:region`. Changing it replaces
   * the object.
   */
  region: text({ configured: "region", names: "region", change: "replace" }),
};

/** Tags to find an object by. */
export const tagged = {
  /**
   * Its tags: words by which lists can be filtered. At most 50. Their order does not matter. Changed in place. If they
   * are left out, they are cleared.
   */
  tags: list(text({ ifEmpty: IF_LEFT_EMPTY }), { max: 50, unordered: true, default: [] }),
};

/** For objects with a name. `limits`: the API's rules for it. */
export function named(limits: NameLimits) {
  return {
    /** Its name at the API. Default: the logical name with seven hex characters behind it. Changed in place. */
    name: text({ chosen: true, ...(limits.min === undefined && { ifEmpty: IF_LEFT_EMPTY }), ...limits }),
  };
}

/** ResourceStatus: of every object that an operation makes. */
export const RESOURCE_STATUSES = ["pending", "creating", "updating", "ready", "deleting", "deleted", "error"] as const;

/** The state of objects that operations make. */
export const status = {
  /** The state of the object. */
  status: openOneOf(RESOURCE_STATUSES),
};

/** For all objects: their times. */
export const times = {
  /** When it was made, in UTC. */
  createdAt: instant(),
  /** When it was last changed, in UTC. */
  updatedAt: instant({ changesWith: "any" }),
};
