import type { Noun } from "../../../src/simulator/nouns/noun";
import { connectionRequest, type Json, keyRequest, ruleRequest, vmRequest, volumeRequest, vpcRequest } from "./harness";
import type { Ids } from "./populated";
import { volumeType } from "../../../src/simulator/nouns/volume";

/** Where samples are made: the seeded project, and the region that has everything. */
export interface Place {
  readonly projectId: string;
  readonly region: string;
}

/** A good request for one of each noun, and good bodies of its updates and actions. A noun without a sample fails every suite that needs it. */
export interface Sample {
  /** Absent if no request makes one. `ids` are those of what stands before it in the registry. */
  readonly create?: (place: Place, ids: Ids) => Json;
  /** Whether a second one is made, which stays empty, so that it can be deleted. */
  readonly isHolder?: boolean;
  /** For what no request makes: what the control port puts there, without id and times. */
  readonly place?: (place: Place, ids: Ids) => Json;
  readonly update?: Json;
  /** Whether that takes more of the quotas. */
  readonly grows?: boolean;
  readonly actions?: Readonly<Record<string, (ids: Ids) => Json>>;
  /** Another one, for an action that the first is in no state for; made once everything is there. */
  readonly forAction?: Readonly<Record<string, (place: Place, ids: Ids) => Json>>;
}

const samples: Readonly<Record<string, Sample>> = {
  apiKeys: { create: ({ projectId }) => keyRequest(projectId) },
  organizations: { create: () => ({ name: "second" }) },
  memberships: {
    place: (_place, { organization_id }) => ({
      organization_id: organization_id?.[0],
      user_id: "placed-user",
      role: "owner",
    }),
  },
  organizationAddresses: {
    create: () => ({ line1: "123 Main St", city: "San Francisco", postal_code: "94105", country: "US" }),
    update: { city: "Oakland", line2: null },
  },
  rechargePolicies: { update: { policy: "automatic", policy_args: { fixed: "50.00", runway_days: "7" } } },
  billingHistory: {
    place: (_place, { organization_id }) => ({
      organization_id: organization_id?.[0],
      ...{ type: "adjustment", amount: "-5.00", currency: "USD", description: "goodwill", purpose: "refund" },
      receipt_url: null,
    }),
  },
  projects: { create: () => ({ name: "third" }) },
  vpcs: { create: ({ projectId, region }) => vpcRequest(projectId, region) },
  firewallRules: { create: () => ruleRequest },
  connections: { create: ({ projectId, region }) => connectionRequest(projectId, region) },
  volumes: {
    create: ({ projectId, region }) => volumeRequest(projectId, region),
    update: { name: "renamed", size: 30 },
    grows: true,
    actions: { attach: ({ vm_id }) => ({ vm_id: vm_id?.[0] ?? "" }) },
    forAction: {
      detach: (place, { vm_id }) => ({ ...volumeRequest(place.projectId, place.region), vm_id: vm_id?.[0] ?? "" }),
    },
  },
  vms: {
    create: ({ projectId, region }) => vmRequest(projectId, region),
    update: { instance_type: "n1-standard-4" },
    grows: true,
  },
  nksClusters: {
    isHolder: true,
    create: ({ projectId, region }, { vpc_id }) => ({
      name: "cluster",
      project_id: projectId,
      region,
      vpc_id: vpc_id?.[0],
      kubernetes_version: "v1.34.4",
      autoscaling: false,
    }),
  },
  nksControllers: {},
  nksControllerVolumes: {},
  nksLoadBalancers: {
    place: (_place, { cluster_id }) => ({
      cluster_id: cluster_id?.[0],
      namespace: "default",
      service_name: "web",
      private_ip: "10.0.0.9",
      public_ip: null,
      public_ip_enabled: false,
      status: "ready",
    }),
    update: { public_ip_enabled: true },
  },
  nksPersistentVolumeClaims: {
    place: (_place, { cluster_id }) => ({
      cluster_id: cluster_id?.[0],
      name: "claim",
      size: 10,
      type: volumeType.options[1],
      status: "ready",
    }),
  },
  nksNodePools: {
    create: () => ({
      name: "pool",
      node_config: { instance_type: "n1-standard-2", boot_volume: { size: 64, type: volumeType.options[0] } },
      node_count: 2,
    }),
    update: { name: "renamed", node_count: 3 },
    grows: true,
  },
  nksNodes: {},
  nksNodeVolumes: {},
  rpcNodesFlex: {
    create: ({ projectId }) => ({
      name: "flex",
      project_id: projectId,
      blockchain: "ethereum",
      network: "mainnet",
    }),
  },
  rpcNodesDedicated: {
    place: ({ projectId }) => ({
      project_id: projectId,
      name: "dedicated",
      blockchain: "solana",
      network: "mainnet",
      endpoint: "https://dedicated.invalid",
      tags: [],
    }),
  },
};

let made = 0;

/** The sample of a noun. Each creation has another name if names are unique. */
export function sampleOf({ key, isNameUnique }: Noun): Sample {
  const sample = samples[key];
  if (!sample) throw new Error(`test/simulator/support/samples.ts has no sample of ${key}`);
  const { create } = sample;
  if (isNameUnique !== true || create === undefined) return sample;
  return { ...sample, create: (place, ids) => ({ ...create(place, ids), name: `sample-${(made += 1)}` }) };
}
