import type { TestRun } from "../../support/lifecycle";
import { MiniStack } from "../../support/mini-engine";
import type { KeptResource, StackRun } from "../../support/mini-state";
import { textOfError } from "./answers";
import { EngineRequests, falseClaims } from "./claims";
import { fair, hasUnanswered, impose, settingsOf } from "./conditions";
import type { Fault, Neighbour } from "./fault";
import { isFound, withoutResources, withoutFound } from "./found";
import type { Ending } from "./invariants";
import type { TestBed } from "./test-bed";
import { LateDeliveries } from "./late-and-vanished";
import { Meddler } from "./meddler";
import { moveIn, type Neighbours } from "./neighbours";
import { afterwards, hasTimedOut, Home } from "./person";
import { runProcess } from "./plugin-process";
import { declaredOf, movedName, type ProgramResource, versionOf } from "./program";
import { RunRecord } from "./run-record";
import type { Habit, Schedule, Version } from "./schedule";
import type { Wire } from "./wire";

/** The start time of every schedule. */
const START = Date.parse("2026-06-15T12:00:00Z");
const DAY_MS = 86_400_000;
/** After this time, a process on another machine counts as ended. */
const SILENCE_MS = 120_000;
/** After this time all operations have ended. */
const OPERATION_MS = 5_000;
/** The highest number of runs that a person tries. */
const MAX_ROUNDS = 8;
/** After this many runs, a person follows the advice of errors. */
const OBSTINATE = 3;

/** One schedule under way. */
export class ScheduleRun {
  private state: readonly KeptResource[] = [];
  private readonly record: RunRecord;
  private readonly late = new LateDeliveries();
  /** After an interrupted run, or a failed deletion, a person refreshes, because the state may be outdated. */
  private isStateInDoubt = false;
  private processes = 0;
  /** The messages of the last run. */
  private lastMessages: readonly string[] = [];
  private version: Pick<Version, "spelling" | "names"> = { spelling: 0, names: { stack: 0, provider: 0 } };
  private readonly meddler: Meddler;
  private readonly home = new Home();

  private constructor(
    private readonly testBed: TestBed,
    private readonly schedule: Schedule,
    private readonly neighbours: Neighbours,
  ) {
    this.meddler = new Meddler(testBed.service);
    this.record = new RunRecord(testBed.service, schedule, neighbours);
  }

  /** Plays a schedule. Then acts as a person would, until a run has nothing left to do. */
  static async play(testBed: TestBed, schedule: Schedule): Promise<Ending> {
    const { service, proxy, clock } = testBed;
    clock.advance(START - clock.now());
    service.reset();
    impose(fair, service, proxy);
    const neighbours = await moveIn(service, schedule, (ms) => clock.advance(ms));
    const run = new ScheduleRun(testBed, schedule, neighbours);
    try {
      impose(schedule.conditions, service, proxy);
      for (const [nth, version] of schedule.versions.entries()) await run.bringUp(nth, version);
      return await run.end();
    } finally {
      run.home.remove();
    }
  }

  private async bringUp(nth: number, version: Version): Promise<void> {
    const { daysLater, faults, refreshes, damage, meddling, names } = version;
    this.testBed.clock.advance(daysLater * DAY_MS);
    this.version = version;
    this.state = this.state.map((kept) => ({ ...kept, name: movedName(this.schedule, nth, kept.name) }));
    if (damage && this.record.damage(this.home.journalFolder, damage, this.testBed.clock.now()))
      this.hit("damaged journal");
    if (names.stack + names.provider > 0) this.hit("another name of stack or provider");
    if (meddling && (await this.meddler.meddle(meddling, this.state))) {
      this.isStateInDoubt = true;
      this.hit("a part is changed by somebody else");
    }
    const failures = await this.run(nth, faults);
    const declared = declaredOf(this.resourcesAt(nth), this.neighbours.surroundings).map(({ name }) => name);
    if (failures.some((one) => hasTimedOut(one) || !declared.includes(one.name))) this.isStateInDoubt = true;
    await this.react(failures);
    if (refreshes) await this.refresh(faults);
  }

  private async end(): Promise<Ending> {
    const nth = this.schedule.versions.length - 1;
    await this.late.deliver(Infinity);
    this.testBed.clock.advance(SILENCE_MS);
    let failures = await this.run(nth, []);
    if (this.isStateInDoubt) await this.refresh();
    let changes = ["none yet"];
    for (let rounds = 1; rounds < MAX_ROUNDS && (failures.length > 0 || changes.length > 0); rounds += 1) {
      const replace = await this.react(failures, rounds > OBSTINATE);
      changes = [];
      // The program keeps the name, so the half-made replacement goes before the next one is made.
      const stuck = failures.filter(({ error }) => textOfError(error).includes("is still the name of the"));
      const names = stuck.map(({ name }) => name);
      if (rounds > OBSTINATE && names.length > 0)
        await this.run(nth, [], { declared: withoutResources(this.resourcesAt(nth), names) });
      failures = await this.run(nth, [], { replace, changes });
    }
    const leftChanged = failures.length === 0 ? await this.giveBack(nth) : [];
    this.testBed.clock.advance(DAY_MS); // No creation has an effect any more, and the audit log is complete.
    await this.run(nth, []); // The journal learns that the state has the objects of the last run.
    const journal = await this.home.journal.all();
    impose(fair, this.testBed.service, this.testBed.proxy);
    this.testBed.clock.advance(OPERATION_MS);
    this.record.messages.push(await this.home.doctorReport(this.state.length === 0));
    return this.record.ending({
      state: this.state,
      open: journal.entries,
      notGivenBack: leftChanged,
      stillFailing: failures.map(({ error }) => textOfError(error)),
      hasOtherNames: this.schedule.versions.some(({ names }) => names.stack + names.provider > 0),
      idleChanges: changes,
    });
  }

  /** Removes found objects from the program, which gives them back as they were, and adds them again. */
  private async giveBack(nth: number): Promise<readonly string[]> {
    if (!this.state.some(({ type }) => isFound(type))) return [];
    const declared = withoutFound(this.resourcesAt(nth));
    const failures = [...(await this.run(nth, [], { declared }))];
    const { entries } = await this.home.journal.all();
    const changed = this.record.notGivenBack(this.state, entries);
    failures.push(...(await this.run(nth, [])));
    return [...changed, ...failures.map(({ error }) => `giving back fails: ${textOfError(error)}`)];
  }

  private resourcesAt(nth: number): readonly ProgramResource[] {
    return versionOf(this.schedule, nth, this.neighbours.surroundings);
  }

  /** One update, until it ends or is killed. */
  private async run(
    nth: number,
    faults: readonly Fault[],
    {
      replace = [],
      changes,
      declared = this.resourcesAt(nth),
    }: {
      readonly replace?: readonly string[];
      readonly changes?: string[];
      readonly declared?: readonly ProgramResource[];
    } = {},
  ): Promise<StackRun["failures"]> {
    const stack = new MiniStack(this.state);
    const { neighbours, isParallel, stackName } = this;
    const program = declaredOf(declared, neighbours.surroundings);
    return this.process(faults, stack, changes, async (run, wire) => {
      const beforeSave = (): Promise<void> => wire.beforeSave();
      const options = { isParallel, replace, beforeSave, stack: stackName };
      const { failures, operations } = await stack.up(run, program, options);
      const [before, state, lines] = [this.state, stack.resources, run.lines.map(({ text }) => text)];
      const { service } = this.testBed;
      const { ground } = neighbours.surroundings;
      this.record.wrongdoings.push(...falseClaims({ service, declared, operations, ground, before, state, lines }));
      return failures;
    });
  }

  /** If a fault interrupts the run, the next one continues it. */
  private refresh(faults: readonly Fault[] = []): Promise<StackRun["failures"]> {
    const stack = new MiniStack(this.state);
    return this.process(faults, stack, undefined, (run, wire) =>
      stack.refresh(run, { isParallel: this.isParallel, beforeSave: () => wire.beforeSave() }),
    );
  }

  private get isParallel(): boolean {
    return this.schedule.isParallel && !hasUnanswered(this.schedule);
  }

  private get stackName(): string {
    const { stack } = this.version.names;
    return stack === 0 ? "dev" : `dev-${stack}`;
  }

  /** Runs a plugin process. If it is killed, the state is what the engine had saved. */
  private async process(
    faults: readonly Fault[],
    stack: MiniStack,
    changes: string[] | undefined,
    work: (run: TestRun, wire: Wire) => Promise<StackRun["failures"]>,
  ): Promise<StackRun["failures"]> {
    const { testBed, late, neighbours } = this;
    const { service } = testBed;
    const { mayReadAudit } = this.schedule.conditions;
    const credential = (service.credential ??= await service.newCredential("deployer", mayReadAudit));
    this.record.secrets.push(credential.key);
    const engineRequests = new EngineRequests(service, this.state);
    const end = await runProcess(
      {
        ...{ testBed, late, faults, number: (this.processes += 1) },
        config: settingsOf(this.schedule, testBed, { ...this.version, apiKey: credential.key }),
        provider: `explicit-${this.version.names.provider}`,
        journalFolder: this.home.journalFolder,
        onTwin: (id) => void this.record.networkTwins.add(id),
        createBeside: (path, body, neighbour) => this.createBeside(path, body, neighbour),
        onOver: (how) => {
          if (how !== "ended") this.isStateInDoubt = true;
          this.keep(stack);
        },
      },
      (run, wire) => work({ ...run, of: (type) => engineRequests.calls(run.of(type)) }, wire),
    );
    this.lastMessages = end.messages;
    this.record.add(end);
    const unrequested = engineRequests.unrequested(end.changes, (id) => neighbours.found.texts.has(id));
    this.record.wrongdoings.push(...unrequested.map((change) => `a run sent ${change}, which nobody had asked for`));
    changes?.push(...end.changes);
    return end.failures;
  }

  /** Another person with the same key, or with their own. Rejected requests make nothing. */
  private async createBeside(path: string, body: string, { sharesKey }: Neighbour): Promise<void> {
    const { credential } = this.testBed.service;
    await this.neighbours.create(path, body, sharesKey ? credential?.key : undefined).catch(() => undefined);
  }

  private hit(faultName: string): void {
    const { hits } = this.testBed;
    hits.set(faultName, (hits.get(faultName) ?? 0) + 1);
  }

  private keep(stack: MiniStack): void {
    this.state = stack.resources;
    this.record.keep(this.state);
  }

  /** Acts as a person would after a run. Resolves with the resources for the next run to replace. */
  private async react(failures: StackRun["failures"], isAtLast = false): Promise<readonly string[]> {
    const { schedule, neighbours, state, meddler, lastMessages: messages } = this;
    const { forgotten } = this.record;
    const [{ service }, { journal }] = [this.testBed, this.home];
    const habit: Habit = isAtLast ? "deletes what is named" : schedule.habit;
    const situation = { service, neighbours, state, journal, forgotten, messages };
    const { replace, refreshes } = await afterwards(failures, situation, { habit, meddler });
    if (refreshes) await this.refresh();
    return replace;
  }
}
