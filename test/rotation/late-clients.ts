import { KilledConnections, type Kill } from "../support/killed-run";
import { MiniStack } from "../support/mini-engine";
import type { TestRun } from "../support/lifecycle";
import type { MemoryJournal } from "../support/memory-journal";
import type { StackRun } from "../support/mini-state";
import type { World } from "../support/world";
import { DAY_MS } from "./support";

const HOUR_MS = 3_600_000;
const AT_LATEST_MS = 15 * DAY_MS;

const args = {
  permissions: [{ resourceType: "vpc", permission: "edit" }],
  lifetime: "50d",
  rotateBefore: "20d",
  deleteOld: { whenQuietFor: "4d", atLatest: "15d" },
};
const program = [{ type: "ApiKey", name: "ci", args: () => args }];

/** By this machine's clock. A killed run must not learn that a request has had no answer, because it would continue. */
const LONGER_THAN_THE_TEST = "10m";

/** A client with a copy of the key. It fetches a new key some time after that was made. */
interface Client {
  readonly lateMs: number;
  /** True if it makes requests only every other day. */
  readonly isOnOddDays: boolean;
  readonly hour: number;
  key: unknown;
}

/** Minutes for some clients, ten days for the last. */
const lateness = (client: number): number => Math.round((client / 19) ** 2 * 10 * DAY_MS) + 5 * 60_000;

/** What happened to the run of a night. */
export type Mishap =
  "killed before the key" | "killed after the key" | "not saved" | "two at once" | "killed at a deletion";

/** A stack that is updated every night, and its clients. */
export class LateClients {
  readonly stack = new MiniStack();
  readonly refused: string[] = [];
  readonly overdue: string[] = [];
  rotations = 0;
  mostAlive = 0;
  readonly #clients: Client[];
  readonly #named = new Set<string>();
  readonly #killed: { readonly connections: KilledConnections; readonly end: Promise<unknown> }[] = [];
  /** The current key, and since when the state has it. */
  #present = { id: "", since: 0 };

  constructor(
    private readonly world: World,
    private readonly journal: MemoryJournal,
  ) {
    const count = 20;
    this.#clients = Array.from({ length: count }, (_, client) => ({
      lateMs: lateness(client),
      isOnOddDays: client % 2 === 1,
      hour: client % 24,
      key: undefined,
    }));
  }

  /** Runs the update of a night. Then a person follows its warnings. Resolves with whether the mishap happened. */
  async run(mishap?: Mishap): Promise<boolean> {
    const rows: TestRun[] = [];
    const start = (parts = {}): TestRun => {
      const run = this.world.run(
        { costQuotes: "false", requestTimeout: LONGER_THAN_THE_TEST },
        { journal: this.journal, ...parts },
      );
      rows.push(run);
      return run;
    };
    const ended = await this.#runOf(mishap, start);
    if (ended?.failures[0]) throw ended.failures[0].error;
    await this.#heed(rows);
    this.#look(ended === undefined, await this.alive());
    return mishap === "two at once" || ended === undefined;
  }

  /** Undefined if the run was interrupted. */
  #runOf(mishap: Mishap | undefined, start: (parts?: object) => TestRun): Promise<StackRun | undefined> {
    if (mishap === "two at once") return this.#previewBeside(start(), () => this.stack.up(start(), program));
    if (mishap === "not saved") return this.#notSaved(start());
    return mishap ? this.#killedRun(start, killOf[mishap]) : this.stack.up(start(), program);
  }

  /** Runs the clients for a day, each at its hour. */
  async day(): Promise<void> {
    const { clock } = this.world;
    const start = clock.now();
    const isOdd = Math.floor(start / DAY_MS) % 2 === 1;
    for (const client of this.#clients) {
      clock.advance(start + client.hour * HOUR_MS - clock.now());
      if (client.key === undefined || clock.now() >= this.#present.since + client.lateMs)
        client.key = this.stack.stateOf("ci").outs["key"];
      if (client.isOnOddDays !== isOdd || (await this.#request(client)) !== 401) continue;
      this.refused.push(`${new Date(clock.now()).toISOString()}: late by ${client.lateMs / DAY_MS} days`);
    }
    clock.advance(start + DAY_MS - clock.now());
  }

  /** The working keys that neither the state nor a warning has named. */
  async unnamed(): Promise<string[]> {
    const known = new Set([...this.#named, ...this.#inState(), ...this.journal.entries.map(({ id }) => id)]);
    return (await this.alive()).filter((id) => !known.has(id));
  }

  async alive(): Promise<string[]> {
    const keys = await this.world.made("ApiKey");
    return keys.filter(({ status }) => status !== "expired").map(({ id }) => id);
  }

  /** Releases what still waits in killed runs. */
  async bury(): Promise<void> {
    for (const { connections, end } of this.#killed) {
      await connections.bury();
      await end;
    }
  }

  #retired(): readonly { readonly id: string; readonly replacedAt: string }[] {
    return this.stack.resources.flatMap(({ outs }) => (outs["__retired"] ?? []) as []);
  }

  #inState(): string[] {
    return [...this.stack.resources.map(({ id }) => id), ...this.#retired().map(({ id }) => id)];
  }

  #look(hadMishap: boolean, alive: readonly string[]): void {
    const now = this.world.clock.now();
    const { id } = this.stack.stateOf("ci");
    if (id !== this.#present.id) {
      if (this.#present.id !== "") this.rotations += 1;
      this.#present = { id, since: now };
    }
    this.mostAlive = Math.max(this.mostAlive, alive.length);
    if (hadMishap) return;
    // The run knows the API's time, which has whole seconds only.
    const late = this.#retired().filter(({ replacedAt }) => Date.parse(replacedAt) + AT_LATEST_MS <= now - 1_000);
    this.overdue.push(...late.map((key) => key.id).filter((each) => alive.includes(each)));
  }

  async #request({ key }: Client): Promise<number> {
    const path = "/v1/networking/vpcs/00000000-0000-4000-8000-00000000dead";
    const headers = { authorization: `Bearer ${String(key)}`, "user-agent": "late-client/1.0" };
    return (await fetch(`${this.world.simulator.url}${path}`, { method: "DELETE", headers })).status;
  }

  async #previewBeside(run: TestRun, update: () => Promise<StackRun>): Promise<StackRun> {
    const { inputs, outs, id } = this.stack.stateOf("ci");
    const calls = run.of("ApiKey");
    const preview = async (): Promise<void> => {
      const checked = await calls.check(inputs, {
        ...args,
        __provider: "loader",
        __program: { isPreview: true, urn: outs["__urn"] },
      });
      await calls.diff(id, outs, checked.inputs);
    };
    const [updated] = await Promise.all([update(), preview()]);
    return updated;
  }

  #notSaved(run: TestRun): Promise<StackRun | undefined> {
    let answered = (): void => undefined;
    const death = new Promise<undefined>((resolve) => (answered = () => resolve(undefined)));
    const ended = this.stack.up(run, program, {
      beforeSave: () => {
        answered();
        return new Promise(() => undefined);
      },
    });
    return Promise.race([death, ended]);
  }

  #killedRun(start: (parts: object) => TestRun, kill: Kill): Promise<StackRun | undefined> {
    const connections = new KilledConnections(kill);
    const run = start({ client: { dispatcher: connections.dispatcher } });
    const end = this.stack.up(run, program);
    this.#killed.push({ connections, end });
    return Promise.race([connections.death.then(() => undefined), end]);
  }

  /** Deletes what warnings tell a person to delete. */
  async #heed(rows: readonly TestRun[]): Promise<void> {
    const texts = rows.flatMap((run) => run.warnings()).join("\n");
    for (const id of await this.alive()) {
      if (!texts.includes(`cloudinfra doctor --delete ${id}`)) continue;
      this.#named.add(id);
      if (!this.#inState().includes(id)) await this.world.api("DELETE", `/v1/api_keys/${id}`);
    }
  }
}

const creation = { method: "POST", path: /^\/v1\/api_keys$/ };
const killOf = {
  "killed before the key": { ...creation, moment: "before" },
  "killed after the key": { ...creation, moment: "after" },
  "killed at a deletion": { method: "DELETE", path: /^\/v1\/api_keys\//, moment: "before" },
} as const satisfies Partial<Record<Mishap, Kill>>;
