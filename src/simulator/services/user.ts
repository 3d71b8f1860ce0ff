import { z } from "zod";
import { isAccepted } from "../model/addresses";
import { conflict } from "../model/rejection";
import { formatTimestamp } from "../model/time";
import type { World } from "../model/world";
import { apiKeyUpdateSchema } from "../nouns/api-key";
import { sourceIpRule } from "../schemas/api-key";
import { dateTime } from "../schemas/primitives";
import { type Endpoint, defineEndpoint, showEndpoint } from "./endpoint";

const security = z.object({ source_ip_rule: sourceIpRule, created_at: dateTime, updated_at: dateTime });

/** The owner's allowed addresses, as answers show them. */
export function userSecurityOnWire({ owner }: World): object {
  return {
    source_ip_rule: owner.sourceIpRule,
    created_at: formatTimestamp(owner.createdAtMs),
    updated_at: formatTimestamp(owner.updatedAtMs),
  };
}

/** The owner is the user behind every key. Paths and shapes are those of the public clients. */
export const userEndpoints: readonly Endpoint[] = [
  showEndpoint({
    path: "/v1/user",
    operationId: "getUser",
    summary: "Shows the user who owns the API key. Any valid key may ask.",
    needs: null,
    response: z.object({
      id: z.string(),
      email: z.string(),
      first_name: z.string().nullable(),
      last_name: z.string().nullable(),
    }),
    show: ({ world }) => world.owner.user,
  }),
  showEndpoint({
    path: "/v1/user/security",
    operationId: "getUserSecurity",
    summary: "Shows the addresses that the user may sign in from.",
    needs: { resourceType: "organization", level: "read" },
    response: security,
    show: ({ world }) => userSecurityOnWire(world),
  }),
  defineEndpoint({
    method: "PATCH",
    path: "/v1/user/security",
    operationId: "updateUserSecurity",
    summary: "Changes the addresses that the user may sign in from. A rule that would lock out the caller is refused.",
    needs: { resourceType: "organization", level: "edit" },
    body: apiKeyUpdateSchema.pick({ source_ip_rule: true }),
    response: security,
    audit: { action: "user_security.update", targetType: "user" },
    handle(call) {
      const { world, nowMs } = call;
      const { source_ip_rule: rule } = call.body();
      if (rule) {
        const { clientIp } = call.request;
        if (!isAccepted(clientIp, rule)) {
          throw conflict(`the rule would lock out ${clientIp}, the address of this request`);
        }
        world.owner.sourceIpRule = rule;
        world.owner.updatedAtMs = nowMs;
      }
      return { body: userSecurityOnWire(world), targetId: world.owner.user.id };
    },
  }),
];
