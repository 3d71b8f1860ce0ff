import { flag, instant, integer, list, object, openOneOf, text } from "../../definition/field";
import { apiKey } from "../../resources/api-key";
import { project } from "../../resources/project";
import { all, bare, bareTwin, lookup, one, shape, shapeOf, sought, twin } from "../lookup";
import { name, number, organizationId, projectId, sort, status, tags, word } from "./filters";

/** The secret is shown at creation only; how a key rotates stands in the program. */
const apiKeyShape = shapeOf(apiKey, [
  ...(["key", "lifetime", "rotateBefore", "rotationTrigger", "deleteOld"] as const),
  ...(["rotatesAt", "generation", "replacedId"] as const),
]);
const projectShape = shapeOf(project, []);
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

/** The lookups of an organization, its keys, its projects, and the requests and operations in it. */
export const organization = {
  getApiKeys: lookup({
    about: "The API keys of the organization.",
    path: "/v1/api_keys",
    args: { name, status, tags, sort },
    result: apiKeyShape,
    finds: "all",
  }),
  getApiKey: lookup({
    about: "One API key, without its secret.",
    path: "/v1/api_keys",
    args: {},
    result: apiKeyShape,
    finds: "sought",
    noun: "API key",
    nouns: "API keys",
  }),
  getProjects: lookup({
    about: "The projects that the key reaches.",
    path: "/v1/projects",
    args: { name, tags, sort },
    result: projectShape,
    finds: "all",
  }),
  getProject: lookup({
    about: "One project, with what it holds.",
    path: "/v1/projects",
    args: {},
    result: projectShape,
    finds: "sought",
    noun: "project",
    nouns: "projects",
  }),
  getOrganizations: lookup({
    about: "The organizations that the key reaches.",
    path: "/v1/organizations",
    args: { name, type: word, sort },
    result: organizationShape,
    finds: "all",
  }),
  getOrganization: lookup({
    about: "One organization. Without an id: the one that the key reaches.",
    path: "/v1/organizations/{organizationId}",
    args: { organizationId },
    result: organizationShape,
    finds: "one",
  }),
  getUser: lookup({
    about: "The owner of the API key.",
    path: "/v1/user",
    args: {},
    result: shape({
      ...{ id: text(), email: text(), firstName: text({ optional: true }), lastName: text({ optional: true }) },
    }),
    finds: "one",
  }),
  getAuditLogs: lookup({
    about: "The requests to the API, and their callers.",
    path: "/v1/audit_logs",
    args: {
      ...{ action: word, actorId: word, actorType: word, clientIp: word, createdAtMin: word, createdAtMax: word },
      ...{ method: word, path: word, statusCodeMin: number, statusCodeMax: number, targetId: word, targetType: word },
      sort,
    },
    result: shape({
      ...{ id: text(), action: text(), clientIp: text(), method: text(), path: text(), statusCode: integer() },
      ...{ userAgent: text(), createdAt: instant() },
      actor: object({ id: text(), name: text({ optional: true }), type: openOneOf(["user", "api_key"]) }),
      target: object({ id: text(), type: text() }, { optional: true, shown: "maybe" }),
    }),
    finds: "all",
  }),
  getOperations: lookup({
    about: "The operations of a project, running and ended.",
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
    finds: "all",
  }),
};

/** The API keys of the organization, without their secrets. */
export const getApiKeys = all("getApiKeys", organization.getApiKeys);
/** The API keys of the organization, as an output. */
export const getApiKeysOutput = twin(getApiKeys);
/** One API key, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getApiKey = sought("getApiKey", organization.getApiKey);
/** One API key, as an output. */
export const getApiKeyOutput = twin(getApiKey);
/** The projects that the API key is scoped to. Rejects if the key lacks `project:read`. */
export const getProjects = all("getProjects", organization.getProjects);
/** The projects that the API key is scoped to, as an output. */
export const getProjectsOutput = twin(getProjects);
/** One project, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getProject = sought("getProject", organization.getProject);
/** One project, as an output. */
export const getProjectOutput = twin(getProject);
/** The organizations that the API key reaches. */
export const getOrganizations = all("getOrganizations", organization.getOrganizations);
/** The organizations that the API key reaches, as an output. */
export const getOrganizationsOutput = twin(getOrganizations);
/** One organization: without an id, the one that the API key reaches. */
export const getOrganization = one("getOrganization", organization.getOrganization);
/** One organization, as an output. */
export const getOrganizationOutput = twin(getOrganization);
/** The owner of the API key. */
export const getUser = bare(one("getUser", organization.getUser));
/** The owner of the API key, as an output. */
export const getUserOutput = bareTwin(getUser);
/** The requests to the API, and their callers. Rejects if the key lacks `audit_log:read`. */
export const getAuditLogs = all("getAuditLogs", organization.getAuditLogs);
/** The requests to the API, as an output. */
export const getAuditLogsOutput = twin(getAuditLogs);
/** The operations of a project, running and ended. */
export const getOperations = all("getOperations", organization.getOperations);
/** The operations of a project, running and ended, as an output. */
export const getOperationsOutput = twin(getOperations);
