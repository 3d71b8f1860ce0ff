import { sampleApiKey } from "../api/support/samples";
import { configurable, type KindDescriptor, tags, times } from "./descriptor";

const notAnAddress = (path: string, value: string): string =>
  `${path}: must be an IPv4 address or CIDR such as "192.0.2.7" or "192.0.2.0/24" (is "${value}")`;

export const apiKey: KindDescriptor = {
  name: "deployer",
  args: ({ keysEndAt = "2026-12-31T00:00:00Z" }) => ({
    permissions: [{ resourceType: "vm", permission: "edit" }],
    expiresAt: keysEndAt,
  }),
  others: {
    ...{ expiresAt: undefined, lifetime: "90d", rotateBefore: "14d", rotationTrigger: "first", deleteOld: "after" },
    ...{ startsAt: "2026-06-15T00:00:00Z", sourceIpRule: { allowed: ["127.0.0.0/8"], blocked: ["127.0.0.9"] } },
  },
  lists: {
    permissions: [
      { resourceType: "vm", permission: "edit" },
      { resourceType: "api_key", permission: "read" },
    ],
    sourceIpRule: { allowed: ["198.51.100.0/24", "10.0.0.0/8"], blocked: ["198.51.100.9", "10.0.0.9"] },
    rotationTrigger: "first",
  },
  edited: ({ fields, replace, rotates }) => ({
    permissions: [{ resourceType: "vm", permission: fields % 2 === 0 ? "edit" : "read" }],
    ...(rotates
      ? { expiresAt: undefined, lifetime: "90d", rotationTrigger: replace }
      : { expiresAt: `2027-05-0${1 + (replace % 9)}T00:00:00Z` }),
  }),
  collection: "apiKeys",
  wire: sampleApiKey(),
  creation: ({ projectId, keysEndAt = "2026-12-31T00:00:00.000Z" }) => ({
    name: "sample",
    expires_at: keysEndAt,
    project_ids: [projectId],
    permissions: [{ resource_type: "vm", permission: "edit" }],
    source_ip_rule: { allowed: [], blocked: [] },
    tags: [],
  }),
  inputDrifts: {
    projectIds: { wire: { project_ids: ["another-project"] }, shown: ["another-project"] },
    permissions: {
      wire: { permissions: [{ resource_type: "vpc", permission: "read" }] },
      shown: [{ resourceType: "vpc", permission: "read" }],
    },
    expiresAt: { wire: { expires_at: "2027-01-31T00:00:00Z" }, shown: "2027-01-31T00:00:00Z" },
    startsAt: {
      wire: { starts_at: "2026-07-01T00:00:00Z" },
      shown: "2026-07-01T00:00:00Z",
      follows: { status: "inactive" },
    },
    lifetime: "not at the API",
    rotateBefore: "not at the API",
    rotationTrigger: "not at the API",
    deleteOld: "not at the API",
    rotatesAt: "not at the API",
    generation: "not at the API",
    replacedId: "not at the API",
    sourceIpRule: {
      wire: { source_ip_rule: { allowed: ["192.0.2.0/24"], blocked: ["192.0.2.7"] } },
      shown: { allowed: ["192.0.2.0/24"], blocked: ["192.0.2.7"] },
    },
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
  outputDrifts: { status: "follows from the clock", managed: { wire: { managed: true }, shown: true }, ...times },
  limits: [
    [{}, undefined],
    [{ name: "" }, 'name: must have 1 to 255 characters (has 0: "")'],
    [{ name: "n" }, undefined],
    [{ name: "n".repeat(255) }, undefined],
    [{ name: "n".repeat(256) }, `name: must have 1 to 255 characters (has 256: "${"n".repeat(59)}…")`],
    [{ name: 7 }, 'name: must be a string (is the number 7): write "7"'],
    [{ tags: tags(50) }, undefined],
    [{ tags: tags(51) }, "tags: must have at most 50 items (has 51)"],
    [{ tags: "a" }, 'tags: must be a list (is "a"): write ["a"]'],
    [{ tags: [1] }, 'tags[0]: must be a string (is the number 1): write "1"'],
    [{ projectIds: [] }, "projectIds: must have at least 1 item"],
    [{ projectIds: undefined }, `projectIds: ${configurable("projectId", "PROJECT_ID")}`],
    [{ name: null, tags: null, startsAt: null, sourceIpRule: null }, undefined],
    [{ permissions: null }, "permissions: is required"],
    [{ permissions: [] }, "permissions: must have at least 1 item"],
    [{ permissions: [{ resourceType: "audit_log", permission: "read" }] }, undefined],
    [
      { permissions: [{ resourceType: "vms", permission: "edit" }] },
      "permissions[0].resourceType: must be one of vm, vpc, volume, connect_connection, rpc_node_dedicated, rpc_node_flex, " +
        'nks_cluster, nks_node_pool, project, api_key, organization, audit_log, usage (is "vms")',
    ],
    [
      {
        permissions: [
          { resourceType: "vm", permission: "edit" },
          { resourceType: "vm", permission: "write" },
        ],
      },
      'permissions[1].permission: must be one of read, edit (is "write")',
    ],
    [{ permissions: [{ resourceType: "vm" }] }, "permissions[0].permission: is required"],
    [
      {
        permissions: [
          { resourceType: "vm", permission: "read" },
          { resourceType: "vpc", permission: "read" },
          { resourceType: "vm", permission: "edit" },
        ],
      },
      "permissions[2]: has a second level for vm, which permissions[0] has already: edit includes read",
    ],
    [{ sourceIpRule: { allowed: ["10.0.0.0/8"], blocked: ["10.0.0.9"] } }, undefined],
    [{ sourceIpRule: { allowed: ["10.0.0.256"] } }, notAnAddress("sourceIpRule.allowed[0]", "10.0.0.256")],
    [
      { sourceIpRule: { blocked: ["10.0.0.9", "2001:db8::/32"] } },
      notAnAddress("sourceIpRule.blocked[1]", "2001:db8::/32"),
    ],
    [{ permissions: ["vm"] }, 'permissions[0]: must be an object with resourceType, permission (is "vm")'],
    [{ expiresAt: undefined }, "expiresAt: is required, or a lifetime instead"],
    [
      { expiresAt: "2027" },
      'expiresAt: must be a date and time in ISO 8601 such as "2027-01-31T00:00:00Z" (is "2027")',
    ],
    [
      { expiresAt: "2026-06-15T12:00:00Z" },
      "expiresAt: must be in the future (is 2026-06-15T12:00:00Z, and now it is 2026-06-15T12:00:00Z)",
    ],
    [{ expiresAt: "2026-06-15T12:00:01Z" }, undefined],
    [{ expiresAt: "2027-06-15T12:00:00Z" }, undefined],
    [
      { expiresAt: "2027-06-15T12:00:01Z" },
      "expiresAt: must be at most one year after the creation: 2027-06-15T12:00:00Z at the latest (is 2027-06-15T12:00:01Z)",
    ],
    [{ startsAt: "2026-06-15T00:00:00Z" }, undefined],
    [{ startsAt: "2026-06-14T23:59:59Z" }, "startsAt: must be today or later (is 2026-06-14T23:59:59Z)"],
    [{ startsAt: "2026-09-01T00:00:00Z", expiresAt: "2027-09-01T00:00:00Z" }, undefined],
    [
      { startsAt: "2026-09-01T00:00:00Z", expiresAt: "2027-09-01T00:00:01Z" },
      "expiresAt: must be at most one year after startsAt: 2027-09-01T00:00:00Z at the latest (is 2027-09-01T00:00:01Z)",
    ],
    [
      { startsAt: "2026-12-31T00:00:00Z" },
      "startsAt: must be before expiresAt (is 2026-12-31T00:00:00Z, and expiresAt is 2026-12-31T00:00:00Z)",
    ],
    [{ sourceIpRule: {} }, undefined],
    [
      { sourceIpRule: { allowed: "10.0.0.0/8" } },
      'sourceIpRule.allowed: must be a list (is "10.0.0.0/8"): write ["10.0.0.0/8"]',
    ],
  ],
};
