import { flag, instant, integer, list, object, openOneOf, text } from "../../definition/field";
import { times } from "../../definition/standard-fields";
import { apiKey, type ApiKeyDefinition } from "../../resources/api-key";
import { project, type ProjectDefinition } from "../../resources/project";
import { all, objectsOf, one, shape, byIdOrName, outputForm } from "../lookup";
import { byName, byTags, byTime, int, ofOrganization, ofProject, sorted, word } from "./filters";

/** Without the fields of the rotation, which only the program and the state have. */
const keys = objectsOf(apiKey as ApiKeyDefinition, {}, [
  ...(["lifetime", "rotateBefore", "rotationTrigger", "deleteOld"] as const),
  ...(["rotatesAt", "generation", "replacedId"] as const),
]);
const projects = objectsOf(project as ProjectDefinition, {}, []);
const organizationShape = shape({
  /** Its id. */
  id: text(),
  /** Its name. */
  name: text(),
  /** The type of the organization: `personal` or `company`. */
  type: openOneOf(["personal", "company"]),
  /** True if the organization is personal. */
  personal: flag(),
  /** The address that gets its bills. Undefined: that of its oldest owner. */
  billingEmail: text({ optional: true }),
  /** Whether it can pay for what it uses. */
  billingState: openOneOf(["unfunded", "active", "requires_action", "suspended", "closed"]),
  /** Since when it is in that state: ISO 8601, UTC. */
  billingStateSince: instant(),
  /** How it pays. */
  chargingModel: openOneOf(["manual", "prepaid"]),
  /** Its internet domains. */
  domains: list(
    object({
      /** The id of the domain. */
      id: text(),
      /** The name of the domain. */
      domain: text(),
      /** True if the domain is verified. */
      verified: flag(),
    }),
  ),
  /** The services that it has. */
  services: object({
    /** True if the organization has the service `cloud`. */
    cloud: flag(),
    /** True if the organization has just-in-time (JIT) provisioning. */
    jitProvisioning: flag(),
    /** True if the organization has SCIM. */
    scim: flag(),
    /** True if the organization has SIEM. */
    siem: flag(),
    /** True if the organization has single sign-on (SSO). */
    sso: flag(),
  }),
  ...times,
});

/** The API keys of the organization, without their secrets. */
export const getApiKeys = all(
  "getApiKeys",
  keys({
    ...byName,
    /** Only those in this state: `active`, `inactive` or `expired`. */
    status: word,
    ...{ ...byTags, ...sorted },
  }),
);
/** The output form of `getApiKeys`: it accepts Inputs and returns an Output. */
export const getApiKeysOutput = outputForm(getApiKeys);
/** One API key, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getApiKey = byIdOrName("getApiKey", keys({}));
/** The output form of `getApiKey`: it accepts Inputs and returns an Output. */
export const getApiKeyOutput = outputForm(getApiKey);
/** The projects that the API key is scoped to. Rejects if the key lacks `project:read`. */
export const getProjects = all("getProjects", projects({ ...byName, ...byTags, ...sorted }));
/** The output form of `getProjects`: it accepts Inputs and returns an Output. */
export const getProjectsOutput = outputForm(getProjects);
/** One project, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getProject = byIdOrName("getProject", projects({}));
/** The output form of `getProject`: it accepts Inputs and returns an Output. */
export const getProjectOutput = outputForm(getProject);
/** The organizations that the API key reaches. */
export const getOrganizations = all("getOrganizations", {
  path: "/v1/organizations",
  args: {
    ...byName,
    /** Only those of this type: `personal` or `company`. */
    type: word,
    ...sorted,
  },
  result: organizationShape,
});
/** The output form of `getOrganizations`: it accepts Inputs and returns an Output. */
export const getOrganizationsOutput = outputForm(getOrganizations);
/** One organization: without an id, the one that the API key reaches. */
export const getOrganization = one("getOrganization", {
  path: "/v1/organizations/{organizationId}",
  args: { ...ofOrganization },
  result: organizationShape,
});
/** The output form of `getOrganization`: it accepts Inputs and returns an Output. */
export const getOrganizationOutput = outputForm(getOrganization);
/** The owner of the API key. */
export const getUser = one("getUser", {
  path: "/v1/user",
  args: {},
  result: shape({
    /** The id of the user. */
    id: text(),
    /** The email address of the user. */
    email: text(),
    /** The first name, if the API knows it. */
    firstName: text({ optional: true }),
    /** The last name, if the API knows it. */
    lastName: text({ optional: true }),
  }),
});
/** The output form of `getUser`: it accepts Inputs and returns an Output. */
export const getUserOutput = outputForm(getUser);
/** The requests to the API, and their callers. Rejects if the key lacks `audit_log:read`. */
export const getAuditLogs = all("getAuditLogs", {
  path: "/v1/audit_logs",
  args: {
    /** Only requests with this action, in the form `resource.verb`. */
    action: word,
    /** Only requests by the user or the API key with this id. */
    actorId: word,
    /** Only requests by actors of this type: `user` or `api_key`. */
    actorType: word,
    /** Only requests from this address. */
    clientIp: word,
    ...byTime,
    /** Only requests with this HTTP method, such as `POST`. */
    method: word,
    /** Only requests with this text in their paths. */
    path: word,
    /** Only requests whose answer had at least this HTTP status. */
    statusCodeMin: int,
    /** Only requests whose answer had at most this HTTP status. */
    statusCodeMax: int,
    /** Only requests about the object with this id. */
    targetId: word,
    /** Only requests about objects of this kind, such as `vpc`. */
    targetType: word,
    ...sorted,
  },
  result: shape({
    /** The id of the entry. */
    id: text(),
    /** The action, in the form `resource.verb`. */
    action: text(),
    /** The address of the client. */
    clientIp: text(),
    /** The HTTP method. */
    method: text(),
    /** The path of the request. */
    path: text(),
    /** The HTTP status of the answer. */
    statusCode: integer(),
    /** The client, as it names itself. */
    userAgent: text(),
    /** When the request came: ISO 8601, UTC. */
    createdAt: instant(),
    /** The caller. */
    actor: object({
      /** The id of the user or of the API key. */
      id: text(),
      /** Its name, if the log has it. */
      name: text({ optional: true }),
      /** Whether it is a user or an API key. */
      type: openOneOf(["user", "api_key"]),
    }),
    /** The object that the request is about, if there is one. */
    target: object(
      {
        /** The id of the object. */
        id: text(),
        /** The kind of the object. */
        type: text(),
      },
      { optional: true, shown: "maybe" },
    ),
  }),
});
/** The output form of `getAuditLogs`: it accepts Inputs and returns an Output. */
export const getAuditLogsOutput = outputForm(getAuditLogs);
/** The operations of a project, running and ended. */
export const getOperations = all("getOperations", {
  path: "/v1/operations",
  args: {
    ...ofProject,
    /** Only operations on the object with this id. */
    resourceId: word,
    /** Only operations on objects of this kind, such as `vm`. */
    kind: word,
    /** Only operations in this state: `pending`, `running`, `done`, `failed` or `unknown`. */
    status: word,
    /** Only operations of this type: `create`, `update`, `delete` or `restart`. */
    type: word,
    ...{ ...byTime, ...sorted },
  },
  result: shape({
    /** The id of the operation. */
    id: text(),
    /** The kind of its object, such as `vm`. */
    kind: text(),
    /** The id of the project. */
    projectId: text(),
    /** The id of the object that it makes, changes or deletes. */
    resourceId: text(),
    /** The state of the operation. */
    status: openOneOf(["pending", "running", "done", "failed", "unknown"]),
    /** What it does. */
    type: openOneOf(["create", "update", "delete", "restart"]),
    ...times,
  }),
});
/** The output form of `getOperations`: it accepts Inputs and returns an Output. */
export const getOperationsOutput = outputForm(getOperations);
