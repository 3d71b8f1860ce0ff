import { z } from "zod";
import { conflict } from "../model/api-error";
import { identity } from "../schemas/primitives";
import { defineNoun } from "./noun";
import { organizationNoun } from "./organization";

const lines = { line1: z.string(), city: z.string(), postal_code: z.string() };
const country = z.string().regex(/^[A-Z]{2}$/, "must be a country of ISO 3166-1 alpha-2, such as US");
const optionalNames = ["line2", "state", "tax_id", "tax_id_type"] as const;

/** The optional lines, each with the same schema. */
const optionalLines = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(optionalNames.map((name) => [name, schema])) as Record<(typeof optionalNames)[number], S>;

const create = z.strictObject({ ...lines, country, ...optionalLines(z.string().optional()) });

/** The address of an organization: one at most, and never deleted. */
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
  create,
  update: create.partial().extend(optionalLines(z.string().nullable().optional().describe("null clears it"))),
  isDirect: true,
  beforeCreate(call) {
    const { size } = call.world.partition("organizationAddresses", call.param("organization_id"));
    if (size > 0) throw conflict("the organization has an address: change it");
  },
});
