import { isDeepStrictEqual } from "node:util";
import type { PluginCalls } from "../../../src/dynamic/plugin-calls";
import type { KeptResource, StackRun } from "../../support/mini-state";
import { isAtTheApi } from "./neighbours";
import { type Surroundings, type ProgramResource, withDependencies } from "./program";
import type { Service } from "./service";
import { differences, membersOf } from "./wire-shape";

type RetiredKey = string | { readonly id: string };

/** The objects that the engine asked a process to change or delete. All other objects must stay unchanged. */
export class EngineRequests {
  readonly #before: readonly string[];
  readonly #ids: Set<string>;

  constructor(service: Service, state: readonly KeptResource[]) {
    this.#before = Array.from(service.held().keys(), idOf);
    // Keys that their successors delete.
    this.#ids = new Set(
      state
        .flatMap(({ outs }) => (outs["__retired"] as RetiredKey[] | undefined) ?? [])
        .map((retired) => idOf(typeof retired === "string" ? retired : retired.id)),
    );
  }

  /** Records the calls of a kind. */
  calls(calls: PluginCalls): PluginCalls {
    const note = (id: unknown): void => {
      if (typeof id === "string") this.#ids.add(idOf(id));
    };
    return {
      ...calls,
      create: (inputs) => {
        const { adopt } = inputs;
        note(typeof adopt === "object" && adopt !== null && "id" in adopt ? adopt.id : adopt);
        return calls.create(inputs);
      },
      update: (id, ...others) => {
        note(id);
        return calls.update(id, ...others);
      },
      delete: (id, props) => {
        note(id);
        return calls.delete(id, props);
      },
    };
  }

  /** The sent requests that the engine did not ask for. */
  unrequested(changes: readonly string[], isElses: (id: string) => boolean): string[] {
    return changes.filter((change) => {
      const [, at] = /^(?:DELETE|PATCH) .*\/([^/]+)$/.exec(change) ?? [];
      const id = idOf(at ?? "");
      return this.#before.includes(id) && !this.#ids.has(id) && !isElses(id);
    });
  }
}

function idOf(id: string): string {
  return id.toLowerCase();
}

const PARTS = ["bootVolume", "dataVolumes"];

/** A finished run, and its task. */
interface EndedRun extends Pick<Surroundings, "ground">, Pick<StackRun, "operations"> {
  readonly service: Service;
  readonly declared: readonly ProgramResource[];
  /** The state before and after it. */
  readonly before: readonly KeptResource[];
  readonly state: readonly KeptResource[];
  /** Everything that it printed. */
  readonly lines: readonly string[];
}

/** Changes and deletions that a run reported as done although the API does not show them. */
export function falseClaims(run: EndedRun): string[] {
  run.service.world.operations.applyDue();
  return [...falseChanges(run), ...falseDeletions(run)];
}

/** Objects that left the state and still exist, unless the output says that they stay. */
function falseDeletions({ service, before, state, lines }: EndedRun): string[] {
  const held = service.held();
  const left = before.filter(({ id }) => held.has(id.toLowerCase()) && !state.some((kept) => kept.id === id));
  const keptLines = lines.filter((line) => !line.includes("may have deleted"));
  const unnamed = left.filter(({ id }) => !keptLines.some((line) => line.includes(id)));
  return unnamed.map(({ name, id }) => `a run called the deletion of ${name} done, and ${id} is there`);
}

function falseChanges({ service, declared, operations, before, state, ground, lines }: EndedRun): string[] {
  if (lines.some((line) => line.includes("showed another value than your program already before"))) return [];
  const held = service.held();
  const byName = new Map(state.filter(({ isReplaced }) => !isReplaced).map((kept) => [kept.name, kept]));
  return declared.flatMap((one) => {
    const operation = operations.get(one.name);
    const kept = byName.get(one.name);
    const object = held.get(kept?.id.toLowerCase() ?? "")?.object;
    const isKnown = one.dependsOn.every((other) => byName.has(other));
    if (!isAtTheApi(one.type) || !isKnown || (operation !== "update" && operation !== "replace")) return [];
    if (kept === undefined || object === undefined) return [];
    const args = withDependencies(one, (other) => byName.get(other)!);
    // An update of other fields does not read the parts.
    const old = before.find(({ name }) => name === one.name);
    const isChanged = PARTS.some((field) => !isDeepStrictEqual(old?.outs[field], kept.outs[field]));
    const parts = isChanged ? partsOtherwise(service, kept.id, args) : [];
    const differs = [...differences(membersOf(one.type, args, ground), object), ...parts];
    return differs.map((text) => `a run called the ${operation} of ${one.name} done, and ${text}`);
  });
}

/** The parts of a VM that differ from the program. */
export function partsOtherwise(service: Service, id: string, args: ProgramResource["args"]): string[] {
  const { bootVolume, dataVolumes } = args as { readonly bootVolume?: Part; readonly dataVolumes?: readonly Part[] };
  if (bootVolume === undefined) return [];
  const volumes = service.volumesOf(id.toLowerCase());
  const boot = volumes.find(({ kind }) => kind === "boot");
  const pairs = [
    ["the boot volume", bootVolume, boot] as const,
    ...(dataVolumes ?? []).map((data) => [data.name, data, volumes.find(({ name }) => name === data.name)] as const),
  ];
  return pairs
    .filter(([, part, volume]) => volume?.["size"] !== part.size)
    .map(([volumeName, { size }, volume]) => `the size of ${volumeName} is ${String(volume?.["size"])}, not ${size}`);
}

interface Part {
  readonly name?: string;
  readonly size: number;
}
