import { z } from "zod";
import { publicAddressOf } from "../model/addresses";
import { resource } from "../schemas/primitives";
import { without } from "../services/changed-members";
import { nksClusterNoun } from "./nks-cluster";
import { defineNoun } from "./noun";

/** The load balancers that Kubernetes creates in a cluster. Here the control port adds them. */
export const nksLoadBalancerNoun = defineNoun({
  key: "nksLoadBalancers",
  kind: "nks_load_balancer",
  path: "/v1/nks/clusters/{cluster_id}/load_balancers",
  parent: nksClusterNoun,
  stored: z.object({
    ...resource,
    cluster_id: z.string(),
    namespace: z.string(),
    service_name: z.string(),
    private_ip: z.string().nullable(),
    public_ip: z.string().nullable(),
    public_ip_enabled: z.boolean(),
  }),
  update: z.strictObject({ public_ip_enabled: z.boolean() }),
  usage: ({ public_ip_enabled }) => [{ dimension: "networking_public_ip", quantity: public_ip_enabled ? 1 : 0 }],
  quota: ({ public_ip_enabled }) => [{ quota: "nks.public_ips", amount: public_ip_enabled ? 1 : 0 }],
  change: ({ id }, { public_ip_enabled = false }) => ({
    public_ip_enabled,
    public_ip: public_ip_enabled ? publicAddressOf(id) : null,
  }),
  changeList: (members) => without(members, "public_ip"),
});
