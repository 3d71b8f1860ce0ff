import { z } from "zod";
import { publicAddressOf } from "../model/addresses";
import { dateTime, resourceStatus } from "../schemas/primitives";
import { without } from "../services/changed-members";
import { nksClusterNoun } from "./nks-cluster";
import { defineNoun } from "./noun";

const update = z.strictObject({ public_ip_enabled: z.boolean() });

const kept = z.object({
  id: z.string(),
  cluster_id: z.string(),
  namespace: z.string(),
  service_name: z.string(),
  private_ip: z.string().nullable(),
  public_ip: z.string().nullable(),
  public_ip_enabled: z.boolean(),
  status: resourceStatus,
  created_at: dateTime,
  updated_at: dateTime,
});

/** The load balancers that Kubernetes makes in a cluster. Here the control port adds them. */
export const nksLoadBalancerNoun = defineNoun<z.infer<typeof kept>, z.ZodObject, typeof update>({
  key: "nksLoadBalancers",
  noun: "NKS load balancer",
  typeName: "NksLoadBalancer",
  targetType: "nks_load_balancer",
  resourceType: "nks_cluster",
  path: "/v1/nks/clusters/{cluster_id}/load_balancers",
  idParameter: "load_balancer_id",
  parent: nksClusterNoun,
  kept,
  shown: kept,
  update,
  usage: ({ public_ip_enabled }) => [{ dimension: "networking_public_ip", quantity: public_ip_enabled ? 1 : 0 }],
  quota: ({ public_ip_enabled }) => [{ quota: "nks.public_ips", amount: public_ip_enabled ? 1 : 0 }],
  change: ({ id }, { public_ip_enabled = false }) => ({
    public_ip_enabled,
    public_ip: public_ip_enabled ? publicAddressOf(id) : null,
  }),
  flat: (members) => without(members, "public_ip"),
});
