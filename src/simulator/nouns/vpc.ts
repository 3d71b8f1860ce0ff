import { randomUUID } from "node:crypto";
import { z } from "zod";
import { conflict } from "../model/api-error";
import { nthSubnet } from "../model/cidr";
import { regions } from "../model/regions";
import { seededIds } from "../model/seed";
import { formatTimestamp } from "../model/timestamp";
import type { World } from "../model/world";
import { byName, byRegion, byStatus, byTags } from "../schemas/filters";
import { dateTime, resourceStatus, tags, tagsInput } from "../schemas/primitives";
import { defineNoun } from "./noun";

const create = z.strictObject({
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  subnet_name: z.string(),
  tags: tagsInput.optional(),
});

const update = create.omit({ project_id: true, region: true }).partial();

const kept = z.object({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  status: resourceStatus,
  subnet: z.object({
    id: z.string(),
    name: z.string(),
    cidr: z.string(),
    created_at: dateTime,
    updated_at: dateTime,
  }),
  tags,
  created_at: dateTime,
  updated_at: dateTime,
});

/** A stored VPC. The ids of its rules follow from the rules. */
export type Vpc = z.infer<typeof kept>;

/** The VPCs (paths and shapes are those of the public clients). */
export const vpcNoun = defineNoun<Vpc, typeof create, typeof update>({
  key: "vpcs",
  noun: "VPC",
  typeName: "Vpc",
  targetType: "vpc",
  resourceType: "vpc",
  path: "/v1/networking/vpcs",
  idParameter: "vpc_id",
  kept,
  shown: kept.extend({ firewall_rule_ids: z.array(z.string()) }),
  create,
  update,
  isDeletable: true,
  isQuoted: true,
  hasAvailability: true,
  projectCounter: "cloud.vpcs",
  filters: { ...byName, ...byRegion, ...byStatus, ...byTags },
  sorts: ["updated_at", "name", "status"],
  prices: { networking_vpc: { displayName: "VPC", unitPrice: "7.30" } },
  usage: () => [{ dimension: "networking_vpc", quantity: 1 }],
  quota: () => [{ quota: "networking.vpcs", amount: 1 }],
  regionFeatures: () => ["networking.vpcs"],
  /** Requests have no CIDR: the service chooses one that no other VPC has. */
  make({ world }, { subnet_name, tags = [], ...body }, { id, status, ...times }) {
    const subnet = { id: randomUUID(), name: subnet_name, cidr: nthSubnet(world.next("subnets")), ...times };
    return { id, ...body, status, subnet, tags, ...times };
  },
  change: ({ subnet }, { subnet_name, ...members }) =>
    subnet_name === undefined ? members : { ...members, subnet: { ...subnet, name: subnet_name } },
  flat: ({ subnet, ...members }) => (subnet ? { ...members, subnet_name: subnet.name } : members),
  beforeDelete({ world }, { id, project_id }) {
    const rules = world.partition("firewallRules", id).size;
    if (rules > 0) throw conflict(`the VPC has ${rules} firewall rules, delete them first`);
    for (const [key, what] of Object.entries({ vms: "VMs", nksClusters: "NKS clusters" })) {
      const users = Array.from(world.partition(key, project_id).after(0)).filter(
        ({ value }) => (value as unknown as { vpc_id: string }).vpc_id === id,
      );
      if (users.length > 0) throw conflict(`the VPC has ${users.length} ${what}, delete them first`);
    }
  },
  show: (vpc, world) => ({
    ...vpc,
    firewall_rule_ids: Array.from(world.partition("firewallRules", vpc.id).after(0), ({ value }) => value.id),
  }),
  initial(world) {
    const now = formatTimestamp(world.clock.now());
    const times = { created_at: now, updated_at: now };
    const subnet = { id: seededIds.subnet, name: "default", cidr: nthSubnet(world.next("subnets")), ...times };
    const { vpc: id, project: project_id } = seededIds;
    return [{ id, name: "default", project_id, region: regions[0].name, status: "ready", subnet, tags: [], ...times }];
  },
});

/** The VPC of a project and region that a subnet is in. */
export function vpcOfSubnet(world: World, projectId: string, region: string, subnetId: string): Vpc | undefined {
  for (const vpc of world.inProject(vpcNoun, projectId)) {
    if (vpc.subnet.id === subnetId && vpc.region === region && vpc.status !== "deleting") return vpc;
  }
  return undefined;
}
