import { existsSync } from "node:fs";
import { RESOURCE_STATUSES } from "../../../src/definition/standard-fields";
import { localKinds } from "../../../src/resources/registry";
import type { SimulatorOptions } from "../../../src/simulator";
import { ROTATING_API_KEY_TOKEN, typeOfToken } from "../../../src/engine/urn";
import {
  Stack,
  type ConfigValue,
  type ProgramFiles,
  type PulumiResult,
  type YamlProgram,
} from "../../../tools/pulumi/stack.cjs";
import { assertBuilt, assertEngine } from "./built";
import { fastStart } from "./fast-start";
import { KeyService } from "./key-service";
import { succeeded } from "./output";
import { names } from "./programs";
import { SimulatedApi } from "./simulated-api";
import { makeStack, resourcesIn, setConfig, stateFileOf, unlock, type KeptResource } from "./stack-files";

assertBuilt();
assertEngine();

/** True if the API has an object for a resource of this type. Components and schedules are in the state only. */
function isObject(token: string): boolean {
  return !localKinds.some(({ type }) => type === typeOfToken(token)) && token !== ROTATING_API_KEY_TOKEN;
}

const UNFINISHED: readonly string[] = RESOURCE_STATUSES.filter((status) => status !== "ready");

const open = new Set<Session>();

export interface SessionOptions {
  readonly simulator?: SimulatorOptions;
  /** Another session's API, to share it. This session is then another machine, with its own backend and home. */
  readonly api?: SimulatedApi;
  /** Environment in addition to the usual one. Undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly config?: Readonly<Record<string, ConfigValue>>;
}

/** A value of the state, decrypted. Throws if the stack uses a passphrase. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  const { ciphertext, ...others } = value as Readonly<Record<string, unknown>>;
  if (typeof ciphertext === "string") return JSON.parse(KeyService.decrypt(ciphertext)) as unknown;
  return Object.fromEntries(Object.entries(others).map(([name, member]) => [name, shown(member)]));
}

/** One simulator, and one stack of the real engine that works with it. */
export class Session {
  private constructor(
    readonly api: SimulatedApi,
    readonly stack: Stack,
    private readonly keys: KeyService,
    private readonly config: SessionOptions["config"],
  ) {}

  static async start(program: string | YamlProgram | ProgramFiles, options: SessionOptions = {}): Promise<Session> {
    const api = options.api ?? (await SimulatedApi.start(options.simulator));
    const { url, apiKey, projectId, region } = api.simulator;
    const env = {
      CLOUDINFRA_API_KEY: apiKey,
      CLOUDINFRA_BASE_URL: url,
      CLOUDINFRA_PROJECT_ID: projectId,
      CLOUDINFRA_REGION: region,
      ...fastStart,
      ...options.env,
    };
    const stack = new Stack({ program, env });
    const keys = await new KeyService().start();
    const session = new Session(api, stack, keys, options.config);
    open.add(session);
    // Only the CLI can encrypt a secret of the configuration. Then everything is as it is for a user, including the
    // passphrase.
    if (Object.values(options.config ?? {}).some((value) => typeof value !== "string"))
      await stack.init(options.config);
    else makeStack(stack, keys, options.config);
    return session;
  }

  /** A session whose program is up. */
  static async startUp(program: string | YamlProgram | ProgramFiles, options?: SessionOptions): Promise<Session> {
    const session = await Session.start(program, options);
    succeeded(await session.up());
    return session;
  }

  /** Selects another stack of the project, in the same backend. */
  use(name: string): void {
    Object.assign(this.stack, { name });
    this.stack.env["PULUMI_STACK"] = name;
    if (!existsSync(stateFileOf(this.stack))) makeStack(this.stack, this.keys, this.config);
  }

  /** An update without the preview before it: the requests and output of the update itself. */
  up(args: readonly string[] = []): Promise<PulumiResult> {
    return this.stack.up(["--skip-preview", ...args]);
  }

  refresh(args: readonly string[] = []): Promise<PulumiResult> {
    return this.stack.refresh(["--skip-preview", ...args]);
  }

  destroy(args: readonly string[] = []): Promise<PulumiResult> {
    return this.stack.destroy(["--skip-preview", ...args]);
  }

  /** The managed resources in the state file. Secrets are encrypted. */
  kept(): readonly KeptResource[] {
    return resourcesIn(this.stack).filter(({ type }) => /^(pulumi-nodejs|cloudinfra):/.test(type));
  }

  /** The ids of the managed resources in the state file, sorted. */
  keptIds(): readonly string[] {
    return this.kept()
      .map(({ id = "" }) => id)
      .sort();
  }

  /** The only resource with this logical name. */
  one(name: string): KeptResource & { readonly id: string; readonly outputs: Readonly<Record<string, unknown>> } {
    const found = this.kept().filter(({ urn }) => urn.endsWith(`::${name}`));
    if (found.length !== 1) throw new Error(`the state has ${found.length} resources called ${name}`);
    return { id: "", outputs: {}, ...found[0]! };
  }

  /** The stack's outputs in the state file. */
  outputs(): Readonly<Record<string, unknown>> {
    return resourcesIn(this.stack).find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
  }

  /** The same, decrypted, as `pulumi stack output --show-secrets` shows them. */
  shownOutputs(): Readonly<Record<string, unknown>> {
    return shown(this.outputs()) as Readonly<Record<string, unknown>>;
  }

  /** The outputs of the only resource with this logical name, decrypted. */
  shownOutputsOf(name: string): Readonly<Record<string, unknown>> {
    return shown(this.one(name).outputs) as Readonly<Record<string, unknown>>;
  }

  /** Sets a value as `pulumi config set` does. Only for a stack without secrets in its configuration. */
  configure(key: string, value: string): void {
    setConfig(this.stack, key, value);
  }

  /** Unlocks the stack after its CLI was killed, as `pulumi cancel` does. */
  cancel(): void {
    unlock(this.stack);
  }

  /** Expects that state and API have the same objects, and that each is ready. */
  async expectAgreement(): Promise<void> {
    const kept = this.kept().filter(({ external, type }) => external !== true && isObject(type));
    expect(kept.map(({ id }) => id).sort()).toEqual(await this.api.heldIds());
    expect(kept.filter((resource) => resource.delete === true || (resource.initErrors ?? []).length > 0)).toEqual([]);
    expect((await this.api.objects()).filter(({ status }) => UNFINISHED.includes(String(status)))).toEqual([]);
  }

  /** `expectAgreement`, with one object of each kind that has a creation. */
  async expectOneOfEach(): Promise<void> {
    await this.expectAgreement();
    const counts = Object.values(await this.api.held()).map((objects) => objects.length);
    expect(counts.filter((count) => count > 0)).toEqual(names.map(() => 1));
  }

  /** Ends all sessions of a test file, and deletes their folders, unless KEEP_STACKS is `true`. */
  static async closeAll(): Promise<void> {
    for (const { api, stack, keys } of open) {
      await api.close();
      await keys.close();
      if (process.env["KEEP_STACKS"] === "true") console.warn(`the stack stays in ${stack.folder}`);
      else stack.remove();
    }
    open.clear();
  }
}

// Of the suite that imports this.
afterAll(() => Session.closeAll());
