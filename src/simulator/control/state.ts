import type { World } from "../model/world";
import { apiKeyOnWire } from "../services/api-keys";
import { connectionOnWire } from "../services/connect-connections";
import { operationOnWire } from "../services/operations";
import { projectOnWire } from "../services/organization";
import { vpcOnWire } from "../services/vpcs";

/** All there is, in the shapes of the API, oldest first; secrets are not kept, so none can be in it. */
export function stateOf(world: World): Readonly<Record<string, readonly unknown[]>> {
  const nowMs = world.clock.now();
  return {
    apiKeys: Array.from(world.apiKeys.table.all(), (record) => apiKeyOnWire(record, nowMs)),
    connections: Array.from(world.connections.all(), (connection) => connectionOnWire(connection, world.dialect)),
    firewallRules: [...world.firewallRules.all()],
    vpcs: Array.from(world.vpcs.all(), (vpc) => vpcOnWire(world, vpc)),
    projects: Array.from(world.projects.all(), (project) => projectOnWire(world, project)),
    operations: Array.from(world.operations.table.all(), (record) => operationOnWire(record, nowMs)),
    auditLogs: [...world.auditLogs.all()],
  };
}
