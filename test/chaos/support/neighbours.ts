import { autoName } from "../../../src/lifecycle/kind/auto-name";
import { definitions } from "../../../src/resources/registry";
import { urnOf } from "../../support/lifecycle";
import { madeTypes, withTwins } from "../../kinds";
import type { Ground } from "../../kinds/descriptor";
import { placeFound, textOf, type FoundObjects } from "./found";
import { versionOf, type Surroundings, type ProgramResource } from "./program";
import type { Programs } from "./schedule";
import type { Service } from "./service";
import { bodyOf } from "./wire-shape";
import { storage } from "../../kinds/volume";

/** The objects at the API before the first run. */
export interface Neighbours {
  readonly surroundings: Surroundings;
  /** Objects of another person, which must not change: the object's text, by id. */
  readonly foreign: Map<string, string>;
  /** Ids of objects that the program will adopt. They belong to another person until they are in the state. */
  readonly adoptable: ReadonlySet<string>;
  /** Objects for the program to find. */
  readonly found: FoundObjects;
  /** Creates an object of another person, who signs in with another key, or with the given one. */
  create(path: string, body: string, key?: string): Promise<void>;
}

/** The region of objects, if programs do not say it. */
export const REGION = "us-sva-2";
const HOUR_MS = 3_600_000;

/**
 * An hour before the first run, another person makes objects with the names that the program's objects will have, with
 * equal fields. The objects that the program adopts also exist. `pass` moves the clock forward.
 */
export async function moveIn(service: Service, programs: Programs, pass: (ms: number) => void): Promise<Neighbours> {
  const ground = await groundOf(service);
  const somebody = await service.newCredential("somebody-else");
  const create = async (
    type: string,
    args: ProgramResource["args"],
    name: string,
  ): Promise<{ id: string; key?: unknown }> => {
    const body = bodyOf(type, { ...args, name }, ground);
    const made = await service.call("POST", collectionAt(type, args), body, somebody.key);
    return { id: typeof made["resource_id"] === "string" ? made["resource_id"] : made.id, key: made["key"] };
  };

  const declared = versionOf(programs, 0, { ground });
  for (const { type, args, name, hasTwin } of declared) {
    if (!hasTwin || !withTwins.includes(type)) continue;
    for (const twin of namesOf(type, args, name)) await create(type, args, twin);
  }
  pass(HOUR_MS);
  const foreign = new Map(Array.from(service.held(), ([id, { object }]) => [id, textOf(object)]));

  const adoptees = new Map<string, unknown>();
  const adoptable = new Set<string>();
  for (const { type, args, name, isAdopted } of declared) {
    if (!isAdopted || !madeTypes.includes(type)) continue;
    const { id, key } = await create(type, args, (args["name"] as string | undefined) ?? `old-${name}`);
    adoptees.set(name, key === undefined ? id : { id, key });
    adoptable.add(id);
  }
  const found = placeFound(service, programs, ground);
  for (const [name, id] of found.first) {
    if (declared.some((one) => one.name === name && one.isAdopted)) adoptees.set(name, id);
  }
  pass(HOUR_MS);
  service.world.operations.applyDue();
  for (const [id, { object }] of service.held()) {
    if (foreign.has(id) || adoptable.has(id)) foreign.set(id, textOf(object));
  }
  return {
    surroundings: { ground, adoptees },
    foreign,
    adoptable,
    found,
    create: async (path, body, key = somebody.key) => {
      const before = service.held();
      await service.call("POST", path, JSON.parse(body) as object, key);
      for (const [id, { object }] of service.held()) if (!before.has(id)) foreign.set(id, textOf(object));
    },
  };
}

/**
 * The name that the program gives, or else the names that the provider will choose for the first object and for its
 * replacement.
 */
function namesOf(type: string, args: ProgramResource["args"], name: string): string[] {
  const given = args["name"];
  return typeof given === "string" ? [given] : [0, 1].map((generation) => autoName(urnOf(type, name), generation));
}

/** True if the objects of a kind are at the API, not only in the state. */
export function isAtTheApi(type: string): boolean {
  return definitions.some((definition) => definition.type === type);
}

function collectionAt(type: string, args: ProgramResource["args"]): string {
  const { path = "" } = definitions.find((definition) => definition.type === type) ?? {};
  return path.replaceAll(/\{(\w+)\}/g, (_all, input: string) => String(args[input]));
}

/** The objects that every program uses: two VPCs, and two VMs in the first one. */
async function groundOf(service: Service): Promise<Ground> {
  const vpcs = [await vpcOf(service, service.vpcId), await secondVpc(service)];
  const { projectId, vpcId } = service;
  const keysEndAt = new Date(service.now() + 300 * 24 * HOUR_MS).toISOString();
  const vmIds = [await newVm(service, "vm-1"), await newVm(service, "vm-2")];
  const clusterId = await newCluster(service);
  return { projectId, region: REGION, vpcId, clusterId, keysEndAt, vpcs, vmIds };
}

async function newCluster(service: Service): Promise<string> {
  const { projectId: project_id, vpcId: vpc_id } = service;
  const made = await service.call("POST", "/v1/nks/clusters", {
    ...{ name: "cluster", project_id, region: REGION, vpc_id, kubernetes_version: "v1.34.4", autoscaling: false },
  });
  return String(made["resource_id"]);
}

async function newVm(service: Service, name: string): Promise<string> {
  const made = await service.call("POST", "/v1/compute/vms", {
    name,
    project_id: service.projectId,
    region: REGION,
    instance_type: "n1-standard-2",
    os_image_name: "ubuntu-noble-2026-05-18",
    subnet_id: service.subnetId,
    public_ip_enabled: false,
    ssh_key: { public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAbc" },
    boot_volume: { size: 20, type: storage },
  });
  return String(made["resource_id"]);
}

async function secondVpc(service: Service): Promise<{ readonly id: string; readonly cidr: string }> {
  const made = await service.call("POST", "/v1/networking/vpcs", {
    name: "second",
    project_id: service.projectId,
    region: REGION,
    subnet_name: "second",
  });
  return vpcOf(service, String(made["resource_id"]));
}

async function vpcOf(service: Service, id: string): Promise<{ readonly id: string; readonly cidr: string }> {
  const vpc = await service.call("GET", `/v1/networking/vpcs/${id}`);
  return { id, cidr: (vpc["subnet"] as { readonly cidr: string }).cidr };
}
