import { z } from "zod";
import { conflict } from "../model/api-error";
import { dateTime } from "../schemas/primitives";
import { without } from "../services/changed-members";
import { defineNoun } from "./noun";
import { organizationNoun } from "./organization";

const country = z.string().regex(/^[A-Z]{2}$/, "must be a country of ISO 3166-1 alpha-2, such as US");

const create = z.strictObject({
  line1: z.string(),
  line2: z.string().optional(),
  city: z.string(),
  state: z.string().optional(),
  postal_code: z.string(),
  country,
  tax_id: z.string().optional(),
  tax_id_type: z.string().optional().describe("Such as eu_vat or us_ein"),
});

const cleared = z.string().nullable().optional().describe("null clears it");

const update = create.partial().extend({ line2: cleared, state: cleared, tax_id: cleared, tax_id_type: cleared });

const kept = z.object({
  id: z.string(),
  organization_id: z.string(),
  line1: z.string(),
  line2: z.string().nullable(),
  city: z.string(),
  state: z.string().nullable(),
  postal_code: z.string(),
  country: z.string(),
  tax_id: z.string().nullable(),
  tax_id_type: z.string().nullable(),
  created_at: dateTime,
  updated_at: dateTime,
});

/** The address of an organization: one at most, and never deleted. */
export const organizationAddressNoun = defineNoun<z.infer<typeof kept>, typeof create, typeof update>({
  key: "organizationAddresses",
  noun: "organization address",
  typeName: "OrganizationAddress",
  targetType: "organization_address",
  resourceType: "organization",
  path: "/v1/organizations/{organization_id}/address",
  idParameter: "address_id",
  parent: organizationNoun,
  isSingleton: true,
  kept,
  shown: kept,
  create,
  update,
  isDirect: true,
  beforeCreate(call) {
    const { size } = call.world.partition("organizationAddresses", call.param("organization_id"));
    if (size > 0) throw conflict("the organization has an address: change it");
  },
  make: (call, { line2 = null, state = null, tax_id = null, tax_id_type = null, ...body }, base) => ({
    organization_id: call.param("organization_id"),
    ...body,
    ...{ line2, state, tax_id, tax_id_type },
    ...without(base, "status"),
  }),
});
