import type { JournalEntry } from "../../../src/journal/entry";
import type { KeptResource } from "../../support/mini-state";
import { type DamagedEntry, damageEntry } from "./damage";
import { notGivenBack } from "./found";
import type { Ending } from "./invariants";
import type { Neighbours } from "./neighbours";
import type { ProcessEnd } from "./plugin-process";
import type { Conditions, Damage, Programs } from "./schedule";
import type { Service } from "./service";

/** The facts of the runs of a schedule that its invariants are about. */
export class RunRecord {
  private readonly everKept = new Set<string>();
  private readonly damaged: DamagedEntry[] = [];
  readonly messages: string[] = [];
  /** The texts that were left on disk. */
  readonly written: string[] = [];
  readonly secrets: string[] = [];
  readonly wrongdoings: string[] = [];
  readonly networkTwins = new Set<string>();
  /** The names of objects that the person has said are not theirs. */
  readonly forgotten = new Set<string>();

  constructor(
    private readonly service: Service,
    private readonly programs: Programs & { readonly conditions: Conditions },
    private readonly neighbours: Neighbours,
  ) {}

  /** Called with the resources of a state. */
  keep(resources: readonly { readonly id?: string }[]): void {
    for (const { id } of resources) if (id !== undefined) this.everKept.add(id);
  }

  /** Damages an entry of the journal. Returns whether a run can notice that. */
  damage(journalFolder: string, damage: Damage, nowMs: number): boolean {
    const foreignIds = [...this.neighbours.foreign.keys()];
    const damaged = damageEntry(journalFolder, damage, { foreignIds, nowMs });
    if (damaged) this.damaged.push(damaged);
    return damaged !== undefined;
  }

  /** The found objects that are not as they were, after the program has left them out. */
  notGivenBack(state: readonly KeptResource[], open: readonly JournalEntry[]): string[] {
    const { service, neighbours, damaged, messages } = this;
    return notGivenBack({ service, found: neighbours.found, state, open, damaged, messages: messages.join("\n") });
  }

  /** Called with what a process has left. */
  add({ messages, written, secrets }: Pick<ProcessEnd, "messages" | "written" | "secrets">): void {
    this.messages.push(...messages);
    this.written.push(...written);
    this.secrets.push(...secrets);
  }

  ending(facts: Pick<Ending, Unknown>): Ending {
    const { service, programs, neighbours, everKept, damaged, forgotten, secrets, wrongdoings, networkTwins } = this;
    const own = { service, programs, neighbours, everKept, damaged, forgotten, secrets, wrongdoings, networkTwins };
    const [messages, written] = [this.messages.join("\n"), this.written.join("\n")];
    return { ...own, messages, written, areListsLate: programs.conditions.lateLists > 0, ...facts };
  }
}

type Unknown = "state" | "open" | "notGivenBack" | "stillFailing" | "hasOtherNames" | "idleChanges";
