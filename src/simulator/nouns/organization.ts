import { randomUUID } from "node:crypto";
import { z } from "zod";
import { conflict } from "../model/rejection";
import { seededIds } from "../model/catalogs";
import type { World } from "../model/world";
import { dateTime, identity } from "../schemas/primitives";
import { defineEndpoint } from "../services/endpoint";
import { find } from "../services/noun-requests";
import { defineNoun } from "./noun";

const create = z.strictObject({
  name: z.string(),
  billing_email: z.string().optional().describe("Default: that of the longest-standing owner"),
});

const update = z.strictObject({
  name: z.string().optional(),
  billing_email: z.string().nullable().optional().describe("null clears it"),
});

const stored = z.object({
  ...identity,
  name: z.string(),
  type: z.enum(["personal", "company"]),
  personal: z.boolean(),
  billing_email: z.string().nullable(),
  billing_state: z.enum(["unfunded", "active", "requires_action", "suspended", "closed"]),
  billing_state_since: dateTime,
  charging_model: z.enum(["manual", "prepaid"]),
  stripe_customer_id: z.string().nullable(),
  domains: z.array(z.object({ id: z.string(), domain: z.string(), verified: z.boolean() })),
  services: z.object({
    cloud: z.boolean(),
    jit_provisioning: z.boolean(),
    scim: z.boolean(),
    siem: z.boolean(),
    sso: z.boolean(),
  }),
});

interface Membership {
  readonly id: string;
  readonly user_id: string;
  readonly role: "owner" | "member";
}

const membersOf = (world: World, id: string) => world.kept("memberships", id) as unknown as readonly Membership[];

/** The members that every new organization has. */
const companyMembers = (billing_state_since: string) => ({
  ...({ type: "company", personal: false, charging_model: "prepaid", billing_state: "unfunded" } as const),
  billing_state_since,
  services: { cloud: true, jit_provisioning: false, scim: false, siem: false, sso: false },
});

/** The organizations: the one that the keys belong to, and those that its owner has created. */
export const organizationNoun = defineNoun({
  key: "organizations",
  kind: "organization",
  path: "/v1/organizations",
  isOfOrganization: true,
  stored,
  create,
  update,
  isDirect: true,
  filteredBy: ["name", "type"],
  sorts: ["updated_at", "name"],
  /** The owner sees the organizations that it is a member of. A key sees only its own. */
  isSeenBy: ({ actor, isOwner }, { id }, world) =>
    isOwner ? membersOf(world, id).some(({ user_id }) => user_id === actor.id) : id === seededIds.organization,
  make({ world, caller }, _body, { id: organization_id, created_at, updated_at }) {
    const common = { organization_id, created_at, updated_at };
    const user_id = caller.isOwner ? caller.actor.id : seededIds.owner;
    const membership = { id: randomUUID(), user_id, role: "owner", ...common };
    world.lifecycleOf("memberships").put(membership);
    const policy = { id: randomUUID(), policy: "manual", policy_args: null, ...common };
    world.lifecycleOf("rechargePolicies").put(policy);
    return companyMembers(created_at);
  },
  endpoints: (noun) => [
    // Leaves an organization. Rejected for the organization of the caller's key, and for the last owner.
    defineEndpoint({
      method: "POST",
      path: "/v1/organizations/{organization_id}/leave",
      operationId: "leaveOrganization",
      summary: "Leaves an organization.",
      needs: { resourceType: "organization", level: "edit" },
      status: 204,
      audit: { action: "organization.leave", targetType: "organization", targetParameter: "organization_id" },
      handle(call) {
        const { world, caller } = call;
        const { id } = find(call, noun);
        if (id === seededIds.organization) throw conflict("the key that signs in belongs to the organization");
        const members = membersOf(world, id);
        const leaving = members.find(({ user_id }) => user_id === caller.actor.id);
        const owners = members.filter(({ role, user_id }) => role === "owner" && user_id !== caller.actor.id);
        if (!leaving || owners.length === 0) throw conflict("the caller is the only owner of the organization");
        world.lifecycleOf("memberships").remove(leaving.id);
        return {};
      },
    }),
  ],
  seed: (_world, times) => [
    {
      ...{ id: seededIds.organization, name: "default", billing_email: null, stripe_customer_id: null, domains: [] },
      ...companyMembers(times.created_at),
      ...times,
    },
  ],
});

/** The members of an organization. The API cannot invite anybody, so the control port adds them. */
export const organizationMembershipNoun = defineNoun({
  key: "memberships",
  kind: "organization_membership",
  path: "/v1/organizations/{organization_id}/memberships",
  parent: organizationNoun,
  stored: z.object({
    ...identity,
    organization_id: z.string(),
    user_id: z.string(),
    role: z.enum(["owner", "member"]),
  }),
  filteredBy: ["user_id", "role"],
  sorts: ["updated_at", "role"],
  seed(_world, times) {
    const { membership: id, organization: organization_id, owner: user_id } = seededIds;
    return [{ id, organization_id, user_id, role: "owner" as const, ...times }];
  },
});

const lines = { line1: z.string(), city: z.string(), postal_code: z.string() };
const country = z.string().regex(/^[A-Z]{2}$/, "must be a country of ISO 3166-1 alpha-2, such as US");
const optionalNames = ["line2", "state", "tax_id", "tax_id_type"] as const;

/** The optional address lines. All have the same schema. */
const optionalLines = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(optionalNames.map((name) => [name, schema])) as Record<(typeof optionalNames)[number], S>;

const createAddress = z.strictObject({ ...lines, country, ...optionalLines(z.string().optional()) });

/** The address of an organization. There is at most one, and it is never deleted. */
export const organizationAddressNoun = defineNoun({
  key: "organizationAddresses",
  kind: "organization_address",
  path: "/v1/organizations/{organization_id}/address",
  parent: organizationNoun,
  isSingleton: true,
  stored: z.object({
    ...identity,
    organization_id: z.string(),
    ...lines,
    country: z.string(),
    ...optionalLines(z.string().nullable()),
  }),
  create: createAddress,
  update: createAddress.partial().extend(optionalLines(z.string().nullable().optional().describe("null clears it"))),
  isDirect: true,
  beforeCreate(call) {
    const { size } = call.world.partition("organizationAddresses", call.param("organization_id"));
    if (size > 0) throw conflict("the organization has an address: change it");
  },
});
