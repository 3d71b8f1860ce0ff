import { z } from "zod";
import { dateTime, resourceStatus } from "./schema";

/** Specification section 2.7, ConnectConnection. `external_provider` never returns the account id. */
export const connectConnection = z.looseObject({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  status: resourceStatus,
  bandwidth_mbps: z.number().int(),
  cidrs: z.array(z.string()),
  provider_cidrs: z.array(z.string()),
  asn: z.number().int().nullable(),
  provider_asn: z.number().int().nullable(),
  router_ip: z.string().nullable(),
  provider_router_ip: z.string().nullable(),
  external_provider: z.looseObject({ region: z.string() }).nullable(),
  tags: z.array(z.string()),
  created_at: dateTime,
  updated_at: dateTime,
});
export type ConnectConnection = z.infer<typeof connectConnection>;

/** Specification section 2.7. */
export interface ConnectConnectionCreateRequest {
  readonly name: string;
  readonly project_id: string;
  readonly region: string;
  readonly bandwidth_mbps: number;
  readonly cidrs: readonly string[];
  readonly provider_cidrs: readonly string[];
  readonly external_provider?: { readonly account_id: string; readonly region: string };
  readonly tags?: readonly string[];
}

/** Specification section 2.7: nothing else can be changed. */
export interface ConnectConnectionUpdateRequest {
  readonly name?: string;
  readonly tags?: readonly string[];
}
