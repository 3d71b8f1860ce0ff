import { z } from "zod";
import type { Api, CallOptions } from "../api/client";
import { NO_ID } from "../definition/same-id";
import { listedBy } from "../definition/definition";
import { partFields } from "../definition/parts";
import type { Definition } from "../definition/types";
import { containsUnknown, isUnknown } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";
import { SECRET_INPUT } from "../text/redaction";
import { definitions } from "../resources/definitions";
import {
  API_KEY_PERMISSION_LEVEL,
  API_KEY_RESOURCE_TYPE,
  type ApiKeyPermission,
  type ApiKeyPermissionLevel,
  type ApiKeyResourceType,
} from "../resources/api-key-permission";

/** A permission that a program needs, and the resources and functions that need it. */
export interface NeededPermission extends ApiKeyPermission {
  readonly neededBy: readonly string[];
}

/**
 * The resource types of endpoints that belong to no kind. A path below one of these, or below that of a kind, needs the
 * same permission.
 */
const OTHER_PATHS: Readonly<Record<string, ApiKeyResourceType>> = {
  "/v1/audit_logs": "audit_log",
  "/v1/networking/connect/routes": "connect_connection",
  "/v1/nks/kubernetes_versions": "nks_cluster",
  "/v1/organizations": "organization",
  "/v1/organizations/{organizationId}/billing": "usage",
  "/v1/organizations/{organizationId}/billing/history": "organization",
  "/v1/rpc_nodes/dedicated": "rpc_node_dedicated",
  "/v1/usage": "usage",
};

/** For a kind without its own resource type, such as a firewall rule, the resource type of its parent counts. */
const ofKinds = definitions.flatMap(({ type, path }) => {
  const own = type.replaceAll(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
  const resourceType = API_KEY_RESOURCE_TYPE.values.find((each) => each === own);
  return resourceType ? [[path, resourceType] as const] : [];
});

const byPath = [...ofKinds, ...Object.entries(OTHER_PATHS)]
  .sort(([one], [other]) => other.length - one.length)
  .map(([path, resourceType]) => [new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}(/|$)`), resourceType] as const);

/** The resource type of the permission that an endpoint needs. Undefined if any valid key may use the endpoint. */
export function resourceTypeOf(path: string): ApiKeyResourceType | undefined {
  return byPath.find(([pattern]) => pattern.test(path))?.[1];
}

const shortestFirst = Object.entries(OTHER_PATHS).sort(([one], [other]) => one.length - other.length);

/**
 * Asks the API whether the key has a permission. For a resource type without a kind, no request shows whether the key
 * may edit: the answer is then undefined, unless the key may not even read. Rejects as `permits` does.
 */
export async function isHeld(
  api: Api,
  { resourceType, permission }: ApiKeyPermission,
  options: CallOptions,
): Promise<boolean | undefined> {
  const isOfType = ([, each]: readonly [string, ApiKeyResourceType]): boolean => each === resourceType;
  const kind = ofKinds.find(isOfType);
  const [path = ""] = kind ?? shortestFirst.find(isOfType) ?? [];
  const segments = path.split("/").slice(1);
  const nothing = [...segments.map((each) => (each.startsWith("{") ? NO_ID : each)), NO_ID];
  const level = kind ? permission : "read";
  const isPermitted = await api.permits(level, nothing, options);
  return isPermitted && level !== permission ? undefined : isPermitted;
}

/**
 * A request that shows whether the key has access to a project: a list of the project, of objects that the key may
 * read. Undefined if there is none.
 */
export function reaches(
  held: readonly ApiKeyPermission[],
): ((api: Api, projectId: string, options: CallOptions) => Promise<boolean>) | undefined {
  const listed = definitions.find(
    (each) =>
      listedBy(each) !== undefined && held.some(({ resourceType }) => resourceType === resourceTypeOf(each.path)),
  );
  return listed && ((api, projectId, options) => api.reaches(projectId, listed.path.split("/").slice(1), options));
}

const ids = z.array(z.string()).catch([]);
const named = z
  .object({ projectId: z.string().optional().catch(undefined), projectIds: ids.optional() })
  .transform(({ projectId, projectIds = [] }) => [...(projectId === undefined ? [] : [projectId]), ...projectIds])
  .catch([]);

/**
 * The known projects of a resource. Those of an ApiKey count too, because a key can give another key access to its own
 * projects only.
 */
export function projectsOf(inputs: unknown): readonly string[] {
  return named.parse(inputs).filter((id) => !isUnknown(id) && id !== SECRET_INPUT);
}

/**
 * The fields of a resource in a preview's JSON that name a project or a permission which Pulumi does not show. Projects
 * that are not known yet do not count: they are new ones of the program.
 */
export function hiddenNeeds(inputs: Props = {}): readonly string[] {
  const isHidden = (field: string): boolean =>
    JSON.stringify([inputs[field]]).includes(`"${SECRET_INPUT}"`) ||
    (field === "permissions" && containsUnknown(inputs[field]));
  return ["permissions", "projectId", "projectIds"].filter(isHidden);
}

/** The permissions in the inputs of an ApiKey. Empty for other kinds. */
const given = z
  .object({
    permissions: z.array(
      z.object({
        resourceType: z.enum(API_KEY_RESOURCE_TYPE.values),
        permission: z.enum(API_KEY_PERMISSION_LEVEL.values),
      }),
    ),
  })
  .transform(({ permissions }) => permissions)
  .catch([]);

/** Collects the permission levels that a program needs, by resource type. */
export class NeededPermissions {
  readonly #needed = new Map<ApiKeyResourceType, { level: ApiKeyPermissionLevel; readonly by: Set<string> }>();

  /**
   * The permissions in the order of the specification. The names are sorted, because a preview shows resources in any
   * order.
   */
  list(): readonly NeededPermission[] {
    return API_KEY_RESOURCE_TYPE.values.flatMap((resourceType) => {
      const needed = this.#needed.get(resourceType);
      return needed ? [{ resourceType, permission: needed.level, neededBy: [...needed.by].sort() }] : [];
    });
  }

  /** Adds a permission. `edit` replaces `read`, because it includes that. */
  add(resourceType: ApiKeyResourceType | undefined, level: ApiKeyPermissionLevel, by: string): void {
    if (resourceType === undefined) return;
    const needed = this.#needed.get(resourceType) ?? { level, by: new Set<string>() };
    if (level === "edit") needed.level = level;
    needed.by.add(by);
    this.#needed.set(resourceType, needed);
  }

  addResource(definition: Definition, level: ApiKeyPermissionLevel, by: string, inputs: unknown): void {
    for (const { resourceType, permission } of needsOf(definition, level, inputs))
      this.add(resourceType, permission, by);
  }
}

/**
 * The permissions that a resource needs, for `edit` through its whole life or for `read`. Its parts need permissions
 * too, because they have their own endpoints. So do the permissions of an ApiKey, because a key cannot give a
 * permission that it lacks (specification, section 5.4). `changed`: the fields that a step changes in place. It is
 * empty for a creation, which makes the parts with the object.
 */
export function needsOf(
  definition: Definition,
  permission: ApiKeyPermissionLevel,
  inputs: unknown,
  changed?: readonly string[],
): readonly ApiKeyPermission[] {
  const parts = partFields(definition).filter(({ name }) => changed === undefined || changed.includes(name));
  const paths = [definition, ...parts.map(({ part }) => part.of)].map(({ path }) => path);
  const own = paths.flatMap((path) => resourceTypeOf(path) ?? []);
  return [...own.map((resourceType) => ({ resourceType, permission })), ...given.parse(inputs)];
}
