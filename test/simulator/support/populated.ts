import { connectionRequest, type Harness, keyRequest, ruleRequest, vpcRequest } from "./harness";
import { connections, firewallRulesOf, vpcs } from "./paths";
import type { KnownValues } from "./schema-arbitrary";

/** Ids of what there is, by the names of the paths' parameters; the last can be deleted, for nothing is in it. */
export type Ids = Readonly<Record<string, readonly string[]>>;

/** Puts one of everything into the simulator, so that each path leads somewhere. */
export async function populate(api: Harness): Promise<Ids> {
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await api.call("POST", path, { body });
    return String(reply.body["resource_id"] ?? reply.body["id"]);
  };
  const ids = {
    project_id: [api.projectId, await api.newProject()],
    vpc_id: [api.vpcId, await made(vpcs, vpcRequest(api.projectId, api.region))],
    connection_id: [await made(connections, connectionRequest(api.projectId, api.region))],
    firewall_rule_id: [await made(firewallRulesOf(api.vpcId), ruleRequest)],
    api_key_id: [await made("/v1/api_keys", keyRequest(api.projectId))],
    name: [api.region],
    region: [api.region],
  };
  const { operations, auditLogs } = await api.state();
  return {
    ...ids,
    operation_id: [String(operations?.[0]?.["id"])],
    audit_log_id: [String(auditLogs?.[0]?.["id"])],
  };
}

/** Values that members and parameters of these names can have in the simulator. */
export function knownValues(api: Harness): KnownValues {
  const cidrs = ["10.0.0.0/16", "172.16.0.0/12"];
  return {
    ...{ project_id: [api.projectId], project_ids: [api.projectId], region: [api.region, "us-wdc-1"] },
    ...{ cidrs, provider_cidrs: cidrs, allowed: ["127.0.0.1"], blocked: ["192.168.0.0/16"] },
    ...{ source_address: ["0.0.0.0/0", ...cidrs], destination_address: ["10.0.0.0/25", "10.0.0.7/32"] },
    ...{ destination_ports: ["443", "8000-9000"], account_id: ["123456789012"] },
    ...{ expires_at: ["2026-06-01T00:00:00Z", "2027-03-01T12:00:00Z"], starts_at: ["2026-03-01T12:00:00Z"] },
  };
}
