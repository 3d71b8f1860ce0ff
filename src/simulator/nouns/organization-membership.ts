import { z } from "zod";
import { seededIds } from "../model/seed";
import { formatTimestamp } from "../model/timestamp";
import { equals } from "../schemas/filters";
import { dateTime } from "../schemas/primitives";
import { defineNoun } from "./noun";
import { organizationNoun } from "./organization";

const role = z.enum(["owner", "member"]);

const kept = z.object({
  id: z.string(),
  organization_id: z.string(),
  user_id: z.string(),
  role,
  created_at: dateTime,
  updated_at: dateTime,
});

/** The members of an organization. The API cannot invite anybody, so the control port adds them. */
export const organizationMembershipNoun = defineNoun<z.infer<typeof kept>>({
  key: "memberships",
  noun: "organization membership",
  typeName: "OrganizationMembership",
  targetType: "organization_membership",
  resourceType: "organization",
  path: "/v1/organizations/{organization_id}/memberships",
  idParameter: "membership_id",
  parent: organizationNoun,
  kept,
  shown: kept,
  filters: { user_id: equals(z.string(), ({ user_id }) => user_id), role: equals(role, (one) => one.role) },
  sorts: ["updated_at", "role"],
  initial({ nowMs }) {
    const now = formatTimestamp(nowMs);
    const { membership: id, organization: organization_id, owner: user_id } = seededIds;
    return [{ id, organization_id, user_id, role: "owner", created_at: now, updated_at: now }];
  },
});
