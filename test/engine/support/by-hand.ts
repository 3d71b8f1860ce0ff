import { argsOf } from "../../support/world";
import { until } from "./interruption";
import { inDays } from "./programs";
import type { WireObject } from "../../support/simulator-client";
import { paths, type SimulatedApi } from "./simulated-api";
import { protocol } from "../../kinds/firewall-rule";

/** Creates a volume as the arguments of `declare("Volume", …)` describe it. Resolves with its id when it is ready. */
export async function makeVolumeByHand(api: SimulatedApi, name: string): Promise<string> {
  const { projectId, region } = api.simulator;
  const { size, type, tags } = argsOf("Volume", api.simulator);
  const body = { name, size, type, tags, project_id: projectId, region };
  const { resource_id: id } = await api.call("POST", "/v1/compute/volumes", body);
  await until(async () => (await api.call("GET", `/v1/compute/volumes/${String(id)}`))["status"] === "ready");
  return String(id);
}

/** Objects that somebody made without Pulumi: the basic arguments, with the tag `by-hand`. */
export async function makeByHand(api: SimulatedApi) {
  const { projectId, region } = api.simulator;
  const made = ({ resource_id, id }: WireObject): string => (typeof resource_id === "string" ? resource_id : id);
  const key = {
    name: "by-hand-key",
    project_ids: [projectId],
    permissions: [{ resource_type: "vm", permission: "edit" }],
    expires_at: inDays(90),
    tags: ["by-hand"],
  };
  const link = {
    name: "by-hand-link",
    project_id: projectId,
    region,
    bandwidth_mbps: 50,
    cidrs: ["10.0.0.0/25"],
    provider_cidrs: ["172.16.0.0/16"],
    external_provider: { account_id: "123456789012", region: "us-west-2" },
    tags: ["by-hand"],
  };
  const rule = {
    name: "by-hand-rule",
    protocol,
    source_address: "0.0.0.0/0",
    destination_address: "10.0.0.0/25",
    destination_ports: ["443"],
    tags: ["by-hand"],
  };
  const secret = await api.call("POST", paths.apiKeys, key);
  return {
    key: made(await api.call("POST", paths.apiKeys, key)),
    keyWithSecret: { id: secret.id, key: String(secret["key"]) },
    link: made(await api.call("POST", paths.connections, link)),
    rule: made(await api.call("POST", api.rules, rule)),
  };
}
