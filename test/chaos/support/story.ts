import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dispatcher } from "undici";
import { FileJournal } from "../../../src/journal/file-journal";
import type { Journal, JournalContents, JournalEntry } from "../../../src/journal/journal";
import { objectText, unreadableText } from "../../../src/journal/left-behind";
import { startRun, type TestRun } from "../../support/lifecycle";
import { MiniStack } from "../../support/mini-engine";
import type { KeptResource, StackRun } from "../../support/mini-state";
import type { VirtualClock } from "../../support/virtual-clock";
import type { FaultProxy } from "../../support/proxy/fault-proxy";
import { fair, impose } from "./conditions";
import { damageEntry, type DamagedEntry } from "./damage";
import { textOfError } from "./errors";
import { LateDeliveries } from "./late-deliveries";
import { moveIn, REGION, type Neighbours } from "./neighbours";
import { isFound, notGivenBack, withoutFound } from "./found";
import { declaredOf, versionOf, type Said } from "./program";
import { afterwards, hasTimedOut } from "./person";
import { sabotaged, type Sabotage } from "./sabotage";
import type { Damage, Fault, Neighbour, Programs, Schedule } from "./schedule";
import type { Service } from "./service";
import { Wire, type Hits } from "./wire";

/** What is left when a schedule is through. */
export interface Ending {
  readonly service: Service;
  readonly programs: Programs;
  readonly neighbours: Neighbours;
  readonly state: readonly KeptResource[];
  /** Ids that have ever been in the state. */
  readonly everKept: ReadonlySet<string>;
  /** Everything that people were shown. */
  readonly told: string;
  /** Everything that was left on disk. */
  readonly written: string;
  /** What the journal still has open. */
  readonly open: readonly JournalEntry[];
  /** Entries of the journal that were damaged, so that nobody can know what they stood for. */
  readonly damaged: readonly DamagedEntry[];
  /** Names of what the person has said is not theirs. */
  readonly forgotten: ReadonlySet<string>;
  /** Whether lists have shown what was no longer so. */
  readonly areListsLate: boolean;
  /** Objects that the network made by delivering a request twice. */
  readonly networkTwins: ReadonlySet<string>;
  /** Everything that must not be in it. */
  readonly secrets: readonly string[];
  /** What the program had found and did not give back as it was, when it was without that for one run. */
  readonly notGivenBack: readonly string[];
  /** What the last run without faults failed with; empty where it did not. */
  readonly stillFailing: readonly string[];
  /** What a run sent after everything was as it should be. */
  readonly idleChanges: readonly string[];
}

/** What a schedule is played on. */
export interface Laboratory {
  readonly service: Service;
  /** What stands before it. */
  readonly proxy: FaultProxy;
  /** The service's, and each machine's but for its skew. */
  readonly clock: VirtualClock;
  /** The connection to the service. */
  readonly agent: Dispatcher;
  /** How often each fault has happened is added here. */
  readonly hits: Hits;
  /** What is broken on purpose. */
  readonly sabotage?: Sabotage;
}

/** When every schedule begins. */
const START = Date.parse("2026-06-15T12:00:00Z");
/** More runs than a person has patience for. */
const PATIENCE = 8;
/** After so many runs everybody does what errors ask for. */
const OBSTINATE = 3;

/** One schedule under way. */
export class Story {
  private state: readonly KeptResource[] = [];
  private readonly everKept = new Set<string>();
  private readonly told: string[] = [];
  private readonly secrets: string[] = [];
  private readonly written: string[] = [];
  private readonly damaged: DamagedEntry[] = [];
  private readonly forgotten = new Set<string>();
  private readonly networkTwins = new Set<string>();
  private readonly late = new LateDeliveries();
  /** After an interrupted run the engine asks for a refresh: a deletion may be done, or under way, that the state does not know of. */
  private isStateInDoubt = false;
  private spelling = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), "cloudinfra-chaos-"));

  private constructor(
    private readonly laboratory: Laboratory,
    private readonly schedule: Schedule,
    private readonly neighbours: Neighbours,
  ) {}

  /** Lets a schedule happen, then what a person does until a run has nothing more to do. */
  static async tell(laboratory: Laboratory, schedule: Schedule): Promise<Ending> {
    const { service, proxy, clock } = laboratory;
    clock.advance(START - clock.now());
    service.reset();
    impose(fair, service, proxy);
    const neighbours = await moveIn(service, schedule, (ms) => clock.advance(ms));
    const story = new Story(laboratory, schedule, neighbours);
    try {
      impose(schedule.conditions, service, proxy);
      for (const [nth, { daysLater, faults, refreshes, spelling, damage }] of schedule.versions.entries()) {
        clock.advance(daysLater * 86_400_000);
        story.spelling = spelling;
        if (damage) story.damage(damage);
        const failures = await story.run(nth, faults);
        if (failures.some(hasTimedOut)) story.isStateInDoubt = true;
        await story.react(failures);
        if (refreshes) await story.refresh(faults);
      }
      return await story.end();
    } finally {
      rmSync(story.folder, { recursive: true, force: true });
    }
  }

  private async end(): Promise<Ending> {
    const nth = this.schedule.versions.length - 1;
    await this.late.deliver(Infinity);
    let failures = await this.run(nth, []);
    if (this.isStateInDoubt) await this.refresh();
    let changes = ["none yet"];
    for (let rounds = 1; rounds < PATIENCE && (failures.length > 0 || changes.length > 0); rounds += 1) {
      const replace = await this.react(failures, rounds > OBSTINATE);
      changes = [];
      failures = await this.run(nth, [], { replace, changes });
    }
    const leftChanged = failures.length === 0 ? await this.giveBack(nth) : [];
    const journal = await this.toldJournal(nth);
    impose(fair, this.laboratory.service, this.laboratory.proxy);
    return {
      service: this.laboratory.service,
      programs: this.schedule,
      neighbours: this.neighbours,
      state: this.state,
      everKept: this.everKept,
      told: [...this.told, ...this.doctorsWords(journal)].join("\n"),
      written: this.written.join("\n"),
      open: journal.entries,
      damaged: this.damaged,
      forgotten: this.forgotten,
      areListsLate: this.schedule.conditions.lateLists > 0,
      networkTwins: this.networkTwins,
      secrets: this.secrets,
      notGivenBack: leftChanged,
      stillFailing: failures.map(({ error }) => textOfError(error)),
      idleChanges: changes,
    };
  }

  /** Found objects are given back as they were when the program no longer has them; then it has them again. */
  private async giveBack(nth: number): Promise<readonly string[]> {
    if (!this.state.some(({ type }) => isFound(type))) return [];
    const { service } = this.laboratory;
    const said = withoutFound(versionOf(this.schedule, nth, this.neighbours.places));
    const failures = await this.run(nth, [], { said });
    const { entries } = await new FileJournal(this.folder).all();
    const { neighbours, state, damaged } = this;
    const changed = notGivenBack({ service, found: neighbours.found, state, open: entries, damaged });
    const all = [...failures, ...(await this.run(nth, []))];
    return [...changed, ...all.map(({ error }) => `giving back fails: ${textOfError(error)}`)];
  }

  /** What a run has handed over and the engine has not presented since is told only after a while: so long people run. */
  private async toldJournal(nth: number): Promise<JournalContents> {
    const journal = new FileJournal(this.folder);
    for (let rounds = 0; rounds < OBSTINATE; rounds += 1) {
      const { entries } = await journal.all();
      if (entries.every(({ isTold }) => isTold === true)) break;
      await this.run(nth, []);
    }
    return journal.all();
  }

  /** One update, until it ends or is killed. */
  private async run(
    nth: number,
    faults: readonly Fault[],
    {
      replace = [],
      changes,
      said = versionOf(this.schedule, nth, this.neighbours.places),
    }: { readonly replace?: readonly string[]; readonly changes?: string[]; readonly said?: readonly Said[] } = {},
  ): Promise<StackRun["failures"]> {
    const stack = new MiniStack(this.state);
    const program = declaredOf(said, this.neighbours.places);
    return this.process(faults, stack, changes, async (run, wire) => {
      const { isParallel } = this;
      const { failures } = await stack.up(run, program, { isParallel, replace, beforeSave: () => wire.beforeSave() });
      return failures;
    });
  }

  /** A stack with nothing in it calls no provider, so no run can tell what is left: `cloudinfra doctor` does. */
  private doctorsWords({ entries, unreadable }: JournalContents): string[] {
    return this.state.length > 0 ? [] : [...entries.map(objectText), unreadableText(unreadable)];
  }

  /** Where a fault happens to it, what is left is for the next run. */
  private refresh(faults: readonly Fault[] = []): Promise<StackRun["failures"]> {
    const stack = new MiniStack(this.state);
    const { isParallel } = this;
    return this.process(faults, stack, undefined, (run, wire) =>
      stack.refresh(run, { isParallel, beforeSave: () => wire.beforeSave() }),
    );
  }

  private get isParallel(): boolean {
    return this.schedule.isParallel && !hasUnanswered(this.schedule);
  }

  /** What one plugin process does; a killed one leaves what the engine had saved by then. */
  private async process(
    faults: readonly Fault[],
    stack: MiniStack,
    changes: string[] | undefined,
    work: (run: TestRun, wire: Wire) => Promise<StackRun["failures"]>,
  ): Promise<StackRun["failures"]> {
    const { service, proxy, clock, agent, hits, sabotage } = this.laboratory;
    const { mayReadAudit } = this.schedule.conditions;
    const credential = (service.credential ??= await service.newCredential("deployer", mayReadAudit));
    this.secrets.push(credential.key);
    let isOver: () => void = () => undefined;
    const killed = new Promise<StackRun["failures"]>((resolve) => {
      isOver = () => resolve([]);
    });
    const unfinished = new Set<Promise<unknown>>();
    const wire = new Wire({
      service,
      proxy,
      clock,
      agent,
      faults,
      hits,
      late: this.late,
      onTwin: (id) => void this.networkTwins.add(id),
      createBeside: (path, body, neighbour) => this.createBeside(path, body, neighbour),
      atRest: async () => {
        do {
          await Promise.allSettled(unfinished);
          await new Promise((resolve) => setImmediate(resolve));
        } while (unfinished.size > 0);
      },
      onEnd: (how) => {
        // A killed process has no last moment.
        if (how === "Ctrl-C twice") run.run.journal.end(true);
        this.isStateInDoubt = true;
        this.keep(stack);
        isOver();
      },
    });
    const journal = this.journalOf(wire, unfinished);
    const journalOf = (): Journal => sabotage?.journal?.(journal, run.run) ?? journal;
    const run = startRun(this.config(credential.key), wire.clock, {
      client: { dispatcher: (sabotage?.connect?.(wire) ?? wire) as Dispatcher, random: () => 0.5 },
      journal: {
        write: (entry) => journalOf().write(entry),
        writeNow: (entries) => journalOf().writeNow(entries),
        remove: (entry) => journalOf().remove(entry),
        of: (address) => journalOf().of(address),
      },
    });
    const failures = await Promise.race([work(sabotage ? sabotaged(run, service, sabotage) : run, wire), killed]);
    // What a killed process had begun to send or to write is there before the next one reads, or it is not at all.
    await wire.end();
    await Promise.allSettled(unfinished);
    if (!wire.isKilled) {
      this.keep(stack);
      run.run.journal.end(false);
    }
    this.told.push(...run.lines.map(({ text }) => text), ...failures.map(({ error }) => textOfError(error)));
    this.secrets.push(...wire.secrets);
    changes?.push(...wire.changes);
    return failures;
  }

  /** The journal as one process has it: a dead one writes nothing. */
  private journalOf(wire: Wire, unfinished: Set<Promise<unknown>>): Journal {
    const journal = new FileJournal(this.folder);
    const noted = async <T>(work: Promise<T>): Promise<T> => {
      unfinished.add(work);
      return work.finally(() => unfinished.delete(work));
    };
    const unlessDead = async (change: () => Promise<void>): Promise<void> => {
      if (!wire.isKilled) await noted(change());
    };
    return {
      write: (entry) => {
        this.written.push(JSON.stringify(entry));
        return unlessDead(() => journal.write(entry));
      },
      remove: (entry) => unlessDead(() => journal.remove(entry)),
      writeNow: (entries) => journal.writeNow(entries),
      of: (address) => noted(journal.of(address)),
    };
  }

  /** Somebody with the same key, or with their own. What the API refuses them is not made. */
  private async createBeside(path: string, body: string, { sharesKey }: Neighbour): Promise<void> {
    const { credential } = this.laboratory.service;
    await this.neighbours.create(path, body, sharesKey ? credential?.key : undefined).catch(() => undefined);
  }

  private damage(damage: Damage): void {
    const damaged = damageEntry(this.folder, damage, [...this.neighbours.foreign.keys()]);
    if (!damaged) return;
    this.damaged.push(damaged);
    const { hits } = this.laboratory;
    hits.set("damaged journal", (hits.get("damaged journal") ?? 0) + 1);
  }

  private keep(stack: MiniStack): void {
    this.state = stack.resources;
    for (const { id } of this.state) this.everKept.add(id);
  }

  /** What a person does after a run that failed: resolves with what is to be replaced by the next. */
  private react(failures: StackRun["failures"], isAtLast = false): Promise<string[]> {
    const { schedule, neighbours, state, folder, forgotten } = this;
    const { service } = this.laboratory;
    const journal = new FileJournal(folder);
    return afterwards(failures, {
      service,
      neighbours,
      state,
      journal,
      forgotten,
      isObedient: schedule.isObedient || isAtLast,
    });
  }

  /** The base URL, as somebody has spelled it. */
  private get baseUrl(): string {
    const { url, port } = this.laboratory.proxy;
    const spellings = [url, `${url}/`, `http://localhost:${port}`, `http://LOCALHOST:${port}/`];
    return spellings[this.spelling % spellings.length] ?? url;
  }

  private config(apiKey: string): Record<string, string> {
    const { schedule } = this;
    const { service } = this.laboratory;
    return {
      baseUrl: this.baseUrl,
      apiKey,
      projectId: service.projectId,
      region: REGION,
      costQuotes: String(schedule.asksCosts),
      preflight: schedule.asksCosts ? "fail" : "off",
      operationTimeout: "30s",
      // Real time: short only if a request is left without an answer.
      requestTimeout: hasUnanswered(schedule) ? "300ms" : "10s",
    };
  }
}

function hasUnanswered({ versions }: Schedule): boolean {
  return versions.some(({ faults }) => faults.some(({ effect }) => effect.kind === "no answer in time"));
}
