import { define } from "../definition/definition";
import { flag, IF_LEFT_EMPTY, IF_NOTHING_IS_NAMED, instant, openOneOf, text } from "../definition/field";
import { RESOURCE_STATUSES, times } from "../definition/standard-fields";
import { resource } from "../dynamic/dynamic-resource";
import type { AdoptArgs, ArgsOf, ResourceClass, ResourceOf } from "../program/resource-types";

/**
 * Public clients, "nks / controllers, load balancers, persistent volume claims": the API can only read and change it.
 */
export const nksLoadBalancer = define({
  type: "NksLoadBalancer",
  noun: "NKS load balancer",
  path: "/v1/nks/clusters/{clusterId}/load_balancers",
  isQuoted: false,
  billedFor: ({ publicIpEnabled }) => (publicIpEnabled === true ? "its public IP" : undefined),
  inputs: {
    /**
     * The id of its cluster. Changing it replaces the resource: the resource takes over another load balancer, and
     * restores this one.
     */
    clusterId: text({ change: "replace", ifEmpty: IF_NOTHING_IS_NAMED }),
    /** The name of its Service in Kubernetes. Changing it replaces the resource, as with the cluster. */
    serviceName: text({ change: "replace", ifEmpty: IF_NOTHING_IS_NAMED }),
    /**
     * The namespace of that Service. Give it if several namespaces have a Service of this name. Changing it replaces
     * the resource, as with the cluster.
     */
    namespace: text({ optional: true, change: "replace", shown: "always", ifEmpty: IF_LEFT_EMPTY }),
    /**
     * True if it has an address on the internet, which costs money: the preview says so, without an amount. Changed in
     * place.
     */
    publicIpEnabled: flag(),
  },
  outputs: {
    /** Its private IP address. Undefined if the API shows none. */
    privateIp: text({ optional: true }),
    /** Its address on the internet, if it has one. */
    publicIp: text({ optional: true, changesWith: ["publicIpEnabled"] }),
    /** The state of the load balancer. */
    status: openOneOf(RESOURCE_STATUSES),
    /** When the API first saw it in the cluster, in UTC. */
    createdAt: instant(),
    /** When it was last changed, in UTC. */
    updatedAt: times.updatedAt,
  },
  discovery: {
    by: ["serviceName", "namespace"],
    origin: "Kubernetes makes one for each Service of the type LoadBalancer",
  },
});

/** Arguments of a NksLoadBalancer. */
export interface NksLoadBalancerArgs extends ArgsOf<typeof nksLoadBalancer>, AdoptArgs {}

/**
 * A load balancer that Kubernetes has made in a NksCluster, for a Service of the type LoadBalancer.
 *
 * @remarks Nothing is created: the resource takes over the load balancer of the Service. The preview shows which values
 * it changes. If there is no load balancer yet, the preview warns, and the update waits for it.
 * @remarks Nothing is deleted either: a deletion of the resource sets `publicIpEnabled` back to its value from before
 * the take-over.
 * @remarks Declare one resource for a load balancer. The preview refuses a second one in the same program and names the
 * first. Two stacks do not know of each other: do not declare it in both.
 * @remarks To rename the resource, give it an alias. Otherwise the new resource would later restore the value that the
 * old one has set. A warning says so.
 * @remarks If a replacement fails and the program returns to the first Service, the former value of that load balancer
 * may be lost. A warning names it: after a destroy, set it in the API or the dashboard.
 * @remarks If the Service is deleted, the API no longer shows its load balancer. A refresh then removes the resource
 * from the state.
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const cluster = cloudinfra.getNksClusterOutput({ name: "production" });
 *
 * const ingress = new cloudinfra.NksLoadBalancer("ingress", {
 *   clusterId: cluster.id,
 *   namespace: "ingress-nginx",
 *   serviceName: "ingress-nginx-controller",
 *   publicIpEnabled: true,
 * });
 *
 * export const address = ingress.publicIp;
 * ```
 */
export const NksLoadBalancer: ResourceClass<NksLoadBalancer, NksLoadBalancerArgs> = resource(nksLoadBalancer);

export interface NksLoadBalancer extends ResourceOf<typeof nksLoadBalancer> {}
