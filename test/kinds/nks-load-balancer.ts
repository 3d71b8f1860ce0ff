import { clusterObject } from "./nks-node-pool";
import { type KindDescriptor, nth } from "./descriptor";

/** A load balancer that the simulator has from the start, because Kubernetes creates them, not a request. */
export const loadBalancerObject = {
  id: "10000000-0000-4000-8000-0000000000b1",
  cluster_id: clusterObject.id,
  namespace: "default",
  service_name: "web",
  private_ip: "10.0.0.98",
  public_ip: null,
  public_ip_enabled: false,
  status: "ready",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
};

export const nksLoadBalancer: KindDescriptor = {
  name: "ingress",
  args: ({ clusterId = clusterObject.id }) => ({
    ...{ clusterId, serviceName: "web", namespace: "default", publicIpEnabled: true },
  }),
  edited: ({ name, fields, replace }) => ({
    serviceName: `${name}-${nth(["web", "mail"], replace)}`,
    publicIpEnabled: fields % 2 === 0,
  }),
  found: ({ clusterId: cluster_id, serviceName: service_name }) => {
    const public_ip_enabled = String(service_name).endsWith("mail");
    const own = { ...loadBalancerObject, cluster_id, service_name, public_ip_enabled };
    return { own, twin: { ...own, namespace: "theirs" } };
  },
};
