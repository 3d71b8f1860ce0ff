import { z } from "zod";
import { seededIds } from "../model/seed";
import { identity } from "../schemas/primitives";
import { defineNoun } from "./noun";
import { organizationNoun } from "./organization";

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
