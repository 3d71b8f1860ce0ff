import { flag, instant, list, object, openOneOf, text } from "../../definition/field";
import { times } from "../../definition/standard-fields";
import { apiKey, type ApiKeyDefinition } from "../../resources/api-key";
import { project, type ProjectDefinition } from "../../resources/project";
import {
  all,
  byIdOrName,
  objectsOf,
  one,
  outputForm,
  shape,
  shapeAs,
  shapeOf,
  type ArgsOf,
  type ResultOf,
} from "../lookup";
import { word } from "./filters";

/** Without the fields of the rotation, which only the program and the state have. */
const apiKeyShape = shapeOf(apiKey as ApiKeyDefinition, [
  ...(["lifetime", "rotateBefore", "rotationTrigger", "deleteOld"] as const),
  ...(["rotatesAt", "generation", "replacedId"] as const),
]);
/** An API key, without its secret. */
export interface ApiKeyResult extends ResultOf<typeof apiKeyShape> {}
const keys = objectsOf<ApiKeyResult>(apiKey, apiKeyShape);

const projectShape = shapeOf(project as ProjectDefinition, []);
/** A project, with counts of what it holds. */
export interface ProjectResult extends ResultOf<typeof projectShape> {}
const projects = objectsOf<ProjectResult>(project, projectShape);

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
/** An organization and how it pays. */
export interface OrganizationResult extends ResultOf<typeof organizationShape> {}

/** The API keys of the organization, without their secrets. */
export const getApiKeys = all("getApiKeys", {
  ...keys,
  args: {
    /** Only those in this state: `active`, `inactive` or `expired`. */
    status: word,
  },
  sharedArgs: ["name", "tags", "sort"],
});
export interface GetApiKeysArgs extends ArgsOf<typeof getApiKeys> {}
/** The output form of `getApiKeys`: it accepts Inputs and returns an Output. */
export const getApiKeysOutput = outputForm(getApiKeys);
export interface GetApiKeysOutputArgs extends ArgsOf<typeof getApiKeysOutput> {}
/** One API key, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getApiKey = byIdOrName("getApiKey", keys);
export interface GetApiKeyArgs extends ArgsOf<typeof getApiKey> {}
/** The output form of `getApiKey`: it accepts Inputs and returns an Output. */
export const getApiKeyOutput = outputForm(getApiKey);
export interface GetApiKeyOutputArgs extends ArgsOf<typeof getApiKeyOutput> {}
/** The projects that the API key is scoped to. Rejects if the key lacks `project:read`. */
export const getProjects = all("getProjects", {
  ...projects,
  sharedArgs: ["name", "tags", "sort"],
});
export interface GetProjectsArgs extends ArgsOf<typeof getProjects> {}
/** The output form of `getProjects`: it accepts Inputs and returns an Output. */
export const getProjectsOutput = outputForm(getProjects);
export interface GetProjectsOutputArgs extends ArgsOf<typeof getProjectsOutput> {}
/** One project, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getProject = byIdOrName("getProject", projects);
export interface GetProjectArgs extends ArgsOf<typeof getProject> {}
/** The output form of `getProject`: it accepts Inputs and returns an Output. */
export const getProjectOutput = outputForm(getProject);
export interface GetProjectOutputArgs extends ArgsOf<typeof getProjectOutput> {}
/** The organizations that the API key reaches. */
export const getOrganizations = all("getOrganizations", {
  path: "/v1/organizations",
  args: {
    /** Only those of this type: `personal` or `company`. */
    type: word,
  },
  sharedArgs: ["name", "sort"],
  result: shapeAs<OrganizationResult>(organizationShape),
});
export interface GetOrganizationsArgs extends ArgsOf<typeof getOrganizations> {}
/** The output form of `getOrganizations`: it accepts Inputs and returns an Output. */
export const getOrganizationsOutput = outputForm(getOrganizations);
export interface GetOrganizationsOutputArgs extends ArgsOf<typeof getOrganizationsOutput> {}
/** One organization: without an id, the one that the API key reaches. */
export const getOrganization = one("getOrganization", {
  path: "/v1/organizations/{organizationId}",
  sharedArgs: ["organizationId"],
  result: shapeAs<OrganizationResult>(organizationShape),
});
export interface GetOrganizationArgs extends ArgsOf<typeof getOrganization> {}
/** The output form of `getOrganization`: it accepts Inputs and returns an Output. */
export const getOrganizationOutput = outputForm(getOrganization);
export interface GetOrganizationOutputArgs extends ArgsOf<typeof getOrganizationOutput> {}

const userShape = shape({
  /** The id of the user. */
  id: text(),
  /** The email address of the user. */
  email: text(),
  /** The first name, if the API knows it. */
  firstName: text({ optional: true }),
  /** The last name, if the API knows it. */
  lastName: text({ optional: true }),
});
export interface UserResult extends ResultOf<typeof userShape> {}
/** The owner of the API key. */
export const getUser = one("getUser", {
  path: "/v1/user",
  result: shapeAs<UserResult>(userShape),
});
/** The output form of `getUser`: it accepts Inputs and returns an Output. */
export const getUserOutput = outputForm(getUser);
