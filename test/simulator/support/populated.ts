import { seededIds } from "../../../src/simulator/model/catalogs";
import { nounsOf } from "../../../src/simulator/nouns/noun-registry";
import { volumeType } from "../../../src/simulator/nouns/volume";
import { type Harness, startTimes } from "./harness";
import { sampleOf } from "./samples";
import type { KnownValues } from "./schema-arbitrary";

/** The ids of existing objects by the names of path parameters. The last object of each kind has no sub-resources. */
export type Ids = Readonly<Record<string, readonly string[]>>;

/** Creates one object of each kind, so that each path exists. */
export async function populate(api: Harness): Promise<Ids> {
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await api.call("POST", path, { body });
    const id = (reply.body["resource_id"] ?? reply.body["id"]) as string | undefined;
    if (id === undefined) throw new Error(`POST ${path}: ${JSON.stringify(reply.body)}`);
    return id;
  };
  const ids: Record<string, readonly string[]> = {
    project_id: [api.projectId],
    vpc_id: [api.vpcId],
    organization_id: [seededIds.organization],
    name: [api.region],
    instance_type: ["n1-standard-2"],
    region: [api.region],
  };
  for (const noun of nounsOf(api.dialect)) {
    const sample = sampleOf(noun);
    if (sample.place) {
      const object = { id: `placed-${noun.key}`, ...startTimes, ...sample.place(ids) };
      await api.place({ [noun.key]: [object] });
    }
    if (!sample.create) {
      const of = (await api.state())[noun.key]?.[0]?.["id"] as string | undefined;
      if (of !== undefined) ids[`${noun.path}:${noun.idParameter}`] = [of];
      continue;
    }
    const path = noun.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name]?.[0] ?? "x");
    for (let count = 0; count < (sample.needsEmptyTwin ? 2 : 1); count += 1) {
      const id = await made(path, sample.create(ids));
      ids[noun.idParameter] = [...(ids[noun.idParameter] ?? []), id];
    }
  }
  for (const noun of nounsOf(api.dialect)) {
    for (const [action, request] of Object.entries(sampleOf(noun).forAction ?? {})) {
      ids[`${action}:${noun.idParameter}`] = [await made(noun.path, request(ids))];
    }
  }
  const { operations, auditLogs } = await api.state();
  return {
    ...ids,
    ...(await organizationsFor(api, made)),
    resource_id: [api.vpcId],
    operation_id: [String(operations?.[0]?.["id"])],
    audit_log_id: [String(auditLogs?.[0]?.["id"])],
  };
}

/**
 * Organizations in the states that some requests need: without an address, with a charge that is due, with another
 * owner.
 */
async function organizationsFor(api: Harness, made: (path: string, body: object) => Promise<string>): Promise<Ids> {
  const [bare, due, left] = [
    await made("/v1/organizations", { name: "bare" }),
    await made("/v1/organizations", { name: "due" }),
    await made("/v1/organizations", { name: "left" }),
  ];
  await api.call("PATCH", `/v1/organizations/${due}/billing/recharge_policy`, {
    body: { policy: "automatic", policy_args: { fixed: "20", runway_days: "1", monthly_cap: "0" } },
  });
  const membership = { id: "other-owner", organization_id: left, user_id: "other", role: "owner" };
  await api.place({ memberships: [{ ...membership, ...startTimes }] });
  return { "POST address:organization_id": [bare], "recharge:organization_id": [due], "leave:organization_id": [left] };
}

/**
 * The ids for a parameter of a path: those for an action or a collection come before those of the kind, because an
 * action may need another object than the other methods do.
 */
export function idsFor(ids: Ids, method: string, path: string, name: string): readonly string[] | undefined {
  const action = path.split("/").at(-1) ?? "";
  const collection = path.slice(0, path.indexOf(`/{${name}}`));
  return ids[`${method} ${action}:${name}`] ?? ids[`${action}:${name}`] ?? ids[`${collection}:${name}`] ?? ids[name];
}

/** Values for members and parameters of these names that exist in the simulator. */
export function knownValues(api: Harness, ids: Ids): KnownValues {
  const cidrs = ["10.0.0.0/16", "172.16.0.0/12"];
  return {
    ...{ project_id: [api.projectId], project_ids: [api.projectId], region: [api.region, "us-wdc-1"] },
    ...{ cidrs, provider_cidrs: cidrs, allowed: ["127.0.0.1"], blocked: ["192.168.0.0/16"] },
    ...{ source_address: ["0.0.0.0/0", ...cidrs], destination_address: ["10.0.0.0/25", "10.0.0.7/32"] },
    ...{ destination_ports: ["443", "8000-9000"], account_id: ["123456789012"] },
    ...{ size: [64], type: volumeType.options, instance_type: ["n1-standard-2"], vm_id: ids["vm_id"] ?? [] },
    ...{ os_image_name: ["ubuntu-noble-2026-05-18"], subnet_id: ["00000000-0000-4000-8000-000000000004"] },
    ...{ kubernetes_version: ["v1.34.4"], vpc_id: [api.vpcId], labels: ["env=prod"], taints: ["a=b:NoSchedule"] },
    ...{ blockchain: ["ethereum"], network: ["mainnet"], node_count: [2], autoscaling: [false] },
    ...{ public_key: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGl2"] },
    ...{
      resource_id: [api.vpcId],
      resource_type: ["vpc"],
      month: ["2026-03"],
      from: ["2026-02-20"],
      to: ["2026-03-01"],
    },
    ...{ amount: ["10.00"], country: ["US"], policy: ["automatic"], fixed: ["20"], runway_days: ["7"] },
    ...{ metric: ["compute.nirvanalabs.io/vm/cpu/utilization"], start_time: ["2026-03-01T11:00:00Z"] },
    ...{ expires_at: ["2026-06-01T00:00:00Z", "2027-03-01T12:00:00Z"], starts_at: ["2026-03-01T12:00:00Z"] },
  };
}
