import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { OWN_PROVIDER } from "../../engine/urn";
import type { RunMemory } from "../memory/run-memory";
import type { CostPair, CostSide } from "../../cost/cost";
import type { CostOperation } from "../../cost/report";
import { lastCost } from "./cost-in-state";

/** A killed run leaves its file. No run lasts this long. */
const OUTDATED_MS = 24 * 60 * 60_000;

/** What a provider tells whose settings come from resources that do not exist yet. */
interface UnknownSettings {
  readonly unknown: readonly string[];
}

/**
 * The costs of the resources of this run, for a cost summary. Each explicit provider has a process of its own, and so has the
 * other front. So each process writes its costs to a file of the run, and reads there those of the others. A cost that cannot be
 * written or read is unknown to a summary in another process.
 */
export class RunCosts {
  readonly provider: string;
  #others: ReadonlyMap<string, CostInRun> = new Map();
  #unknown: readonly string[] = [];
  #readBytes = 0;
  #isReady = false;

  /** `file`: undefined outside an engine, and for a user without a home. */
  constructor(
    private readonly memory: RunMemory,
    private readonly file: string | undefined,
    provider: string | undefined,
  ) {
    this.provider = provider ?? OWN_PROVIDER;
  }

  /** The cost of a resource whose check and diff came before in this run, in whatever process. */
  of(urn: string): CostInRun | undefined {
    return costInRun(this.memory, urn, this.provider) ?? this.#ofOthers().get(urn);
  }

  /** The settings that a provider of this run does not know yet. The engine asks nothing about the resources of such a provider. */
  unknownSettings(): readonly string[] {
    this.#ofOthers();
    return this.#unknown;
  }

  /** Tells the other processes, before the engine has the answer: what waits for the resource waits for this. */
  share(urn: string): void {
    const cost = this.file === undefined ? undefined : costInRun(this.memory, urn, this.provider);
    if (this.file === undefined || cost === undefined) return;
    append(this.file, cost, !this.#isReady);
    this.#isReady = true;
  }

  end(): void {
    if (this.file !== undefined) remove(this.file);
  }

  #ofOthers(): ReadonlyMap<string, CostInRun> {
    if (this.file === undefined) return this.#others;
    try {
      const { size } = statSync(this.file);
      if (size === this.#readBytes) return this.#others;
      const lines = readFileSync(this.file, "utf8").split("\n").filter(Boolean);
      const entries = lines.map((line) => JSON.parse(line) as CostInRun | UnknownSettings);
      this.#others = new Map(entries.flatMap((each) => ("urn" in each ? [[each.urn, each]] : [])));
      this.#unknown = entries.flatMap((each) => ("unknown" in each ? each.unknown : []));
      this.#readBytes = size;
    } catch {
      // Nobody has written anything, or this user may not read it.
    }
    return this.#others;
  }
}

/** The file of the run of the engine at this address, which no other engine on this machine has. */
export function runCostsFile(folder: string, engine: string): string {
  return join(folder, encodeURIComponent(`${hostname()}-${engine}`));
}

/** Tells a cost summary that a provider does not know these settings yet. */
export function shareUnknownSettings(file: string | undefined, unknown: readonly string[]): void {
  if (file !== undefined && unknown.length > 0) append(file, { unknown } satisfies UnknownSettings, true);
}

/** A summary in another process does not learn what cannot be written. */
function append(file: string, entry: CostInRun | UnknownSettings, isFirst: boolean): void {
  try {
    if (isFirst) prepare(dirname(file));
    appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  } catch {
    // The summary then says that the cost is unknown.
  }
}

function prepare(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > OUTDATED_MS) remove(file);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A later run removes it.
  }
}

/** What a cost summary needs of a resource of this run. It has no secret, because a file carries it to other processes. */
export interface CostInRun {
  readonly urn: string;
  /** The name of the resource's explicit provider. Otherwise `default`: the one with the settings of the stack. */
  readonly provider: string;
  readonly operation: CostOperation;
  readonly pair: CostPair;
  /** The URN in the state: another one if an alias has renamed the resource. Undefined for a new resource. */
  readonly formerUrn?: string | undefined;
  /** The last cost of the replaced object, for the new half of a replacement. */
  readonly replaced?: (CostSide & { readonly isRetained: boolean }) | undefined;
  /** Whether the resource takes over an object, whose cost counts as before. */
  readonly adopts: boolean;
  /** Whether the object stays at the service when the resource is deleted (`retainOnDelete`). */
  readonly isRetained: boolean;
}

/** What this process knows of the cost of a resource. Undefined if check has not found it out. */
export function costInRun(memory: RunMemory, urn: string, provider: string): CostInRun | undefined {
  const facts = memory.of(urn);
  if (facts?.cost === undefined) return undefined;
  const { previous, replaced, cost, adopts, isChanged, isRetained } = facts;
  return {
    urn,
    provider,
    operation: replaced ? "replace" : !previous ? "create" : isChanged ? "update" : "same",
    pair: cost,
    formerUrn: (previous ?? replaced)?.urn,
    replaced: replaced && { ...lastCost(replaced), isRetained: replaced.memory.retainOnDelete },
    adopts: adopts && !previous,
    isRetained,
  };
}
