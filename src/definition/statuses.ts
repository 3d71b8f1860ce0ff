/** ResourceStatus: of everything that is made by an operation. */
export const RESOURCE_STATUSES = ["pending", "creating", "updating", "ready", "deleting", "deleted", "error"] as const;
