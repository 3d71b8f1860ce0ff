import type { ResourceKind } from "../../src/lifecycle/kind/kind";
import { kinds } from "../../src/resources/registry";
import { descriptorOf, changedByOperations, harmless } from "../kinds";
import type { Change } from "../kinds/descriptor";
import { MiniStack } from "../support/mini-engine";
import type { Declaration, Props } from "../support/mini-state";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { rewrite } from "../support/proxy/actions";
import { mishaps } from "../support/proxy/mishaps";
import { World, type WireObject } from "../support/world";
import { withoutMembers } from "./support/drift-fixture";
import { forEachTest } from "../support/suite";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);
const stack = forEachTest(() => new MiniStack());

const CHANGES = {
  when: ({ method, path }: { method: string; path: string }) => method !== "GET" && !path.endsWith("/cost"),
};
const PROJECT = { id: "10000000-0000-4000-8000-0000000000a1", name: "other" };
const VMS = ["10000000-0000-4000-8000-0000000000a2", "10000000-0000-4000-8000-0000000000a3"] as const;

/** A field of a kind, a change of it, and by how many requests the change is made. */
interface Row extends Change {
  readonly kind: ResourceKind;
  readonly type: string;
  readonly field: string;
  readonly requests: number;
}

const volumesOf = (size: number): Props[] => ["one", "two"].map((name) => ({ name, size, type: "abs" }));

/** Fields whose values are ids of other objects, or whose change takes several requests. */
const given: Readonly<Record<string, readonly (Change & { readonly requests?: number })[]>> = {
  dataVolumes: [{ from: volumesOf(10), to: volumesOf(20), requests: 2 }],
  projectIds: [{ to: [PROJECT.id] }],
  vmId: [{ to: VMS[0] }, { from: VMS[0], to: undefined }, { from: VMS[0], to: VMS[1], requests: 2 }],
};

const rows = kinds.flatMap((kind): readonly Row[] => {
  const { type, fields } = kind;
  const { changes, inputDrifts } = descriptorOf(type);
  const inPlace = Object.entries(fields).filter(
    ([, { change, local, actions }]) => change !== "replace" && (local !== true || actions !== undefined),
  );
  return inPlace.flatMap(([field]) => {
    const drift = inputDrifts[field];
    const drifted = typeof drift === "object" ? [{ to: drift.shown }] : [];
    const all = given[field] ?? (changes[field] ? [changes[field]] : drifted);
    if (all.length === 0) throw new Error(`${type}.${field} changes in place: say how in the descriptor's changes`);
    return all.map((change) => ({ requests: 1, ...change, kind, type, field }));
  });
});

/** The objects of these change by operations. */
const withOperations = ({ type }: ResourceKind): boolean => changedByOperations.includes(type);

/** Every mishap that can befall a kind. */
function mishapsOf(kind: ResourceKind): typeof mishaps {
  return mishaps.filter(({ isOfOperation }) => !isOfOperation || withOperations(kind));
}

/** What is there beside the objects of the programs. */
async function furnish(field: string): Promise<void> {
  if (field === "projectIds") await world.place("projects", { ...(await first("Project")), ...PROJECT });
  if (field !== "vmId") return;
  await world.create("Vm", {}, { name: "vm" });
  for (const id of VMS) await world.place("vms", { ...(await first("Vm")), id, name: id });
}

async function first(type: string): Promise<WireObject> {
  const [object] = await world.objects(type);
  if (!object) throw new Error(`there is no ${type}`);
  return object;
}

/** The program, in which a field has its valid value unless another is given. */
function program(type: string, args: object = {}): readonly Declaration[] {
  return [world.declare(type, args)];
}

/** A run through the proxy, and then the proxy does nothing more. */
async function disturbedUp(declared: readonly Declaration[]): Promise<readonly string[]> {
  const { failures } = await stack.up(world.run({ baseUrl: proxy.url }), declared);
  proxy.clear();
  return failures.map(({ error }) => (error as Error).message);
}

/** The operation of an undisturbed run. */
async function up(declared: readonly Declaration[]): Promise<string> {
  const { failures, operations } = await stack.up(world.run(), declared);
  expect(failures).toEqual([]);
  return operations.get("x") ?? "nothing";
}

/** A refresh changes nothing, so the state has what the object shows. */
async function expectTrueState(): Promise<void> {
  const refreshed = new MiniStack(stack.resources);
  expect(await refreshed.refresh(world.run())).toEqual([]);
  const [kept, shown] = [stack, refreshed].map((each) => withoutMembers(OF_THE_MOMENT, each.stateOf("x").outs));
  expect(kept).toEqual(shown);
}
const OF_THE_MOMENT = ["updatedAt", "cost", "__costBefore", "__unpriced", "__attempted"];

const changes = rows.flatMap((row) =>
  mishapsOf(row.kind).flatMap((mishap) =>
    Array.from({ length: row.requests }, (_, nth) => ({
      ...row,
      mishap,
      nth: nth + 1,
      of: row.requests,
      title: mishap.title,
    })),
  ),
);

describe.each(changes)("if $field of a $type changes, and of request $nth of $of $title", (row) => {
  const { kind, type, field, from, to, mishap, nth } = row;
  const isSeen = mishap.isMade && kind.fields[field]?.local !== true;

  it(isSeen ? "it is done" : "the run fails, and the next one completes it", async () => {
    await furnish(field);
    await up(program(type, "from" in row ? { [field]: from } : {}));
    mishap.befall(proxy, { ...CHANGES, nth }, world);
    const texts = await disturbedUp(program(type, { [field]: to }));
    expect(texts).toEqual(isSeen ? [] : [expect.stringMatching(/^update .+ "x"/)]);
    await expectTrueState();
    expect(await up(program(type, { [field]: to }))).toBe(isSeen ? "same" : "update");
    expect(await up(program(type, { [field]: to }))).toBe("same");
    await expectTrueState();
  });
});

const withoutTags = (wire: Props): Props => ("tags" in wire ? { ...wire, tags: [] } : wire);
const tagged = kinds.filter(({ fields, discovery }) => fields["tags"] && !discovery);

describe.each(tagged)("if the API ignores the tags of a new $type", ({ type }) => {
  it("the run fails, and the next one completes it", async () => {
    proxy.on(
      { when: () => true },
      rewrite(({ items, ...wire }) => ({
        ...withoutTags(wire),
        ...(Array.isArray(items) && { items: (items as readonly Props[]).map(withoutTags) }),
      })),
    );
    const declared = program(type, { tags: ["a"] });
    expect(await disturbedUp(declared)).toEqual([expect.stringMatching(/with tags, and the .+ does not show it/)]);
    expect(await world.made(type)).toHaveLength(1);
    expect(await up(declared)).toBe("update");
    expect(await up(declared)).toBe("same");
    await expectTrueState();
  });
});

const removals = kinds.flatMap((kind) =>
  mishapsOf(kind).map((mishap) => ({ ...kind, kind, mishap, title: mishap.title })),
);

describe.each(removals)("if a $type is deleted, and of each request $title", ({ kind, type, mishap }) => {
  it(mishap.isMade ? "it is done" : "the run fails, and the next one does it", async () => {
    const found = kind.discovery && (await first(type));
    await up(program(type));
    mishap.befall(proxy, CHANGES, world);
    const before = proxy.count({ method: "DELETE" });
    const texts = await disturbedUp([]);
    expect(texts).toEqual(mishap.isMade ? [] : [expect.stringMatching(/^delete .+ "x"/)]);
    // A deletion whose operation vanishes is not sent again.
    if (mishap.isOfOperation && !found) expect(proxy.count({ method: "DELETE" })).toBe(before + 1);
    expect(stack.resources).toHaveLength(mishap.isMade ? 0 : 1);
    if (!mishap.isMade) await expectTrueState();
    await up([]);
    expect(stack.resources).toEqual([]);
    if (found) expect(await first(type)).toEqual({ ...found, updated_at: expect.anything() as unknown });
    else expect(await world.made(type)).toEqual([]);
  });
});

// A refused change takes nothing over: refused-adoptions.test.ts.
const adoptions = removals
  .filter(({ mishap }) => !mishap.isRefusal)
  .map(({ kind, type, mishap, title }) => ({ kind, type, mishap, title }));

describe.each(adoptions)("if a $type is adopted with a change, and $title", ({ kind, type, mishap }) => {
  it(mishap.isMade ? "it is done" : "the run fails, and the next one changes it", async () => {
    const args = world.args(type);
    const adopt = async (): Promise<Props> => {
      const { id } = await world.create(type, { ...args, name: "mine" }, { name: "theirs" });
      return { name: "mine", ...harmless(type, "ours"), adopt: id };
    };
    const declared = program(type, kind.discovery ? {} : await adopt());
    mishap.befall(proxy, CHANGES, world);
    const texts = await disturbedUp(declared);
    expect(texts).toEqual(mishap.isMade ? [] : [expect.stringMatching(/^create .+ "x"/)]);
    await expectTrueState();
    expect(await up(declared)).toBe(mishap.isMade ? "same" : "update");
    expect(await up(declared)).toBe("same");
    await expectTrueState();
  });
});
