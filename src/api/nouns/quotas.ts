import { z } from "zod";

/** Specification section 2.11, QuotaDimensionDetail. */
export const quotaDimension = z.looseObject({ limit: z.number(), remaining: z.number(), used: z.number() });
export type QuotaDimension = z.infer<typeof quotaDimension>;

/** Specification section 2.11: quota of one region. The public service counts connect connections too. */
export const quota = z.looseObject({
  region: z.string(),
  compute: z.looseObject({ memory_gb: quotaDimension, vcpu: quotaDimension }),
  networking: z.looseObject({
    connect_connections: quotaDimension.optional(),
    public_ips: quotaDimension,
    vpcs: quotaDimension,
  }),
  nks: z.looseObject({
    clusters: quotaDimension,
    node_pool_memory_gb: quotaDimension,
    node_pool_vcpu: quotaDimension,
    public_ips: quotaDimension,
  }),
  storage: z.looseObject({ abs: quotaDimension, local_nvme: quotaDimension }),
});
export type Quota = z.infer<typeof quota>;
