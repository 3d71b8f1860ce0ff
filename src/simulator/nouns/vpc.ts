import { randomUUID } from "node:crypto";
import { z } from "zod";
import { nthSubnet } from "../model/addresses";
import { nonEmpty } from "../model/rejection";
import { regions, seededIds } from "../model/catalogs";
import type { World } from "../model/world";
import { identity, location, nameAndTags, namedInput, resourceMembers } from "../schemas/primitives";
import { defineNoun } from "./noun";

const create = z.strictObject({ ...namedInput, ...location, subnet_name: z.string() });

const stored = z.object({
  ...resourceMembers,
  ...nameAndTags,
  ...location,
  subnet: z.object({ ...identity, name: z.string(), cidr: z.string() }),
});

/** A stored VPC. An answer takes the ids of its firewall rules from the rules. */
type Vpc = z.infer<typeof stored>;

/** Paths and shapes are those of the public clients. */
export const vpcNoun = defineNoun({
  key: "vpcs",
  kind: "vpc",
  path: "/v1/networking/vpcs",
  stored,
  computed: { firewall_rule_ids: z.array(z.string()) },
  create,
  update: create.omit({ project_id: true, region: true }).partial(),
  isDeletable: true,
  isQuoted: true,
  hasAvailability: true,
  projectCounter: "cloud.vpcs",
  filteredBy: ["name", "region", "status", "tags"],
  sorts: ["updated_at", "name", "status"],
  prices: { networking_vpc: { displayName: "VPC", unitPrice: "7.30" } },
  usage: () => [{ dimension: "networking_vpc", quantity: 1 }],
  quota: () => [{ quota: "networking.vpcs", amount: 1 }],
  regionFeatures: () => ["networking.vpcs"],
  /** Requests have no CIDR: the service chooses one that no other VPC uses. */
  make: ({ world }, { subnet_name }, { created_at, updated_at }) => ({
    subnet: { id: randomUUID(), name: subnet_name, cidr: nthSubnet(world.next("subnets")), created_at, updated_at },
  }),
  change: ({ subnet }, { subnet_name, ...members }) =>
    subnet_name === undefined ? members : { ...members, subnet: { ...subnet, name: subnet_name } },
  changeList: ({ subnet, ...members }) => (subnet ? { ...members, subnet_name: subnet.name } : members),
  beforeDelete({ world }, { id, project_id }) {
    const rules = world.partition("firewallRules", id).size;
    if (rules > 0) throw nonEmpty("VPC", rules, "firewall rule");
    for (const [key, noun] of Object.entries({ vms: "VM", nksClusters: "NKS cluster" })) {
      const users = world
        .objectsIn(key, project_id)
        .filter((user) => (user as unknown as { vpc_id: string }).vpc_id === id);
      if (users.length > 0) throw nonEmpty("VPC", users.length, noun);
    }
  },
  show: ({ id }, world) => ({ firewall_rule_ids: world.idsIn("firewallRules", id) }),
  seed(world, times) {
    const { vpc: id, project: project_id } = seededIds;
    const subnet = { id: seededIds.subnet, name: "default", cidr: nthSubnet(world.next("subnets")), ...times };
    return [{ id, name: "default", project_id, region: regions[0].name, status: "ready", subnet, tags: [], ...times }];
  },
});

export function vpcOfSubnet(world: World, projectId: string, region: string, subnetId: string): Vpc | undefined {
  for (const vpc of world.inProject(vpcNoun, projectId)) {
    if (vpc.subnet.id === subnetId && vpc.region === region && vpc.status !== "deleting") return vpc;
  }
  return undefined;
}
