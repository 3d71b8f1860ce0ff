import { flag, instant, integer, list, object, openOneOf, text } from "../../definition/field";
import { apiKey } from "../../resources/api-key";
import { project } from "../../resources/project";
import { all, objectsOf, one, shape, byIdOrName, outputForm } from "../lookup";
import { name, int, organizationId, projectId, sort, status, tags, word } from "./filters";

/** Without the fields of the rotation, which only the program and the state have. */
const keys = objectsOf(apiKey, {}, [
  ...(["lifetime", "rotateBefore", "rotationTrigger", "deleteOld"] as const),
  ...(["rotatesAt", "generation", "replacedId"] as const),
]);
const projects = objectsOf(project, {}, []);
const organizationShape = shape({
  ...{ id: text(), name: text(), type: openOneOf(["personal", "company"]), personal: flag() },
  billingEmail: text({ optional: true }),
  billingState: openOneOf(["unfunded", "active", "requires_action", "suspended", "closed"]),
  billingStateSince: instant(),
  chargingModel: openOneOf(["manual", "prepaid"]),
  domains: list(object({ id: text(), domain: text(), verified: flag() })),
  services: object({ cloud: flag(), jitProvisioning: flag(), scim: flag(), siem: flag(), sso: flag() }),
  ...{ createdAt: instant(), updatedAt: instant() },
});

/** The API keys of the organization, without their secrets. */
export const getApiKeys = all("getApiKeys", keys({ name, status, tags, sort }));
/** The output form of `getApiKeys`: it accepts Inputs and returns an Output. */
export const getApiKeysOutput = outputForm(getApiKeys);
/** One API key, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getApiKey = byIdOrName("getApiKey", keys({}));
/** The output form of `getApiKey`: it accepts Inputs and returns an Output. */
export const getApiKeyOutput = outputForm(getApiKey);
/** The projects that the API key is scoped to. Rejects if the key lacks `project:read`. */
export const getProjects = all("getProjects", projects({ name, tags, sort }));
/** The output form of `getProjects`: it accepts Inputs and returns an Output. */
export const getProjectsOutput = outputForm(getProjects);
/** One project, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getProject = byIdOrName("getProject", projects({}));
/** The output form of `getProject`: it accepts Inputs and returns an Output. */
export const getProjectOutput = outputForm(getProject);
/** The organizations that the API key reaches. */
export const getOrganizations = all("getOrganizations", {
  path: "/v1/organizations",
  args: { name, type: word, sort },
  result: organizationShape,
});
/** The output form of `getOrganizations`: it accepts Inputs and returns an Output. */
export const getOrganizationsOutput = outputForm(getOrganizations);
/** One organization: without an id, the one that the API key reaches. */
export const getOrganization = one("getOrganization", {
  path: "/v1/organizations/{organizationId}",
  args: { organizationId },
  result: organizationShape,
});
/** The output form of `getOrganization`: it accepts Inputs and returns an Output. */
export const getOrganizationOutput = outputForm(getOrganization);
/** The owner of the API key. */
export const getUser = one("getUser", {
  path: "/v1/user",
  args: {},
  result: shape({
    ...{ id: text(), email: text(), firstName: text({ optional: true }), lastName: text({ optional: true }) },
  }),
});
/** The output form of `getUser`: it accepts Inputs and returns an Output. */
export const getUserOutput = outputForm(getUser);
/** The requests to the API, and their callers. Rejects if the key lacks `audit_log:read`. */
export const getAuditLogs = all("getAuditLogs", {
  path: "/v1/audit_logs",
  args: {
    ...{ action: word, actorId: word, actorType: word, clientIp: word, createdAtMin: word, createdAtMax: word },
    ...{ method: word, path: word, statusCodeMin: int, statusCodeMax: int, targetId: word, targetType: word },
    sort,
  },
  result: shape({
    ...{ id: text(), action: text(), clientIp: text(), method: text(), path: text(), statusCode: integer() },
    ...{ userAgent: text(), createdAt: instant() },
    actor: object({ id: text(), name: text({ optional: true }), type: openOneOf(["user", "api_key"]) }),
    target: object({ id: text(), type: text() }, { optional: true, shown: "maybe" }),
  }),
});
/** The output form of `getAuditLogs`: it accepts Inputs and returns an Output. */
export const getAuditLogsOutput = outputForm(getAuditLogs);
/** The operations of a project, running and ended. */
export const getOperations = all("getOperations", {
  path: "/v1/operations",
  args: {
    ...{ projectId, resourceId: word, kind: word, status, type: word, createdAtMin: word, createdAtMax: word, sort },
  },
  result: shape({
    ...{ id: text(), kind: text(), projectId: text(), resourceId: text() },
    status: openOneOf(["pending", "running", "done", "failed", "unknown"]),
    type: openOneOf(["create", "update", "delete", "restart"]),
    ...{ createdAt: instant(), updatedAt: instant() },
  }),
});
/** The output form of `getOperations`: it accepts Inputs and returns an Output. */
export const getOperationsOutput = outputForm(getOperations);
