import { z } from "zod";
import schema from "../../docs/rotate.schema.json";
import type { auditDocument, checkDocument } from "../../src/cli/rotate/rotate-document";
import { startSimulator, type Simulator, type SimulatorOptions } from "../../src/simulator";
import { makeApiKey, requestsOf, send } from "../functions/support";
import { forSuite } from "../support/suite";
import { VirtualClock } from "../support/virtual-clock";
import { encrypted, runCli, type CliResult, type CliRun } from "./support";

/** A secret that no output of a command may contain. */
export const OWNER_KEY = "canary-owner-key-0123456789";
/** In March. This machine's clock shows another time: the API's counts. */
export const START = Date.parse("2026-03-01T12:00:00Z");
export const DAY_MS = 86_400_000;
/** The time this many days after the start, as the API formats it. */
export const after = (days: number): string => new Date(START + days * DAY_MS).toISOString().replace(".000Z", "Z");

/** The members of a key in the state that the API does not show. */
interface KeptKey {
  readonly name?: string;
  readonly rotatesAt?: unknown;
  readonly replacedId?: string;
  readonly delete?: boolean;
  readonly external?: boolean;
  readonly ignoreChanges?: readonly string[];
  /** `<urn>::<id>` */
  readonly provider?: string;
  readonly parent?: string;
  readonly deleteOld?: unknown;
  readonly __retired?: unknown;
}

interface Documents {
  readonly check: z.infer<typeof checkDocument>;
  readonly audit: z.infer<typeof auditDocument>;
}
type DocumentResult<Output extends keyof Documents> = Pick<CliResult, "code" | "stderr"> & Documents[Output];

/** A simulator with a stopped clock, and a state in the engine's form. */
export class RotateBench {
  #resources: object[] = [];

  private constructor(
    readonly api: Simulator,
    readonly clock: VirtualClock,
  ) {}

  private static async start(options: SimulatorOptions = {}): Promise<RotateBench> {
    const clock = new VirtualClock(START);
    const api = await startSimulator({ apiKey: OWNER_KEY, validateResponses: true, clock, ...options });
    return new RotateBench(api, clock);
  }

  /** One for the tests of a file. It is reset before each test. */
  static forSuite(options: SimulatorOptions = {}): RotateBench {
    return forSuite(
      () => RotateBench.start(options),
      (made) => made.reset(),
    );
  }

  close(): Promise<void> {
    return this.api.close();
  }

  reset(): void {
    this.clock.advance(START - this.clock.now());
    this.#resources = [];
    this.api.reset();
  }

  advance(days: number): void {
    this.clock.advance(days * DAY_MS);
  }

  /** Makes a key at the API with a lifetime of this many days. */
  makeKey(days: number, members: object = {}): Promise<{ readonly id: string; readonly secret: string }> {
    const expires_at = new Date(this.clock.now() + days * DAY_MS).toISOString();
    return makeApiKey(this.api, { expires_at, ...members });
  }

  /** Puts a key of the API into the state. */
  async keep(
    id: string,
    { name = "deployer", rotatesAt, replacedId, deleteOld, __retired, ...members }: KeptKey = {},
  ): Promise<void> {
    const wire = await this.send("GET", `/v1/api_keys/${id}`);
    this.keepAsIs({
      urn: `urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:ApiKey::${name}`,
      type: "pulumi-nodejs:dynamic/cloudinfra:ApiKey",
      custom: true,
      id,
      ...members,
      outputs: {
        ...{ rotatesAt, replacedId, deleteOld, __retired },
        expiresAt: wire["expires_at"],
        createdAt: wire["created_at"],
        key: encrypted,
      },
    });
  }

  /** Makes a key with a lifetime of this many days, and puts it into the state. */
  async keepNew(kept: KeptKey = {}, days = 90, members?: object): ReturnType<RotateBench["makeKey"]> {
    const key = await this.makeKey(days, members);
    await this.keep(key.id, kept);
    return key;
  }

  /** A key of 90 days that is rotated 14 days before its end. */
  keepKey(name = "deployer"): ReturnType<RotateBench["makeKey"]> {
    return this.keepNew({ name, rotatesAt: after(76) });
  }

  keepAsIs(resource: object): void {
    this.#resources.push(resource);
  }

  /** The output of `pulumi stack export`. */
  get state(): string {
    return JSON.stringify({ version: 3, deployment: { resources: this.#resources } });
  }

  /** Runs `cloudinfra rotate` with the state on standard input. */
  rotate(flags: readonly string[], run: CliRun = {}): Promise<CliResult> {
    return runCli(["rotate", ...flags, "--state", "-"], { environment: this.environment, stdin: this.state, ...run });
  }

  /** As `rotate`, with --check. Resolves with the exit code, the warnings and the document. */
  check(flags: readonly string[] = [], run: CliRun = {}): Promise<DocumentResult<"check">> {
    return this.#document("check", flags, run);
  }

  /** As `rotate`, with --audit. */
  audit(flags: readonly string[] = [], run: CliRun = {}): Promise<DocumentResult<"audit">> {
    return this.#document("audit", flags, run);
  }

  /** The document must have the form of the published schema. */
  async #document<Output extends keyof Documents>(
    output: Output,
    flags: readonly string[],
    run: CliRun,
  ): Promise<DocumentResult<Output>> {
    const { code, stdout, stderr } = await this.rotate([`--${output}`, "--format", "json", ...flags], run);
    const document = JSON.parse(stdout) as Documents[Output];
    expect(stdout).toBe(`${JSON.stringify(document, undefined, 2)}\n`);
    const published = { $ref: `#/$defs/${output}`, $defs: schema.$defs } as Parameters<typeof z.fromJSONSchema>[0];
    expect(z.fromJSONSchema(published).safeParse(document).error).toBeUndefined();
    return { code, stderr, ...document };
  }

  get environment(): Record<string, string> {
    return { CLOUDINFRA_API_KEY: OWNER_KEY, CLOUDINFRA_BASE_URL: this.api.url };
  }

  /** Adds an entry to the audit log. */
  async use(secret: string, userAgent = "deployer/1"): Promise<void> {
    const by = { apiKey: secret, "user-agent": userAgent };
    await send(this.api, "PATCH", `/v1/networking/vpcs/${this.api.vpcId}`, { tags: ["used"] }, by);
  }

  send(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    return send(this.api, method, path, body);
  }

  /** The number of pages of the audit log that were requested. */
  async pagesRead(): Promise<number> {
    return (await requestsOf(this.api)).filter(({ path }) => path === "/v1/audit_logs").length;
  }
}
