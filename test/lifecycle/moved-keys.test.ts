import { join } from "node:path";
import { nativeToken, dynamicToken } from "../../src/engine/urn";
import { UNKNOWN } from "../../src/engine/values";
import { lifecycleOf } from "../../src/lifecycle/lifecycle";
import { NO_MEMORY, type Lifecycle, type ResourceState } from "../../src/lifecycle/resource-request";
import { RunFile } from "../../src/process/run-file";
import { kinds } from "../../src/resources/registry";
import { stateFromProps } from "../../src/state/kept-state";
import type { TestRun } from "../support/lifecycle";
import { folderForSuite } from "../support/suite";
import { DAY_MS, KeyBench } from "./support/key-fixture";

// What the engine calls if a key of one front is replaced, and its replaced object is deleted. Each front has its own
// process, and both share the file of the run. test/engine/partial-rotation.test.ts shows that the real engine makes
// these calls.

const bench = KeyBench.forSuite();
const folder = folderForSuite("moved-keys");
const kind = kinds.find(({ type }) => type === "ApiKey")!;

type Front = "dynamic" | "native";
interface Declared {
  readonly front: Front;
  readonly args: object;
  readonly name?: string;
}
interface Key {
  readonly front: Front;
  readonly id: string;
  readonly urn: string;
  readonly inputs: ResourceState;
  readonly outputs: ResourceState;
}

let runs = 0;

class EngineRun {
  readonly #path = join(folder, `${(runs += 1)}`);
  readonly #processes = { dynamic: this.#start(), native: this.#start() };

  /** `parents`: the types of the parents, as in a URN. */
  constructor(private readonly urnBeforeToken: { readonly stack?: string; readonly parents?: string } = {}) {}

  /** What both processes have said. */
  get lines(): string {
    return [...this.#processes.dynamic.texts(), ...this.#processes.native.texts()].join("\n");
  }

  /** A creation, or a replacement: check and diff, check and create. */
  async make(declared: Declared, old?: Key): Promise<Key> {
    if (old) await this.compare(declared, old);
    return this.create(declared.front, await this.check(declared));
  }

  /** Check and diff of an existing key. */
  async compare(declared: Declared, { id, ...old }: Key): Promise<ResourceState> {
    const inputs = await this.check(declared, old);
    const { urn, props, memory } = inputs;
    await this.#calls(declared.front).diff({ ...NOTHING, urn, id, inputs: props, memory, last: old.outputs });
    return inputs;
  }

  /**
   * A run in which a key is unchanged, but for its name or front. Only the dynamic front then saves the new URN in the
   * outputs.
   */
  async keep(declared: Declared, key: Key): Promise<Key> {
    const inputs = await this.compare(declared, key);
    const { urn } = inputs;
    const outputs = declared.front === "dynamic" ? { ...key.outputs, urn } : key.outputs;
    return { id: key.id, front: declared.front, urn, inputs, outputs };
  }

  /**
   * The comparison of a key whose dependency is replaced and deleted first: without a check, and with an unknown input.
   */
  async compareDependent({ front, id, urn, inputs, outputs }: Key): Promise<void> {
    const props = { ...inputs.props, rotationTrigger: UNKNOWN };
    const { memory } = inputs;
    await this.#calls(front).diff({ ...NOTHING, urn, id, inputs: props, memory, last: outputs });
  }

  async check({ front, args, name = "x" }: Declared, old?: Pick<Key, "inputs">): Promise<ResourceState> {
    const { stack = "dev", parents = "" } = this.urnBeforeToken;
    const token = front === "native" ? nativeToken("ApiKey") : dynamicToken("ApiKey");
    const urn = `urn:pulumi:${stack}::test::${parents}${token}::${name}`;
    const { props: inputs, memory } = stateFromProps({ ...args });
    const last = old?.inputs;
    const { state, findings } = await this.#calls(front).check({ ...NOTHING, urn, inputs, memory, last });
    expect(findings).toEqual([]);
    return { ...state, urn };
  }

  async create(front: Front, inputs: ResourceState): Promise<Key> {
    const { urn, props, memory } = inputs;
    const { id, state } = await this.#calls(front).create({ ...NOTHING, urn, inputs: props, memory });
    return { front, id, urn, inputs, outputs: state };
  }

  /** The deletion of a replaced object, by the process of its own front. */
  async drop({ front, id, urn, outputs: { props: inputs, memory } }: Key): Promise<void> {
    await this.#calls(front).delete({ ...NOTHING, urn, id, inputs, memory });
  }

  #start(): TestRun {
    return bench.world.run({}, { objectsFile: new RunFile(this.#path) });
  }

  #calls(front: Front): Lifecycle {
    return lifecycleOf(kind, () => this.#processes[front].run);
  }
}

const NOTHING = { urn: "", id: "", isPreview: false, isReference: false, memory: NO_MEMORY };
const whenQuiet = { whenQuietFor: "1d", atLatest: "9d" };
const first = { permissions: [{ resourceType: "vpc", permission: "edit" }], expiresAt: "2026-12-31T00:00:00Z" };
const second = { ...first, expiresAt: "2027-01-31T00:00:00Z" };
const third = { ...first, expiresAt: "2027-02-28T00:00:00Z" };
const EXPIRES = "it is not deleted, and expires on";
const UNKNOWN_TO_SUCCESSOR = "because its successor does not know it";

const hasKey = async ({ id }: Key): Promise<boolean> => (await bench.ids()).includes(id);
const expectKept = async (run: EngineRun, key: Key, reason: string): Promise<void> =>
  expect([await hasKey(key), run.lines]).toEqual([true, expect.stringContaining(reason)]);

const deletions = ["after", "atExpiry", whenQuiet] as const;
const changes = deletions.flatMap((before) => deletions.map((after) => [before, after] as const));
const fronts = ["dynamic", "native"] as const;
const pairs = fronts.flatMap((front) => fronts.map((other) => [front, other] as const));

describe.each(pairs)("a key of %s with a successor of %s", (front, other) => {
  it.each(
    changes.flatMap(([before, after]) => [
      [before, after, "create first"] as const,
      [before, after, "deleteBeforeReplace"] as const,
    ]),
  )("a rotation obeys deleteOld: %j to %j, %s", async (before, after, order) => {
    const old = await new EngineRun().make({ front, args: { ...first, deleteOld: before } });
    const run = new EngineRun();
    const declared = { front: other, args: { ...second, deleteOld: after } };
    await run.compare(declared, old);
    if (order === "deleteBeforeReplace") await run.drop(old);
    await run.create(other, await run.check(declared));
    if (order === "create first") await run.drop(old);
    expect(await hasKey(old)).toBe(after !== "after");
  });

  it.each(changes)("a failed rotation obeys deleteOld: %j to %j", async (before, after) => {
    const old = await new EngineRun().make({ front, args: { ...first, deleteOld: before } });
    const present = await new EngineRun().make({ front, args: { ...second, deleteOld: before } }, old);
    const run = new EngineRun();
    await run.compare({ front: other, args: { ...second, deleteOld: after } }, present);
    await run.drop(old);
    // The state of the new object has a key that waits, and its update decides about it.
    expect(await hasKey(old)).toBe(after !== "after" || before === whenQuiet);
  });

  it.each([
    ["atExpiry", EXPIRES],
    [whenQuiet, "was replaced, and waits until no client uses it"],
  ])("a failed rotation in a renamed stack keeps keys: %j", async (deleteOld, reason) => {
    const old = await new EngineRun().make({ front, args: { ...first, deleteOld } });
    const present = await new EngineRun().make({ front, args: { ...second, deleteOld } }, old);
    const renamed = (key: Key): Key => ({ ...key, urn: key.urn.replace(":dev:", ":prod:") });
    const run = new EngineRun({ stack: "prod" });
    await run.compare({ front: other, args: { ...second, deleteOld } }, renamed(present));
    await run.drop(renamed(old));
    await expectKept(run, old, reason);
  });

  it.each(deletions)("a leaked key is deleted after a failed rotation: %j", async (deleteOld) => {
    const old = await new EngineRun().make({ front, args: { ...first, deleteOld } });
    const retiring = { ...second, deleteOld, __retirements: 1 };
    const present = await new EngineRun().make({ front, args: retiring }, old);
    const run = new EngineRun();
    await run.compare({ front: other, args: retiring }, present);
    await run.drop(old);
    expect(await hasKey(old)).toBe(false);
  });

  it.each(
    ["", "my:index:Team$"].flatMap((parents) =>
      ["first", "last"].flatMap((order) => [
        ["atExpiry", order, parents, EXPIRES] as const,
        [whenQuiet, order, parents, UNKNOWN_TO_SUCCESSOR] as const,
      ]),
    ),
  )("a tainted key stays: %j, deleted %s, below %j", async (deleteOld, order, parents, reason) => {
    const old = await new EngineRun().make({ front, args: { ...first, deleteOld } });
    const run = new EngineRun({ parents });
    const inputs = await run.check({ front: other, args: { ...first, deleteOld } });
    if (order === "first") await run.drop(old);
    await run.create(other, inputs);
    if (order === "last") await run.drop(old);
    await expectKept(run, old, reason);
  });

  it("a tainted key and its predecessor stay", async () => {
    const args = { ...second, deleteOld: whenQuiet };
    const old = await new EngineRun().make({ front, args: { ...first, deleteOld: whenQuiet } });
    const present = await new EngineRun().make({ front, args }, old);
    const run = new EngineRun();
    await run.make({ front: other, args });
    await run.drop(present);
    for (const key of [old, present])
      await expectKept(run, key, `API key ${key.id} stays until it expires, ${UNKNOWN_TO_SUCCESSOR}`);
  });

  it.each([front, other])("keeps a key replaced by its dependency; successor: %s", async (next) => {
    const old = await new EngineRun().make({ front, args: { ...first, deleteOld: whenQuiet } });
    const run = new EngineRun();
    await run.compareDependent(old);
    await run.drop(old);
    await run.make({ front: next, args: { ...first, deleteOld: whenQuiet } });
    expect(await hasKey(old)).toBe(true);
  });
});

it.each(fronts.flatMap((front) => deletions.map((deleteOld) => [front, deleteOld] as const)))(
  "a rotation by %s with another name obeys deleteOld: %j",
  async (front, deleteOld) => {
    const old = await new EngineRun().make({ front, name: "former", args: { ...first, deleteOld } });
    const run = new EngineRun();
    await run.make({ front, name: "renamed", args: { ...second, deleteOld } }, old);
    await run.drop(old);
    expect([await hasKey(old), run.lines.includes("its successor does not know it")]).toEqual([
      deleteOld !== "after",
      false,
    ]);
  },
);

it.each(fronts)("%s: failed rotations with a rename keep old keys", async (front) => {
  const declared = (args: object, name = "former"): Declared => ({
    front,
    name,
    args: { ...args, deleteOld: "atExpiry" },
  });
  const one = await new EngineRun().make(declared(first));
  const two = await new EngineRun().make(declared(second), one);
  const three = await new EngineRun().make(declared(third, "renamed"), two);
  const run = new EngineRun();
  await run.compare(declared(third, "renamed"), three);
  for (const old of [one, two]) await run.drop(old);
  for (const old of [one, two]) await expectKept(run, old, `API key ${old.id} was replaced: ${EXPIRES}`);
});

it.each(fronts.flatMap((front) => ["old", "renamed"].map((leaving) => [front, leaving] as const)))(
  "%s: of two keys with one name, deletes the one called %s",
  async (front, leaving) => {
    const declared = (name: string): Declared => ({ front, name, args: { ...first, deleteOld: "atExpiry" } });
    const one = await new EngineRun().make(declared("old"));
    const renamed = await new EngineRun().keep(declared("renamed"), one);
    const both = new EngineRun();
    await both.keep(declared("renamed"), renamed);
    const later = await both.make(declared("old"));
    const run = new EngineRun();
    if (leaving === "old") await run.keep(declared("renamed"), renamed);
    else await run.keep(declared("old"), later);
    await run.drop(leaving === "old" ? later : renamed);
    expect([await hasKey(later), await hasKey(renamed)]).toEqual([leaving !== "old", leaving === "old"]);
  },
);

it.each(pairs.filter(([front, other]) => front !== other))(
  "deletes a removed key of %s, keeps a replaced one of %s",
  async (front, other) => {
    const one = await new EngineRun().make({ front, args: { ...first, deleteOld: "atExpiry" } });
    const two = await new EngineRun().make({ front: other, args: { ...first, deleteOld: "atExpiry" } });
    const run = new EngineRun();
    await run.make({ front: other, args: { ...second, deleteOld: "atExpiry" } }, two);
    for (const old of [one, two]) await run.drop(old);
    expect([await hasKey(one), await hasKey(two)]).toEqual([false, true]);
  },
);

it.each<readonly [string, Front, Front, Front, string]>([
  ["an alias", "dynamic", "dynamic", "dynamic", "renamed"],
  ["an alias", "native", "native", "native", "renamed"],
  ["a move", "native", "dynamic", "dynamic", "old"],
  ["a move", "dynamic", "native", "native", "old"],
  ["an alias", "dynamic", "dynamic", "native", "renamed"],
  ["an alias", "native", "native", "dynamic", "renamed"],
])("after %s (%s to %s), %s deletes the old key", async (_how, from, to, last, name) => {
  const present = { front: to, name, args: { ...first, deleteOld: "after" } };
  const made = await new EngineRun().make({ ...present, front: from, name: "old" });
  const changed = await new EngineRun().keep(present, made);
  const old = await new EngineRun().keep(present, changed);
  const run = new EngineRun();
  await run.make({ front: last, name, args: { ...second, deleteOld: "after" } }, old);
  await run.drop(old);
  expect([await hasKey(old), run.lines]).toEqual([false, expect.not.stringContaining("stays")]);
});

it("does not list a key already deleted by its former deleteOld", async () => {
  const old = await new EngineRun().make({ front: "dynamic", args: { ...first, deleteOld: "after" } });
  const run = new EngineRun();
  await run.compareDependent(old);
  await run.drop(old);
  const { outputs } = await run.make({ front: "dynamic", args: { ...second, deleteOld: whenQuiet } });
  expect([await hasKey(old), outputs.memory.object.retired]).toEqual([false, []]);
});

it("keeps a key waiting if only the first update had retainOnDelete", async () => {
  const args = { ...first, deleteOld: whenQuiet };
  const old = await new EngineRun().make({ front: "native", args: { ...args, __retainOnDelete: true } });
  const isRetained = { ...old, outputs: { ...old.outputs, memory: { ...old.outputs.memory, retainOnDelete: false } } };
  const run = new EngineRun();
  await run.make({ front: "native", args: { ...second, deleteOld: whenQuiet } }, isRetained);
  await run.drop(isRetained);
  await expectKept(run, old, "was replaced, and waits");
});

describe("two keys of a pair replaced in one run", () => {
  const parents = "cloudinfra:index:RotatingApiKey$";
  const MADE_BOTH = "because one run has made both keys of the pair anew";
  const slot = (front: Front, name: string, due: string, args: object): Declared => ({
    ...{ front, name: `ci-${name}` },
    args: { ...args, rotatesAt: `2026-${due}T00:00:00Z` },
  });
  const bothDue = async (front: Front, current: string): Promise<readonly [current: Key, previous: Key]> => {
    const run = new EngineRun({ parents });
    const previous = current === "a" ? "b" : "a";
    return [
      await run.make(slot(front, current, "07-20", first)),
      await run.make(slot(front, previous, "07-10", first)),
    ];
  };
  /** Replaces both in one run, the old ones of which the state does not have one as new ones. */
  async function replaceBoth(run: EngineRun, front: Front, olds: readonly Key[]): Promise<readonly Key[]> {
    const planned = [];
    for (const name of ["a", "b"]) {
      const old = olds.find(({ urn }) => urn.endsWith(`-${name}`));
      const declared = slot(front, name, "12-01", third);
      if (old) await run.compare(declared, old);
      planned.push(await run.check(declared));
    }
    return Promise.all(planned.map((inputs) => run.create(front, inputs)));
  }

  it.each<readonly [string, string, Front, Front]>([
    ["a", "native", "native", "native"],
    ["b", "dynamic", "dynamic", "dynamic"],
    ["a", "the other front", "dynamic", "native"],
  ])("the current key %s stays (%s)", async (current, _how, front, last) => {
    const olds = await bothDue(front, current);
    const run = new EngineRun({ parents });
    await replaceBoth(run, last, olds);
    for (const old of olds) await run.drop(old);
    await expectKept(run, olds[0], MADE_BOTH);
    expect(await hasKey(olds[1])).toBe(false);
  });

  it("the current key stays after a failed run", async () => {
    const olds = await bothDue("native", "a");
    const [a, b] = await replaceBoth(new EngineRun({ parents }), "native", olds);
    const run = new EngineRun({ parents });
    await run.compare(slot("native", "a", "12-01", third), a!);
    await run.compare(slot("native", "b", "12-01", third), b!);
    for (const old of olds) await run.drop(old);
    await expectKept(run, olds[0], MADE_BOTH);
  });

  it("the current key stays beside a lost previous one", async () => {
    const [old] = await bothDue("native", "a");
    const run = new EngineRun({ parents });
    await replaceBoth(run, "native", [old]);
    await run.drop(old);
    await expectKept(run, old, MADE_BOTH);
  });

  it("deletes the previous key if only that one is due", async () => {
    const [current, previous] = await bothDue("native", "a");
    const run = new EngineRun({ parents });
    await run.compare(slot("native", "a", "07-20", first), current);
    await run.make(slot("native", "b", "12-01", third), previous);
    await run.drop(previous);
    expect([await hasKey(current), await hasKey(previous)]).toEqual([true, false]);
  });

  it("an expired current key is deleted", async () => {
    const olds = await bothDue("native", "a");
    bench.world.clock.advance(200 * DAY_MS);
    const run = new EngineRun({ parents });
    await replaceBoth(run, "native", olds);
    for (const old of olds) await run.drop(old);
    expect([await hasKey(olds[0]), await hasKey(olds[1])]).toEqual([false, false]);
  });
});
