/** ResourceStatus: of every object that an operation makes. */
export const RESOURCE_STATUSES = ["pending", "creating", "updating", "ready", "deleting", "deleted", "error"] as const;
