import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileJournal } from "../../../src/journal/file-journal";
import { journalFolder } from "../../../src/user-folders";
import { Stack, type PulumiResult, type StateResource } from "../../../tools/pulumi/stack.cjs";
import type { KeptResource } from "../../support/mini-state";
import type { EngineSchedule, Kill } from "./engine-schedule";
import { programOf } from "./engine-program";
import { moveIn, type Neighbours } from "./neighbours";
import { deleteNamed } from "./person";
import { killPluginOf } from "./processes";
import { versionOf } from "./program";
import { Service } from "./service";
import type { Ending } from "./story";
import { Tripwire } from "./tripwire";
import type { Hits } from "./wire";

const PATIENCE = 4;
const SKIP = "--skip-preview";

/** One schedule with the real engine: a service, a stack, and a tripwire between them. */
export class EngineStory {
  private readonly told: string[] = [];
  private readonly everKept = new Set<string>();

  private constructor(
    private readonly schedule: EngineSchedule,
    private readonly service: Service,
    private readonly wire: Tripwire,
    private readonly stack: Stack,
    private readonly neighbours: Neighbours,
    private readonly apiKey: string,
  ) {}

  static async start(schedule: EngineSchedule): Promise<EngineStory> {
    const service = await Service.start({ operationTime: "200ms" });
    const neighbours = await moveIn(service, schedule, (ms) => service.advance(ms));
    const { key } = await service.newCredential("deployer");
    const wire = await Tripwire.start(service.url);
    const env = {
      CLOUDINFRA_API_KEY: key,
      CLOUDINFRA_BASE_URL: wire.url,
      CLOUDINFRA_PROJECT_ID: service.projectId,
      CLOUDINFRA_REGION: "us-sva-2",
      // Every operation starts three Node processes that load the same modules.
      NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
    };
    const stack = new Stack({ program: "", env });
    await stack.init();
    return new EngineStory(schedule, service, wire, stack, neighbours, key);
  }

  /** Lets the schedule happen, then what a person does until a run has nothing more to do. */
  async tell(hits: Hits): Promise<Ending> {
    const { versions, kill, clearsFirst } = this.schedule;
    for (const nth of versions.keys()) {
      this.write(nth);
      const isLast = nth === versions.length - 1;
      if (isLast) this.arm(kill, hits);
      const { code, output } = await this.pulumi("up");
      if (!isLast && code !== 0) throw new Error(`the run before the kill failed:\n${output}`);
    }
    this.wire.set(undefined);
    if (kill.victim === "the CLI") await this.stack.pulumi(["cancel", "--yes"]);
    if (clearsFirst) await this.clear();
    let result = await this.pulumi("up");
    for (let rounds = 1; result.code !== 0 && rounds < PATIENCE; rounds += 1) {
      const { service, neighbours } = this;
      await deleteNamed(result.output, { service, neighbours, state: await this.state(), isObedient: true });
      result = await this.pulumi("up");
    }
    if (!clearsFirst) await this.clear();
    this.wire.set(undefined);
    const idle = await this.pulumi("up");
    const failed = [result, idle].filter(({ code }) => code !== 0).map(({ output }) => output);
    return {
      service: this.service,
      programs: this.schedule,
      neighbours: this.neighbours,
      state: await this.state(),
      everKept: this.everKept,
      told: this.told.join("\n"),
      written: Object.values(this.stack.files()).join("\n"),
      open: await this.openInJournal(),
      secrets: [this.apiKey, ...this.wire.secrets],
      stillFailing: failed,
      idleChanges: [...this.wire.changes],
    };
  }

  async close(): Promise<void> {
    await this.wire.close();
    await this.service.close();
    this.stack.remove();
  }

  private write(nth: number): void {
    const { places } = this.neighbours;
    this.stack.write(programOf(versionOf(this.schedule, nth, places), places));
  }

  private arm({ victim, when, nth }: Kill, hits: Hits): void {
    const action = (): void => {
      const { child } = this.stack;
      if (child?.pid === undefined) throw new Error("there is no CLI to kill");
      const isDead = victim === "the CLI" ? child.kill("SIGKILL") : killPluginOf(child.pid);
      if (!isDead) throw new Error(`${victim} was not to be found`);
      hits.set(`${victim} killed ${when}`, (hits.get(`${victim} killed ${when}`) ?? 0) + 1);
    };
    this.wire.set({ nth, when, action });
  }

  private async pulumi(command: "up" | "refresh", args: readonly string[] = []): Promise<PulumiResult> {
    const result = await this.stack[command]([SKIP, ...args]);
    this.told.push(result.output);
    for (const { id } of this.kept()) if (id !== undefined) this.everKept.add(id);
    return result;
  }

  private async clear(): Promise<void> {
    await this.pulumi("refresh", ["--clear-pending-creates"]);
  }

  private async openInJournal(): Promise<string[]> {
    const journal = new FileJournal(journalFolder(this.stack.env));
    return (await journal.all()).map(({ urn }) => urn);
  }

  /** The resources in the state file, secrets as ciphertext. */
  private kept(): readonly StateResource[] {
    const file = join(this.stack.folder, "state", ".pulumi", "stacks", "test", `${this.stack.name}.json`);
    const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly checkpoint: { readonly latest?: { readonly resources?: readonly StateResource[] } };
    };
    return (checkpoint.latest?.resources ?? []).filter(isOurs);
  }

  /** The state with its secrets shown. */
  private async state(): Promise<readonly KeptResource[]> {
    const { stdout } = await this.stack.pulumi(["stack", "export", "--show-secrets"]);
    const { deployment } = JSON.parse(stdout) as { readonly deployment: { readonly resources?: readonly Exported[] } };
    return (deployment.resources ?? []).filter(isOurs).map(keptOf);
  }
}

function isOurs({ type }: StateResource): boolean {
  return type.includes("dynamic/cloudinfra:");
}

type Exported = StateResource & { readonly delete?: boolean };

function keptOf({ urn, type, id = "", inputs = {}, outputs = {}, initErrors = [], ...others }: Exported): KeptResource {
  return {
    type: type.split(":").at(-1) ?? "",
    name: urn.split("::").at(-1) ?? "",
    id,
    inputs,
    outs: Object.fromEntries(Object.entries(outputs).map(([field, value]) => [field, shown(value)])),
    isReplaced: others.delete === true,
    hasInitError: initErrors.length > 0,
  };
}

/** A value of the state; a secret one in plain text. */
function shown(value: unknown): unknown {
  const isSecret = typeof value === "object" && value !== null && "plaintext" in value;
  return isSecret ? (JSON.parse(String(value.plaintext)) as unknown) : value;
}
