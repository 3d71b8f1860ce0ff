import { define } from "../definition/definition";
import { flag, IF_NOTHING_IS_NAMED, instant, openOneOf, text } from "../definition/field";
import type { Same } from "../definition/values";
import { RESOURCE_STATUSES } from "../definition/standard-fields";
import { resource } from "../dynamic/resource";
import type { AdoptArgs, ArgsOf, ResourceClass, ResourceOf } from "../program/resource-types";

/** A program that does not name the namespace means the one that the Service is in. */
const sameNamespace: Same = (before, after) => after === undefined || before === after;

/** Public clients, "nks / controllers, load balancers, persistent volume claims": it can be read and changed, and no more. */
export const nksLoadBalancer = define({
  type: "NksLoadBalancer",
  noun: "NKS load balancer",
  nouns: "NKS load balancers",
  path: "/v1/nks/clusters/{clusterId}/load_balancers",
  isQuoted: false,
  billedFor: ({ publicIpEnabled }) => (publicIpEnabled === true ? "its public IP" : undefined),
  inputs: {
    /** The cluster that it is in. Changing it replaces the resource: it takes another load balancer, and gives this one back. */
    clusterId: text({ change: "replace", ifEmpty: IF_NOTHING_IS_NAMED }),
    /** The name of its Service in Kubernetes. Changing it replaces the resource, as with the cluster. */
    serviceName: text({ change: "replace", ifEmpty: IF_NOTHING_IS_NAMED }),
    /**
     * The namespace of that Service. Give it if several namespaces have a Service of this name. Changing it replaces the resource,
     * as with the cluster.
     */
    namespace: text({ optional: true, change: "replace", shown: "always", same: sameNamespace }),
    /** Whether it has an address on the internet. Changed in place. */
    publicIpEnabled: flag(),
  },
  outputs: {
    /** Its address in the VPC, once assigned. */
    privateIp: text({ optional: true }),
    /** Its address on the internet, if it has one. */
    publicIp: text({ optional: true }),
    /** The state of the load balancer. */
    status: openOneOf(RESOURCE_STATUSES),
    /** When the API first saw it in the cluster, in UTC. */
    createdAt: instant(),
    /** When it was last changed, in UTC. */
    updatedAt: instant({ changesWith: "any" }),
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
 * @remarks Nothing is created: the resource takes over the load balancer of the Service. The preview shows what it changes. If
 *   there is none yet, the preview warns, and the update waits for it.
 * @remarks Nothing is deleted either: when the resource goes, `publicIpEnabled` becomes what it was before the resource came.
 * @remarks A load balancer can have one resource only. A second one of the same provider is refused, with the name of the first. Two
 * explicit providers, or two stacks, do not know of each other: do not declare it in both.
 * @remarks To rename the resource, give it an alias. Else the new one gives the load balancer back as the old one had set it, and a warning
 * says so.
 * @remarks If a replacement fails half-way, and the program goes back to the first Service, the new half does not know how that load balancer
 * was found. A warning says it: after a destroy, set that in the API or the dashboard.
 * @remarks When the Service is gone, the API no longer shows its load balancer. A refresh then takes the resource out of the state.
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
export const NksLoadBalancer: ResourceClass<typeof nksLoadBalancer, NksLoadBalancer, NksLoadBalancerArgs> =
  resource(nksLoadBalancer);

/** What a program declares with it. */
export interface NksLoadBalancer extends ResourceOf<typeof nksLoadBalancer> {}
