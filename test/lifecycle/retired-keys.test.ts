import { sent } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import { plain } from "../support/mini-state";
import { declared as declaredKey, kept, KeyBench } from "./support/key-fixture";

const { world, ids: keys, up, signedInWith } = KeyBench.forSuite();

const own = {
  permissions: [
    { resourceType: "api_key", permission: "edit" },
    { resourceType: "audit_log", permission: "read" },
  ],
  expiresAt: "2026-12-31T00:00:00Z",
};
const later = { expiresAt: "2027-03-31T00:00:00Z" };
const declared = (args: object, name?: string) => declaredKey({ ...own, ...args }, name);
const failing = { beforeDeletes: () => Promise.reject(new Error("a dependent")) };

describe("after the provider's own key was replaced", () => {
  it.each([
    ["deletes the old key", {}, false],
    ["keeps the old key with `deleteOld: atExpiry`", { deleteOld: "atExpiry" }, true],
    ["keeps the old key with `retainOnDelete`", { __retainOnDelete: true }, true],
  ])("%s", async (_title, options, kept) => {
    const args = { ...own, ...options };
    const first = (await up(args)).state;
    const second = await up({ ...args, ...later }, first, signedInWith(first));
    const third = await up({ ...args, ...later }, second.state, signedInWith(second.state));
    expect((await keys()).includes(first.id)).toBe(kept);
    const messages = [...second.lines, ...third.lines].join("\n");
    expect(messages.includes("the next run deletes the old one")).toBe(!kept);
  });

  it.each(["before", "after"])("lets a resource adopt the old key only before its successor (%s)", async (position) => {
    const first = (await up(own)).state;
    const stack = new MiniStack([kept(first)]);
    const x = declared(later);
    await stack.up(signedInWith(first), x);
    const successor = stack.stateOf("x");
    const old = declared({ adopt: first.id }, "old");
    const both = position === "before" ? [...old, ...x] : [...x, ...old];
    const [run, next] = [signedInWith(first), signedInWith(successor)];
    const { failures } = await stack.up(run, both);
    await stack.up(next, both);
    const row = `API key ${first.id}, which this one has replaced, stays: another resource has adopted it`;
    expect([...run.texts(), ...next.texts()].includes(row)).toBe(position === "before");
    const isHeld = stack.resources.some(({ name, id }) => name === "old" && id === first.id);
    expect([failures.length, isHeld]).toEqual(position === "before" ? [0, true] : [1, false]);
    expect((await keys()).includes(first.id)).toBe(isHeld);
    // The engine may present them in any order.
    const last = signedInWith(successor);
    await stack.up(last, [...x, ...(isHeld ? old : [])]);
    expect((await keys()).includes(first.id)).toBe(isHeld);
  });
});

const whenQuiet = { whenQuietFor: "1d", atLatest: "9d" };
describe("retiring a key of a pair", () => {
  it.each(["atExpiry", whenQuiet])("the key of an earlier rotation stays with %j", async (deleteOld) => {
    const stack = new MiniStack();
    await stack.up(world.run(), declared({ deleteOld }));
    const { id } = stack.stateOf("x");
    await stack.up(world.run(), declared({ ...later, deleteOld }), failing).catch(() => undefined);
    const leaked = stack.stateOf("x").id;
    const retired = declared({ expiresAt: "2027-05-31T00:00:00Z", deleteOld, __retirements: 1 });
    await stack.up(world.run(), retired);
    await stack.up(world.run(), retired);
    expect(await keys()).toContain(id);
    expect(await keys()).not.toContain(leaked);
  });

  it("deletes its own key after signing in with the successor", async () => {
    const args = { ...own, deleteOld: "atExpiry" };
    const first = (await up(args)).state;
    const retired = { ...args, ...later, __retirements: 1 };
    const second = (await up(retired, first, signedInWith(first))).state;
    expect(await keys()).toContain(first.id);
    await up(retired, second, signedInWith(second));
    expect(await keys()).not.toContain(first.id);
  });
});

describe("when the successor of a waiting key is removed", () => {
  it("a key that stays until it expires is named", async () => {
    const stack = new MiniStack();
    await stack.up(world.run(), declared({ deleteOld: whenQuiet }));
    const { id } = stack.stateOf("x");
    await stack.up(world.run(), declared({ ...later, deleteOld: whenQuiet }));
    await stack.up(world.run(), declared({ ...later, deleteOld: "atExpiry" }));
    const last = world.run();
    await stack.up(last, []);
    expect(await keys()).toContain(id);
    expect(last.warnings().join()).toContain(`${id} stays until it expires, because deleteOld leaves it until then`);
  });

  it("an adopted old key is deleted with its new resource", async () => {
    const stack = new MiniStack();
    const rotated = declared({ ...later, deleteOld: "atExpiry" });
    await stack.up(world.run(), declared({ deleteOld: "atExpiry" }));
    const { id, outs } = stack.stateOf("x");
    await stack.up(world.run(), rotated);
    const other = declared({ adopt: { id, key: plain(outs["key"]) } }, "other");
    expect((await stack.up(world.run(), [...rotated, ...other])).failures).toEqual([]);
    await stack.up(world.run(), rotated);
    expect(await keys()).not.toContain(id);
  });

  it("a key whose adoption has failed stays, and is named", async () => {
    const stack = new MiniStack();
    await stack.up(world.run(), declared({ deleteOld: whenQuiet }));
    const { id } = stack.stateOf("x");
    await stack.up(world.run(), declared({ ...later, deleteOld: whenQuiet }));
    await world.fault({ method: "PATCH", path: `/v1/api_keys/${id}$`, status: 403, every: 1 });
    const last = world.run();
    const successor = stack.stateOf("x");
    const { failures } = await stack.up(last, declared({ tags: ["new"], adopt: id }, "other"));
    await last.of("ApiKey").delete(successor.id, successor.outs); // as with --continue-on-error
    expect([failures.length, (await keys()).includes(id)]).toEqual([1, true]);
    expect(last.warnings().join()).toContain(`${id} stays until it expires, because this run was to adopt it`);
  });

  it.each([
    ["is deleted if the successor signs in", true],
    ["stays and is named if another key signs in", false],
  ])("the provider's own key %s", async (_title, isMoved) => {
    const stack = new MiniStack();
    await stack.up(world.run(), declared({ deleteOld: whenQuiet }));
    const first = stack.stateOf("x");
    await stack.up(signedInWith(first), declared({ ...later, deleteOld: whenQuiet }));
    const last = isMoved ? signedInWith(stack.stateOf("x")) : world.run();
    await stack.up(last, []);
    expect((await keys()).includes(first.id)).toBe(!isMoved);
    const text = isMoved ? "because nothing would manage it" : "because the provider may still sign in with it";
    expect(last.warnings().join()).toContain(text);
  });
});

it("a schedule keeps its plan after --target-replace", async () => {
  const run = world.run();
  const calls = run.of("RotationSchedule");
  const program = sent("RotationSchedule", "x", { period: "30d" }, false);
  const first = await calls.check({}, program);
  world.clock.advance(20 * 86_400_000);
  const again = world.run().of("RotationSchedule");
  const update = await again.check(first.inputs, program);
  const replacement = await again.check({}, program);
  expect(replacement.inputs).toEqual(update.inputs);
});
