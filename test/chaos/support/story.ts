import type { Dispatcher } from "undici";
import type { Journal } from "../../../src/journal/journal";
import { objectText } from "../../../src/journal/left-behind";
import { startRun, type TestRun } from "../../support/lifecycle";
import { MiniStack } from "../../support/mini-engine";
import type { KeptResource, StackRun } from "../../support/mini-state";
import type { VirtualClock } from "../../support/virtual-clock";
import { MemoryJournal } from "../../support/memory-journal";
import { textOfError } from "./errors";
import { moveIn, type Neighbours } from "./neighbours";
import { declaredOf, versionOf } from "./program";
import { afterwards } from "./person";
import { sabotaged, type Sabotage } from "./sabotage";
import type { Fault, Programs, Schedule } from "./schedule";
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
  /** URNs that the journal still has open. */
  readonly open: readonly string[];
  /** Everything that must not be in it. */
  readonly secrets: readonly string[];
  /** What the last run without faults failed with; empty where it did not. */
  readonly stillFailing: readonly string[];
  /** What a run sent after everything was as it should be. */
  readonly idleChanges: readonly string[];
}

/** What a schedule is played on. */
export interface Laboratory {
  readonly service: Service;
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
const PATIENCE = 6;

/** One schedule under way. */
export class Story {
  private state: readonly KeptResource[] = [];
  private readonly everKept = new Set<string>();
  private readonly told: string[] = [];
  private readonly secrets: string[] = [];
  private readonly written: string[] = [];
  private wasKilled = false;
  private readonly journal = new MemoryJournal();

  private constructor(
    private readonly laboratory: Laboratory,
    private readonly schedule: Schedule,
    private readonly neighbours: Neighbours,
  ) {}

  /** Lets a schedule happen, then what a person does until a run has nothing more to do. */
  static async tell(laboratory: Laboratory, schedule: Schedule): Promise<Ending> {
    const { service, clock } = laboratory;
    clock.advance(START - clock.now());
    service.reset();
    const neighbours = await moveIn(service, schedule, (ms) => clock.advance(ms));
    const story = new Story(laboratory, schedule, neighbours);
    for (const [nth, { daysLater, faults, refreshes }] of schedule.versions.entries()) {
      clock.advance(daysLater * 86_400_000);
      const failures = await story.run(nth, faults);
      await story.react(failures);
      if (refreshes) await story.refresh(faults);
    }
    return story.end();
  }

  private async end(): Promise<Ending> {
    const nth = this.schedule.versions.length - 1;
    let failures = await this.run(nth, []);
    // After an interrupted run the engine asks for a refresh: a deletion may be done that the state does not know of.
    if (this.wasKilled) await this.refresh();
    let changes = ["none yet"];
    for (let rounds = 1; rounds < PATIENCE && (failures.length > 0 || changes.length > 0); rounds += 1) {
      const replace = await this.react(failures);
      changes = [];
      failures = await this.run(nth, [], { replace, changes });
    }
    return {
      service: this.laboratory.service,
      programs: this.schedule,
      neighbours: this.neighbours,
      state: this.state,
      everKept: this.everKept,
      told: [...this.told, ...this.doctorsWords()].join("\n"),
      written: this.written.join("\n"),
      open: this.journal.entries.map(({ urn }) => urn),
      secrets: this.secrets,
      stillFailing: failures.map(({ error }) => textOfError(error)),
      idleChanges: changes,
    };
  }

  /** One update, until it ends or is killed. */
  private async run(
    nth: number,
    faults: readonly Fault[],
    { replace = [], changes }: { readonly replace?: readonly string[]; readonly changes?: string[] } = {},
  ): Promise<StackRun["failures"]> {
    const stack = new MiniStack(this.state);
    const program = declaredOf(versionOf(this.schedule, nth, this.neighbours.places), this.neighbours.places);
    return this.process(faults, stack, changes, async (run, wire) => {
      const { isParallel } = this;
      const { failures } = await stack.up(run, program, { isParallel, replace, beforeSave: () => wire.beforeSave() });
      return failures;
    });
  }

  /** A stack with nothing in it calls no provider, so no run can tell what is left: `cloudinfra doctor` does. */
  private doctorsWords(): string[] {
    return this.state.length > 0 ? [] : this.journal.entries.map(objectText);
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
    const { service, clock, agent, hits, sabotage } = this.laboratory;
    const credential = (service.credential ??= await service.newCredential("deployer"));
    this.secrets.push(credential.key);
    let isOver: () => void = () => undefined;
    const killed = new Promise<StackRun["failures"]>((resolve) => {
      isOver = () => resolve([]);
    });
    const wire = new Wire({
      service,
      clock,
      agent,
      faults,
      hits,
      onKill: () => {
        this.wasKilled = true;
        this.keep(stack);
        isOver();
      },
    });
    const journal = this.journalOf(wire);
    const run = startRun(this.config(credential.key), wire.clock, {
      client: { dispatcher: (sabotage?.connect?.(wire) ?? wire) as Dispatcher, random: () => 0.5 },
      journal: sabotage?.journal?.(journal) ?? journal,
    });
    const failures = await Promise.race([work(sabotage ? sabotaged(run, service, sabotage) : run, wire), killed]);
    if (!wire.isKilled) {
      this.keep(stack);
      run.run.journal.endInOrder();
    }
    this.told.push(...run.lines.map(({ text }) => text), ...failures.map(({ error }) => textOfError(error)));
    this.secrets.push(...wire.secrets);
    changes?.push(...wire.changes);
    return failures;
  }

  /** The journal as one process has it: a dead one writes nothing. */
  private journalOf(wire: Wire): Journal {
    const { journal } = this;
    const unlessDead = (change: () => Promise<void>): Promise<void> => (wire.isKilled ? Promise.resolve() : change());
    return {
      write: (entry) => {
        this.written.push(JSON.stringify(entry));
        return unlessDead(() => journal.write(entry));
      },
      remove: (entry) => unlessDead(() => journal.remove(entry)),
      removeNow: (entries) => journal.removeNow(entries),
      of: (address) => journal.of(address),
    };
  }

  private keep(stack: MiniStack): void {
    this.state = stack.resources;
    for (const { id } of this.state) this.everKept.add(id);
  }

  /** What a person does after a run that failed: resolves with what is to be replaced by the next. */
  private react(failures: StackRun["failures"]): Promise<string[]> {
    const { schedule, neighbours, state } = this;
    const { service } = this.laboratory;
    return afterwards(failures, { service, neighbours, state, isObedient: schedule.isObedient });
  }

  private config(apiKey: string): Record<string, string> {
    const { schedule } = this;
    const { service } = this.laboratory;
    return {
      baseUrl: service.url,
      apiKey,
      projectId: service.projectId,
      region: "us-sva-2",
      costQuotes: String(schedule.asksCosts),
      operationTimeout: "30s",
      // Real time: short only where a request is left without an answer.
      requestTimeout: hasUnanswered(schedule) ? "300ms" : "10s",
    };
  }
}

function hasUnanswered({ versions }: Schedule): boolean {
  return versions.some(({ faults }) => faults.some(({ effect }) => effect.kind === "no answer in time"));
}
