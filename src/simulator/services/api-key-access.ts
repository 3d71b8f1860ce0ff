import { ApiError, conflict, forbidden, notFound } from "../model/api-error";
import type { ApiKeyRecord } from "../model/api-keys";
import type { Caller, Permission } from "../model/permissions";
import type { CallContext } from "./call";
import type { Report } from "./validation";

/** A key is seen and touched by callers that reach all its projects: it is a resource of each of them (section 5.5, rule 2). */
export function isReachable(caller: Caller, record: ApiKeyRecord): boolean {
  return caller.isOwner || record.projectIds.every((id) => caller.reaches(id));
}

/** The key that the path names: 404 or 403 otherwise. */
export function findApiKey(call: CallContext): ApiKeyRecord {
  const record = call.world.apiKeys.table.get(call.param("api_key_id"));
  if (!record) throw notFound("API key");
  if (!isReachable(call.caller, record)) throw forbidden("the API key reaches projects outside the scope of the key");
  return record;
}

/** The same for a change: 409 for a key that the system manages (section 2.2 only says that such keys exist). */
export function findEditableApiKey(call: CallContext): ApiKeyRecord {
  const record = findApiKey(call);
  if (record.managed) throw conflict("the API key is managed by the system");
  return record;
}

/** A project that the caller reaches must exist. A project that it does not reach is an escalation, not a mistake. */
export function projectRules(call: CallContext) {
  return ({ project_ids }: { project_ids?: readonly string[] | undefined }, report: Report): void => {
    project_ids?.forEach((id, index) => {
      if (call.caller.reaches(id) && !call.world.find("projects", id))
        report(`project_ids[${index}]`, "no such project");
    });
  };
}

/** Section 5.4: what a key is given, or keeps when it is updated, must lie within the caller's own. */
export function refuseEscalation(
  caller: Caller,
  { permissions, projectIds }: { readonly permissions: readonly Permission[]; readonly projectIds: readonly string[] },
): void {
  const beyond = permissions.filter(({ resource_type, permission }) => !caller.may(resource_type, permission));
  if (beyond.length > 0) {
    const names = beyond.map(({ resource_type, permission }) => `${resource_type}:${permission}`).join(", ");
    throw new ApiError(403, "PERMISSION_ESCALATION", `beyond the permissions of the key: ${names}`);
  }
  if (!projectIds.every((id) => caller.reaches(id))) {
    throw new ApiError(403, "PROJECT_SCOPE_ESCALATION", "beyond the project scope of the key");
  }
}
