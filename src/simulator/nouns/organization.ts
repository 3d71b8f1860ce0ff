import { randomUUID } from "node:crypto";
import { z } from "zod";
import { conflict } from "../model/api-error";
import { seededIds } from "../model/seed";
import { formatTimestamp } from "../model/timestamp";
import type { World } from "../model/world";
import { byName, equals } from "../schemas/filters";
import { dateTime } from "../schemas/primitives";
import type { CallContext } from "../services/call";
import { type AnyEndpoint, defineEndpoint } from "../services/endpoint";
import { find } from "../services/noun-endpoints";
import { defineNoun } from "./noun";

const create = z.strictObject({
  name: z.string(),
  billing_email: z.string().optional().describe("The longest-standing owner's if there is none"),
});

const update = z.strictObject({
  name: z.string().optional(),
  billing_email: z.string().nullable().optional().describe("null clears it"),
});

const organizationType = z.enum(["personal", "company"]);

const kept = z.object({
  id: z.string(),
  name: z.string(),
  type: organizationType,
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
  created_at: dateTime,
  updated_at: dateTime,
});

/** An organization as it is kept and shown. */
export type Organization = z.infer<typeof kept>;

interface Membership {
  readonly id: string;
  readonly user_id: string;
  readonly role: "owner" | "member";
}

const membersOf = (world: World, id: string) => world.kept("memberships", id) as unknown as readonly Membership[];

const services = { cloud: true, jit_provisioning: false, scim: false, siem: false, sso: false };

function newOrganization(
  times: { readonly created_at: string; readonly updated_at: string },
  members: Pick<Organization, "id" | "name" | "billing_email">,
): Organization {
  return {
    ...members,
    type: "company",
    personal: false,
    ...{ billing_state: "unfunded", billing_state_since: times.created_at, charging_model: "prepaid" },
    ...{ stripe_customer_id: null, domains: [], services },
    ...times,
  };
}

/** The organizations: that of the keys, and those that its owner makes besides. */
export const organizationNoun = defineNoun<Organization, typeof create, typeof update>({
  key: "organizations",
  noun: "organization",
  typeName: "Organization",
  targetType: "organization",
  resourceType: "organization",
  path: "/v1/organizations",
  idParameter: "organization_id",
  isOfOrganization: true,
  kept,
  shown: kept,
  create,
  update,
  isDirect: true,
  filters: { ...byName, type: equals(organizationType, ({ type }) => type) },
  sorts: ["updated_at", "name"],
  /** The owner sees the organizations with a membership, a key only its own. */
  isSeenBy: ({ actor, isOwner }, { id }, world) =>
    isOwner ? membersOf(world, id).some(({ user_id }) => user_id === actor.id) : id === seededIds.organization,
  make({ world, caller }, { name, billing_email = null }, { id, created_at, updated_at }) {
    const times = { created_at, updated_at };
    const user_id = caller.isOwner ? caller.actor.id : seededIds.owner;
    const membership = { id: randomUUID(), organization_id: id, user_id, role: "owner", ...times };
    world.lifecycleOf("memberships").put(membership);
    const policy = { id: randomUUID(), organization_id: id, policy: "manual", policy_args: null, ...times };
    world.lifecycleOf("rechargePolicies").put(policy);
    return newOrganization(times, { id, name, billing_email });
  },
  more: [leaveEndpoint()],
  initial({ nowMs }) {
    const now = formatTimestamp(nowMs);
    const names = { id: seededIds.organization, name: "default", billing_email: null };
    return [newOrganization({ created_at: now, updated_at: now }, names)];
  },
});

/** Leaves an organization, but not that of the caller's key, and not as its last owner. */
function leaveEndpoint(): AnyEndpoint {
  return defineEndpoint({
    method: "POST",
    path: "/v1/organizations/{organization_id}/leave",
    operationId: "leaveOrganization",
    summary: "Leaves an organization.",
    needs: { resourceType: "organization", level: "edit" },
    status: 204,
    audit: { action: "organization.leave", targetType: "organization", targetParameter: "organization_id" },
    handle(call: CallContext) {
      const { world, caller } = call;
      const { id } = find(call, organizationNoun);
      if (id === seededIds.organization) throw conflict("the key that signs in belongs to the organization");
      const members = membersOf(world, id);
      const leaving = members.find(({ user_id }) => user_id === caller.actor.id);
      const owners = members.filter(({ role, user_id }) => role === "owner" && user_id !== caller.actor.id);
      if (!leaving || owners.length === 0) throw conflict("the caller is the only owner of the organization");
      world.lifecycleOf("memberships").remove(leaving.id);
      return { status: 204 };
    },
  });
}
