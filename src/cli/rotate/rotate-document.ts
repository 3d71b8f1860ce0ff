import { z } from "zod";

// The output of `cloudinfra rotate --format json`. docs/rotate.schema.json is made from this: `UPDATE_GOLDEN=true npm
// test -- test/cli/published-schemas`.

const instant = z.string().meta({ id: "instant", format: "date-time" });
const instantOrNull = instant.nullable();

const checkedKey = z
  .strictObject({
    urn: z.string(),
    name: z.string().meta({ description: "The logical name: the name in the program." }),
    id: z.string(),
    status: z.string().meta({
      description:
        "active, inactive (not started yet), expired, missing (the API no longer has it) or unknown (neither API nor state says, or its account did not answer).",
    }),
    expiresAt: instantOrNull.meta({ description: "Null if neither API nor state says." }),
    rotatesAt: instantOrNull.meta({ description: "Null for a key without a lifetime." }),
    due: z.boolean(),
    lastUsedAt: instantOrNull.meta({
      description:
        "From the audit log, which lists audited requests only. Null if it lists none, or if it cannot be read.",
    }),
  })
  .meta({ id: "checkedKey" });

const client = z
  .strictObject({ address: z.string(), userAgent: z.string(), count: z.int().min(1), lastUsedAt: instant })
  .meta({ id: "client" });

export const waitingKey = z
  .strictObject({
    urn: z.string(),
    name: z.string().meta({ description: "The logical name of its successor." }),
    id: z.string(),
    replacedAt: instant,
    until: instant.meta({ description: "When it is deleted at the latest." }),
    due: z.boolean().meta({ description: "True if the next run deletes it." }),
    reason: z.string().meta({ description: "Why it is deleted, or what it waits for, in words." }),
    clients: z.array(client).meta({
      description:
        "From the audit log: the clients that used it in the quiet period, the latest first. The log has audited requests only.",
    }),
  })
  .meta({ id: "waitingKey", description: "A replaced key that waits until its clients no longer use it." });

export const checkDocument = z
  .strictObject({ version: z.literal("1"), keys: z.array(checkedKey), waiting: z.array(waitingKey) })
  .meta({ id: "check", description: "cloudinfra rotate --check: every API key that the stack manages." });

const use = z
  .strictObject({
    actor: z.strictObject({ id: z.string(), name: z.string().nullable(), type: z.string() }),
    address: z.string(),
    userAgent: z.string(),
    count: z.int().min(1),
    countSinceReplaced: z
      .int()
      .nullable()
      .meta({ description: "The number of requests since the successor was made. Null if that is unknown." }),
    lastUsedAt: instant,
  })
  .meta({ id: "use" });

const auditedKey = z
  .strictObject({
    urn: z.string(),
    name: z.string().meta({ description: "The logical name." }),
    replacedId: z.string(),
    replacedAt: instantOrNull.meta({
      description: "When its successor was made. Null if the state does not show that.",
    }),
    uses: z.array(use),
  })
  .meta({ id: "auditedKey" });

export const auditDocument = z
  .strictObject({
    version: z.literal("1"),
    since: instant.meta({ description: "The report covers the audit log from here on." }),
    keys: z.array(auditedKey),
  })
  .meta({ id: "audit", description: "cloudinfra rotate --audit: every replaced key of the stack, and its users." });

export const rotateDocument = z
  .union([checkDocument, auditDocument])
  .meta({ title: "The output of `cloudinfra rotate --format json`" });
