import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { kinds } from "../../../src/resources/registry";
import { createApiServer } from "../../../src/simulator/http/api-app";
import { conflict } from "../../../src/simulator/model/rejection";
import { resourceTypes, seededIds } from "../../../src/simulator/model/catalogs";
import type { World } from "../../../src/simulator/model/world";
import { readOptions, type SimulatorOptions } from "../../../src/simulator/options";
import { Simulation } from "../../../src/simulator/simulation";
import { descriptorOf, descriptors } from "../../kinds";
import { sendAs, type WireObject } from "../../support/simulator-client";

const collectionsFound = Object.values(descriptors).flatMap(({ found, collection }) => (found ? [collection] : []));
const OWNER_KEY = "chaos-owner-key-0123456789";
/** The permissions that the programs need and their keys may give. */
const PERMISSIONS = resourceTypes
  .filter((type) => type !== "audit_log")
  .map((type) => ({ resource_type: type, permission: "edit" }));
const AUDIT_LOG = { resource_type: "audit_log", permission: "read" };

/** A key to sign in with. */
export interface Credential {
  readonly id: string;
  readonly key: string;
}

/** The simulated service without HTTP: tests read its state directly, and its clock is virtual. */
export class Service {
  private constructor(
    readonly simulation: Simulation,
    private readonly server: FastifyInstance,
    readonly url: string,
  ) {
    this.openAll();
  }

  /** Default: the machine's clock. */
  static async start(options: Pick<SimulatorOptions, "clock" | "operationTime"> = {}): Promise<Service> {
    const simulation = new Simulation(readOptions({ apiKey: OWNER_KEY, ...options }));
    const server = await createApiServer(simulation);
    await server.listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.server.address() as AddressInfo;
    return new Service(simulation, server, `http://127.0.0.1:${port}`);
  }

  get world(): World {
    return this.simulation.world;
  }

  readonly projectId = seededIds.project;
  readonly vpcId = seededIds.vpc;
  readonly subnetId = seededIds.subnet;
  #isFull = false;
  /** The key that runs sign in with, until it is revoked. */
  credential: Credential | undefined;

  /** The service's time. */
  now(): number {
    return this.simulation.clock.now();
  }

  /** Moves the service's time forward. */
  advance(ms: number): void {
    this.simulation.clock.advance(ms);
  }

  reset(): void {
    this.simulation.reset();
    this.openAll();
    this.credential = undefined;
  }

  /** Makes every key reach every project, including those that programs make, and raises all quotas. */
  private openAll(): void {
    const { world } = this;
    const authenticate = world.authenticate.bind(world);
    world.authenticate = (token) => {
      const caller = authenticate(token);
      return caller && { ...caller, reaches: () => true };
    };
    world.quotas.requireRoom = (region, uses) => {
      if (this.#isFull && uses.some(({ amount }) => amount > 0)) throw conflict(`quota exceeded in ${region}`);
    };
  }

  /** Runs an action while no quota is left. */
  async withoutRoom<T>(happen: () => Promise<T>): Promise<T> {
    this.#isFull = true;
    try {
      return await happen();
    } finally {
      this.#isFull = false;
    }
  }

  /** True if objects on this path change at once, without an operation. */
  changesAtOnce(path: string): boolean {
    const direct = this.simulation.nouns.filter(({ isDirect }) => isDirect === true);
    return ["/v1/api_keys", ...direct.map((noun) => noun.path)].some((collection) => path.startsWith(collection));
  }

  /** True if the object on this path is created by something else. */
  isFound(path: string): boolean {
    const nouns = this.simulation.nouns.filter((noun) => collectionsFound.includes(noun.key));
    return nouns.some((noun) => new RegExp(`^${noun.path.replaceAll(/\{\w+\}/g, "[^/]+")}/`).test(path));
  }

  /** Sends a request, with the owner's key by default. */
  async call(method: string, path: string, body?: object, key = OWNER_KEY): Promise<WireObject> {
    return (await sendAs(key, method, this.url + path, body)) as WireObject;
  }

  /** Creates a key with all permissions that the programs need, with or without that for the audit log. */
  async newCredential(name: string, mayReadAudit = true): Promise<Credential> {
    const { id, key } = await this.call("POST", "/v1/api_keys", {
      name,
      expires_at: new Date(this.now() + 360 * 86_400_000).toISOString(),
      project_ids: [this.projectId],
      permissions: [...PERMISSIONS, ...(mayReadAudit ? [AUDIT_LOG] : [])],
    });
    return { id, key: String(key) };
  }

  /** Revokes the key that runs sign in with now. */
  revokeCredential(): void {
    if (this.credential) this.world.lifecycleOf("apiKeys").remove(this.credential.id);
    this.credential = undefined;
  }

  /** The id of the key with this secret. Undefined if it is not valid. */
  async signIn(secret: string): Promise<string | undefined> {
    const response = await fetch(`${this.url}/v1/regions`, { headers: { authorization: `Bearer ${secret}` } });
    return response.ok ? this.world.authenticate(secret)?.actor.id : undefined;
  }

  /** All objects that programs could have made, with their paths, except those that come and go with another object. */
  held(): Map<string, { readonly path: string; readonly object: WireObject }> {
    const { world, nouns } = this.simulation;
    const collections = kinds.map(({ type }) => descriptorOf(type).collection);
    const made = nouns.filter(({ key }) => collections.includes(key));
    const objects = made.flatMap((noun) =>
      Array.from(world.table(noun).all(), (object): [string, WireObject] => {
        const kept = object as unknown as WireObject;
        return [noun.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(kept[name])), kept];
      }),
    );
    const seeded: readonly string[] = Object.values(seededIds);
    const all = objects.filter(([, kept]) => !seeded.includes(kept.id) && kept["made_with"] === undefined);
    return new Map(all.map(([path, object]) => [object.id, { path: `${path}/${object.id}`, object }]));
  }

  /** The volumes attached to a VM. */
  volumesOf(vmId: string): readonly WireObject[] {
    const { world, nouns } = this.simulation;
    const noun = nouns.find(({ key }) => key === "volumes");
    const all = noun ? Array.from(world.table(noun).all(), (object) => object as unknown as WireObject) : [];
    return all.filter((volume) => volume["vm_id"] === vmId);
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
