import { z } from "zod";
import type { Dialect } from "../model/dialect";
import { cidrInput, dateTime, resourceStatus, tags, tagsInput } from "./primitives";

/** ConnectBandwidthMbps (section 2.7). */
export const bandwidthMbps = z.literal([50, 200, 500, 1000, 2000]);

const providerInput = z.strictObject({
  account_id: z.string().regex(/^[\s\S]{12}$/u, "must have exactly 12 characters"),
  region: z.string(),
});

const createMembers = {
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  bandwidth_mbps: bandwidthMbps,
  cidrs: z.array(cidrInput).min(1, "must have at least 1 item"),
  provider_cidrs: z.array(cidrInput).min(1, "must have at least 1 item"),
  tags: tagsInput.optional(),
};

const createSchemas = {
  spec: z.strictObject({ ...createMembers, external_provider: providerInput.optional() }),
  nirvana: z.strictObject({ ...createMembers, aws: providerInput.optional() }),
};

/** ConnectConnectionUpdateRequest (section 2.7). */
export const connectionUpdateSchema = z.strictObject({ name: z.string().optional(), tags: tagsInput.optional() });

const responseMembers = {
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  status: resourceStatus,
  bandwidth_mbps: bandwidthMbps,
  cidrs: z.array(z.string()).min(1),
  provider_cidrs: z.array(z.string()).min(1),
  asn: z.int().nullable(),
  provider_asn: z.int().nullable(),
  router_ip: z.string().nullable(),
  provider_router_ip: z.string().nullable(),
  tags,
  created_at: dateTime,
  updated_at: dateTime,
};

const externalProvider = z.object({ region: z.string() }).nullable();

/** ConnectConnection (section 2.7), with the specification's names. */
export const connectionSchema = z.object({ ...responseMembers, external_provider: externalProvider });

const routeMembers = { provider: z.string(), provider_region: z.string() };

/** ConnectConnection (section 2.7), with the specification's names. */
export type ConnectConnection = z.infer<typeof connectionSchema>;

/** The requests and responses of connect in a dialect (section 2.7). */
export function connectSchemas(dialect: Dialect) {
  return dialect === "spec"
    ? {
        create: createSchemas.spec,
        connection: connectionSchema,
        route: z.object({ platform_region: z.string(), ...routeMembers }),
      }
    : {
        create: createSchemas.nirvana,
        connection: z.object({ ...responseMembers, aws: externalProvider }),
        route: z.object({ nirvana_region: z.string(), ...routeMembers }),
      };
}
