import { randomUUID } from "node:crypto";
import { conflict } from "../model/api-error";
import { nthSubnet } from "../model/cidr";
import type { Dialect } from "../model/dialect";
import { formatTimestamp } from "../model/timestamp";
import { usageOfVpc } from "../model/usage";
import type { World } from "../model/world";
import { type Vpc, vpcCreateSchema, vpcSchema, vpcUpdateSchema } from "../schemas/vpc";
import type { CallContext } from "./call";
import { given } from "./changes";
import type { AnyEndpoint } from "./endpoint";
import { placementRules, projectResourcesQuery } from "./project-resources";
import { resourceEndpoints } from "./resource-endpoints";

/** A VPC with the ids of its rules. */
export function vpcOnWire(world: World, vpc: Vpc): object {
  const rules = world.firewallRules.partition(vpc.id);
  return { ...vpc, firewall_rule_ids: Array.from(rules.after(0), ({ value }) => value.id) };
}

function requireRoom({ world }: CallContext, { region }: { readonly region: string }): void {
  world.quotas.requireRoom(region, "vpcs");
}

/** The VPCs (paths and shapes are those of the public clients). */
export function vpcEndpoints(dialect: Dialect): readonly AnyEndpoint[] {
  return resourceEndpoints({
    noun: "VPC",
    typeName: "Vpc",
    targetType: "vpc",
    resourceType: "vpc",
    collection: "/v1/networking/vpcs",
    idParameter: "vpc_id",
    listQuery: projectResourcesQuery,
    create: vpcCreateSchema,
    update: vpcUpdateSchema,
    resource: vpcSchema,
    isQuoted: true,
    // The specification shows no such endpoints.
    requireAvailable: dialect === "nirvana" ? requireRoom : undefined,
    lifecycle: (world) => world.vpcLifecycle,
    find: (call) => call.reachable("vpc", call.world.vpcs.get(call.param("vpc_id"))),
    list(call, { project_id }) {
      call.requireProject(project_id);
      return call.world.vpcs.partition(project_id);
    },
    readCreate(call) {
      call.requireReachOfBody();
      return call.body(placementRules(call.world, "vpcs"));
    },
    readUpdate(call, vpc) {
      const { subnet_name, ...members } = given(call.body());
      return subnet_name === undefined ? members : { ...members, subnet: { ...vpc.subnet, name: subnet_name } };
    },
    make(call, { name, project_id, region, subnet_name, tags }) {
      const { world } = call;
      world.quotas.take(region, "vpcs");
      const now = formatTimestamp(call.nowMs);
      const times = { created_at: now, updated_at: now };
      const subnet = { id: randomUUID(), name: subnet_name, cidr: nthSubnet(world.nextSubnet()), ...times };
      return { id: randomUUID(), name, project_id, region, status: "creating", subnet, tags: tags ?? [], ...times };
    },
    beforeDelete({ world }, vpc) {
      const rules = world.firewallRules.partition(vpc.id).size;
      if (rules > 0) throw conflict(`the VPC has ${rules} firewall rules, delete them first`);
    },
    usage: usageOfVpc,
    fields: ({ subnet, ...members }) => (subnet ? { ...members, subnet_name: subnet.name } : members),
    wire: vpcOnWire,
  });
}
