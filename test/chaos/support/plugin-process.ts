import type { Dispatcher } from "undici";
import { FileJournal } from "../../../src/journal/file-journal";
import type { Journal } from "../../../src/journal/journal";
import { isThisProcess } from "../../../src/process/process-identity";
import { startRun, type TestRun } from "../../support/lifecycle";
import type { StackRun } from "../../support/mini-state";
import { textOfError } from "./answers";
import type { TestBed } from "./test-bed";
import { sabotaged } from "./sabotage";
import { Wire, type WireParts } from "./wire";

type Failures = StackRun["failures"];

export interface ProcessParts extends Pick<WireParts, "faults" | "late" | "onTwin" | "createBeside"> {
  readonly testBed: TestBed;
  readonly config: Readonly<Record<string, string>>;
  /** The name of the explicit provider. */
  readonly provider: string;
  readonly journalFolder: string;
  /** Counts the processes of a schedule, because the journal tells them apart. */
  readonly number: number;
  /** Called once nothing more is saved. */
  readonly onOver: (how: "ended" | "killed" | "Ctrl-C twice") => void;
}

/** The result of a plugin process. */
export interface ProcessEnd {
  readonly failures: Failures;
  readonly messages: readonly string[];
  readonly written: readonly string[];
  readonly secrets: readonly string[];
  /** Requests that can change something, as `POST /v1/…`. */
  readonly changes: readonly string[];
}

/** Runs a plugin process until it ends or is killed. */
export async function runProcess(
  parts: ProcessParts,
  work: (run: TestRun, wire: Wire) => Promise<Failures>,
): Promise<ProcessEnd> {
  const { testBed, config, provider, onOver } = parts;
  const { service, sabotage } = testBed;
  let isOver: () => void = () => undefined;
  const killed = new Promise<Failures>((resolve) => {
    isOver = () => resolve([]);
  });
  const unfinished = new Set<Promise<unknown>>();
  const wire = new Wire({
    ...testBed,
    ...parts,
    atRest: async () => {
      do {
        await Promise.allSettled(unfinished);
        await new Promise((resolve) => setImmediate(resolve));
      } while (unfinished.size > 0);
    },
    onEnd: (how) => {
      // A killed process cannot clean up.
      if (how === "Ctrl-C twice") run.run.journal.end();
      onOver(how);
      isOver();
    },
  });
  const written: string[] = [];
  const journal = journalOf({ ...parts, wire, unfinished, written });
  const journalNow = (): Journal => sabotage?.journal?.(journal, run.run) ?? journal;
  const run = startRun(config, wire.clock, {
    client: { dispatcher: (sabotage?.connect?.(wire) ?? wire) as Dispatcher, random: () => 0.5 },
    journal: {
      write: (entry) => journalNow().write(entry),
      recordWarning: (entry, reader) => journalNow().recordWarning(entry, reader),
      recordAdoption: (object) => journalNow().recordAdoption(object),
      lock: (id, now) => journalNow().lock(id, now),
      unlock: (id) => journalNow().unlock(id),
      remove: (entry) => journalNow().remove(entry),
      all: () => journalNow().all(),
    },
    provider,
  });
  const failures = await Promise.race([work(sabotage ? sabotaged(run, service, sabotage) : run, wire), killed]);
  // Requests and writes that a killed process had begun end before the next process reads.
  await wire.end();
  await Promise.allSettled(unfinished);
  if (!wire.isKilled) {
    onOver("ended");
    run.run.journal.end();
  }
  const messages = [...run.lines.map(({ text }) => text), ...failures.map(({ error }) => textOfError(error))];
  return { failures, messages, written, secrets: wire.secrets, changes: wire.changes };
}

interface JournalParts extends Pick<ProcessParts, "journalFolder" | "number"> {
  readonly wire: Wire;
  readonly unfinished: Set<Promise<unknown>>;
  readonly written: string[];
}

/** The journal of a process. Once the process is killed, it writes nothing. */
function journalOf({ journalFolder, number, wire, unfinished, written }: JournalParts): Journal {
  const journal = new FileJournal(journalFolder);
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    unfinished.add(work);
    return work.finally(() => unfinished.delete(work));
  };
  const unlessDead = async (change: () => Promise<void>): Promise<void> => {
    if (!wire.isKilled) await noted(change());
  };
  return {
    write: (entry) => {
      written.push(JSON.stringify(entry));
      const sender = isThisProcess(entry.sender) ? { ...entry.sender, startedAt: String(number) } : entry.sender;
      return unlessDead(() => journal.write({ ...entry, sender }));
    },
    recordWarning: (entry, reader) => unlessDead(() => journal.recordWarning(entry, reader)),
    recordAdoption: (object) => unlessDead(() => journal.recordAdoption(object)),
    lock: (id, now) => (wire.isKilled ? new Promise(() => undefined) : noted(journal.lock(id, now))),
    unlock: (id) => unlessDead(() => journal.unlock(id)),
    remove: (entry) => unlessDead(() => journal.remove(entry)),
    all: () => noted(journal.all()),
  };
}
