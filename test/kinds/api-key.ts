import type { KindDescriptor } from "./descriptor";

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
  values: {
    permissions: [{ resourceType: "vpc", permission: "read" }],
    sourceIpRule: { allowed: ["192.0.2.0/24"], blocked: ["192.0.2.7"] },
  },
  drifts: {
    startsAt: {
      ...{ wire: { starts_at: "2026-07-01T00:00:00Z" }, shown: "2026-07-01T00:00:00Z" },
      follows: { status: "inactive" },
    },
  },
  limits: [
    [{ permissions: [{ resourceType: "audit_log", permission: "read" }] }, undefined],
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
    [{ deleteOld: { whenQuietFor: "1d", atLatest: "1d" } }, undefined],
    [{ deleteOld: { whenQuietFor: "1d", atLatest: "366d" } }, undefined],
    [
      { deleteOld: { whenQuietFor: "1d", atLatest: "367d" } },
      'deleteOld.atLatest: must be at most one year (is "367d")',
    ],
    [{ sourceIpRule: {} }, undefined],
    [{ rotationTrigger: { leaks: [] } }, undefined],
    ...[{}, [{}], { leakedAt: {} }].map(
      (rotationTrigger) =>
        [
          { rotationTrigger },
          "rotationTrigger: holds an empty object. A Date, a Map or a Set arrives as one, so a change of it would rotate nothing. " +
            "Write a text instead, for a Date its toISOString()",
        ] as const,
    ),
    [{ sourceIpRule: { allowed: ["10.0.0.0/8"], blocked: ["10.0.0.9"] } }, undefined],
    [{ expiresAt: undefined }, 'expiresAt: is required: give it, or a lifetime such as "90d"'],
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
  ],
};
