import { clusterObject } from "./nks-node-pool";
import { nth, times, type KindDescriptor } from "./descriptor";

/** A load balancer that is there from the start, as the simulator keeps it: Kubernetes makes them, and no request does. */
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
  collection: "nksLoadBalancers",
  wire: { ...loadBalancerObject, public_ip: "203.0.113.98", public_ip_enabled: true },
  // Never sent: what the program says in the API's words.
  creation: () => ({ service_name: "web", namespace: "default", public_ip_enabled: true }),
  inputDrifts: {
    clusterId: "part of the path: another value is another object",
    serviceName: "tells it from others: another value is another object",
    namespace: "tells it from others: another value is another object",
    publicIpEnabled: { wire: { public_ip_enabled: false }, shown: false },
  },
  outputDrifts: {
    privateIp: { wire: { private_ip: "10.0.0.7" }, shown: "10.0.0.7" },
    publicIp: { wire: { public_ip: "203.0.113.7" }, shown: "203.0.113.7" },
    status: { wire: { status: "error" }, shown: "error" },
    ...times,
  },
  limits: [
    [{}, undefined],
    [{ clusterId: undefined }, "clusterId: is required"],
    [{ serviceName: undefined }, "serviceName: is required"],
    [{ serviceName: 7 }, 'serviceName: must be a string (is the number 7): write "7"'],
    [{ namespace: 7 }, 'namespace: must be a string (is the number 7): write "7"'],
    [{ publicIpEnabled: undefined }, "publicIpEnabled: is required"],
    [{ publicIpEnabled: "yes" }, 'publicIpEnabled: must be true or false (is "yes")'],
  ],
};
