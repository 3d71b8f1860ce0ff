import { join } from "node:path";
import type { JournalEntry } from "../../../src/journal/entry";
import { FileJournal } from "../../../src/journal/file-journal";
import { type PulumiResult, Stack } from "../../../tools/pulumi/stack.cjs";
import { fastStart } from "../../engine/support/fast-start";
import { KeyService } from "../../engine/support/key-service";
import type { Front } from "../../engine/support/programs";
import { makeStack, resourcesIn } from "../../engine/support/stack-files";
import type { KeptResource } from "../../support/mini-state";
import * as does from "../../support/proxy/actions";
import { type Action, requests } from "../../support/proxy/exchange";
import { FaultProxy } from "../../support/proxy/fault-proxy";
import { secretsIn } from "./answers";
import { fair, impose } from "./conditions";
import { type Accident, type EngineSchedule, programOf } from "./engine-schedule";
import type { Neighbour } from "./fault";
import { exportedState, isOurs } from "./exported-state";
import { isFound, withoutFound } from "./found";
import type { Ending } from "./invariants";
import { moveIn, type Neighbours, REGION } from "./neighbours";
import { deleteNamed } from "./person";
import { interrupt, killPluginOf } from "./processes";
import { type ProgramResource, versionOf } from "./program";
import { RunRecord } from "./run-record";
import { Service } from "./service";
import type { Hits } from "./wire";

const MAX_ROUNDS = 4;
const SKIP = "--skip-preview";

/** One schedule with the real engine: a service, a stack, and a proxy between them. */
export class EngineRun {
  private readonly record: RunRecord;
  private spelling = 0;

  private constructor(
    private readonly schedule: EngineSchedule,
    private readonly service: Service,
    private readonly proxy: FaultProxy,
    private readonly stack: Stack,
    private readonly keys: KeyService,
    private readonly neighbours: Neighbours,
    private readonly apiKey: string,
    private readonly front: Front,
  ) {
    this.record = new RunRecord(service, schedule, neighbours);
  }

  static async start(schedule: EngineSchedule, front: Front): Promise<EngineRun> {
    const service = await Service.start({ operationTime: "200ms" });
    const neighbours = await moveIn(service, schedule, (ms) => service.advance(ms));
    const { key } = await service.newCredential("deployer", schedule.conditions.mayReadAudit);
    const proxy = await FaultProxy.start(service.url);
    impose(schedule.conditions, service, proxy);
    const env = {
      CLOUDINFRA_API_KEY: key,
      CLOUDINFRA_PROJECT_ID: service.projectId,
      CLOUDINFRA_REGION: REGION,
      ...fastStart,
    };
    const stack = new Stack({ program: "", env });
    const keys = await new KeyService().start();
    makeStack(stack, keys);
    return new EngineRun(schedule, service, proxy, stack, keys, neighbours, key, front);
  }

  /** Plays the schedule. Then acts as a person would, until a run has nothing left to do. */
  async play(hits: Hits): Promise<Ending> {
    const { versions, accident, clearsFirst, spellings, damage } = this.schedule;
    this.spelling = spellings[0];
    for (const nth of versions.keys()) {
      this.write(nth);
      const isLast = nth === versions.length - 1;
      if (isLast) this.arm(accident, hits);
      const { code, output } = await this.pulumi("up");
      if (!isLast && code !== 0) throw new Error(`the run before the kill failed:\n${output}`);
    }
    impose(this.schedule.conditions, this.service, this.proxy);
    await this.stack.pulumi(["cancel", "--yes"]);
    this.spelling = spellings[1];
    if (damage) this.record.damage(this.journalFolder, damage, Date.now());
    if (clearsFirst) await this.clear();
    let result = await this.pulumi("up");
    for (let rounds = 1; result.code !== 0 && rounds < MAX_ROUNDS; rounds += 1) {
      const { service, neighbours } = this;
      const { forgotten } = this.record;
      const journal = new FileJournal(this.journalFolder);
      await deleteNamed(result.output, {
        service,
        neighbours,
        journal,
        forgotten,
        state: await this.state(),
        messages: [result.output],
      });
      result = await this.pulumi("up");
    }
    if (!clearsFirst) await this.clear();
    let changesBefore = this.changes.length;
    let idle = await this.pulumi("up");
    for (let rounds = 0; rounds < MAX_ROUNDS && (await this.hasUnreported()); rounds += 1) {
      changesBefore = this.changes.length;
      idle = await this.pulumi("up");
    }
    const idleChanges = this.changes.slice(changesBefore);
    const leftChanged = await this.giveBack();
    impose(fair, this.service, this.proxy);
    const failed = [result, idle].filter(({ code }) => code !== 0).map(({ output }) => output);
    this.record.written.push(...Object.values(this.stack.files()));
    this.record.secrets.push(this.apiKey, ...this.proxy.bodies.flatMap(secretsIn));
    return this.record.ending({
      state: await this.state(),
      open: await this.openInJournal(),
      notGivenBack: leftChanged,
      stillFailing: failed,
      hasOtherNames: false,
      idleChanges,
    });
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await this.service.close();
    await this.keys.close();
    this.stack.remove();
  }

  /** The number of requests so far that can change something. */
  private get changes(): readonly string[] {
    return this.proxy.requests.filter(requests.changes.when).map(({ method, path }) => `${method} ${path}`);
  }

  private get journalFolder(): string {
    return join(this.stack.folder, "xdg-state", "pulumi-cloudinfra", "journal");
  }

  private async hasUnreported(): Promise<boolean> {
    const { entries } = await new FileJournal(this.journalFolder).all();
    return entries.some(({ isHandedOver, warned }) => !isHandedOver && warned?.length === 0);
  }

  /** Removes found objects from the program, which gives them back as they were, and adds them again. */
  private async giveBack(): Promise<readonly string[]> {
    if (!(await this.state()).some(({ type }) => isFound(type))) return [];
    const nth = this.schedule.versions.length - 1;
    this.write(nth, withoutFound);
    const without = await this.pulumi("up");
    const changed = this.record.notGivenBack(await this.state(), await this.openInJournal());
    this.write(nth);
    const again = await this.pulumi("up");
    const idle = await this.pulumi("up"); // the journal learns that the state has them
    return [...changed, ...[without, again, idle].filter(({ code }) => code !== 0).map(({ output }) => output)];
  }

  private write(nth: number, part = (said: readonly ProgramResource[]) => said): void {
    const { surroundings } = this.neighbours;
    this.stack.write(programOf(this.front, part(versionOf(this.schedule, nth, surroundings)), surroundings));
  }

  /** Counts requests from now on, and makes the accident happen. */
  private arm({ accident, when, nth, neighbour }: Accident, hits: Hits): void {
    const hit = (kind: string): void => void hits.set(kind, (hits.get(kind) ?? 0) + 1);
    const happen: Action = async (request, forward) => {
      hit(`${accident}, ${when}`);
      const answered = when === "after its effect" ? await forward() : undefined;
      await this.happen(accident);
      if (accident === "a 404 that is not the API's") return does.foreign404(request, forward);
      return accident === "Ctrl-C twice" ? (answered ?? forward()) : undefined;
    };
    const besides: Action = async (request, forward) => {
      if (request.method !== "POST" || !requests.creations.path.test(request.path)) return forward();
      hit("somebody else creates the same");
      if (neighbour?.order === "before") await this.createBeside(request.path, request.body, neighbour);
      const answered = await forward();
      if (neighbour?.order === "after") await this.createBeside(request.path, request.body, neighbour);
      return answered;
    };
    if (neighbour) this.proxy.on({ nth }, besides);
    this.proxy.on({ nth }, happen);
  }

  private async happen(accident: Accident["accident"]): Promise<void> {
    const { child } = this.stack;
    if (child?.pid === undefined) throw new Error("there is no CLI");
    if (accident === "the plugin is killed" && !killPluginOf(child.pid))
      throw new Error("the plugin was not to be found");
    if (accident === "the CLI is killed" && !child.kill("SIGKILL")) throw new Error("the CLI was not to be found");
    if (accident === "Ctrl-C twice") await interrupt(child);
  }

  private createBeside(path: string, body: string, { sharesKey }: Neighbour): Promise<void> {
    return this.neighbours.create(path, body, sharesKey ? this.apiKey : undefined);
  }

  private async pulumi(command: "up" | "refresh", args: readonly string[] = []): Promise<PulumiResult> {
    Object.assign(this.stack.env, this.addresses);
    const result = await this.stack[command]([SKIP, ...args]);
    this.record.messages.push(result.output);
    this.record.keep(resourcesIn(this.stack).filter(isOurs));
    return result;
  }

  /** The addresses of the API and the state, in one of several spellings. */
  private get addresses(): Readonly<Record<string, string>> {
    const { url, port } = this.proxy;
    const state = `file://${join(this.stack.folder, "state")}`;
    const spellings = [
      { CLOUDINFRA_BASE_URL: url, PULUMI_BACKEND_URL: state },
      { CLOUDINFRA_BASE_URL: `http://localhost:${port}/`, PULUMI_BACKEND_URL: "file://./state" },
      { CLOUDINFRA_BASE_URL: `${url}/`, PULUMI_BACKEND_URL: `${state}/` },
    ];
    return spellings[this.spelling % spellings.length] ?? {};
  }

  private async clear(): Promise<void> {
    await this.pulumi("refresh", ["--clear-pending-creates"]);
  }

  private async openInJournal(): Promise<readonly JournalEntry[]> {
    const journal = new FileJournal(this.journalFolder);
    return (await journal.all()).entries;
  }

  private state(): Promise<readonly KeptResource[]> {
    return exportedState(this.stack);
  }
}
