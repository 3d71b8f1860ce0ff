import { API_KEY_RESOURCE_TYPE } from "../../../src/resources/api-key-permission";
import { failureOf, type Failure } from "../../support/failure-of";
import { sent, type TestRun } from "../../support/lifecycle";
import { MemoryJournal } from "../../support/memory-journal";
import { FaultProxy } from "../../support/proxy/fault-proxy";
import { argsOf, collectionPath, World, type WireObject } from "../../support/world";

export type Creation = Awaited<ReturnType<World["create"]>>;

export const AUDIT_LOGS = { method: "GET", path: /^\/v1\/audit_logs$/ };

/** The creation of an object of a kind. */
export const post = (type: string) => ({ method: "POST", path: new RegExp(`^${collectionPath(type)}$`) });

/** The types that no key can edit. The audit log is one. */
const READ_ONLY: readonly string[] = ["audit_log", "organization", "usage"];

/** The cause of the shown error. */
export const causeOf = async (promise: Promise<unknown>): Promise<Failure> =>
  (await failureOf(promise)).cause as Failure;

/** A world behind a proxy, whose runs share a journal. */
export class RecoveryBench {
  private constructor(
    readonly world: World,
    readonly proxy: FaultProxy,
    readonly journal: MemoryJournal,
  ) {}

  static forSuite(): RecoveryBench {
    const world = World.forSuite();
    return new RecoveryBench(world, FaultProxy.forSuite(world), MemoryJournal.forSuite());
  }

  /** The objects that the tests have made. */
  readonly held = async (type: string): Promise<WireObject[]> => {
    return (await this.world.objects(type)).filter(({ name }) => /^(x|mine)/.test(name));
  };

  readonly heldIds = async (type: string): Promise<string[]> => {
    return (await this.held(type)).map(({ id }) => id).sort();
  };

  /** A run through the proxy. */
  readonly run = (config: Readonly<Record<string, string>> = {}): TestRun => {
    const { world, proxy, journal } = this;
    return world.run({ baseUrl: proxy.url, costQuotes: "false", ...config }, { journal });
  };

  /** A key like the owner's, but for the audit log. */
  readonly keyWithoutAudit = (): Promise<string> => {
    const editable = API_KEY_RESOURCE_TYPE.values.filter((name) => !READ_ONLY.includes(name));
    return this.world.keyWith(editable.map((name) => `${name}:edit`));
  };

  readonly make = (type: string, through = this.run(), args: object = {}, name = "x"): Promise<Creation> =>
    this.world.create(type, { ...argsOf(type, this.world.simulator), ...args }, { run: through, name });

  /** A creation whose process is killed before it tells the engine of the object. */
  readonly makeUnreported = async (type: string, through = this.run(), args: object = {}): Promise<Creation> => {
    const made = await this.make(type, through, args);
    await this.journal.undoHandOver();
    return made;
  };

  /** A rule in another stack, which adopts this object. Resolves with its id. */
  readonly adoptElsewhere = async (
    id: string | undefined,
    { through = this.run(), tags }: { through?: TestRun; tags?: string[] } = {},
  ) => {
    const args = { ...argsOf("FirewallRule", this.world.simulator), adopt: id, ...(tags && { tags }) };
    const calls = through.of("FirewallRule");
    const { inputs } = await calls.check({}, sent("FirewallRule", "x", args, false, "other"));
    return (await calls.create(inputs)).id;
  };

  /** The body of the API's own refusals. */
  readonly refusal = (): Record<string, unknown> => {
    const timestamp = new Date(this.world.clock.now()).toISOString();
    return { type: "BAD_REQUEST", message: "no", request_id: "x", context: { parameters: {} }, timestamp };
  };
}
