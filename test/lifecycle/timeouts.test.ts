import { sent } from "../support/lifecycle";
import { up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { World } from "../support/world";
import type { DynamicInitFailedError } from "../../src/dynamic/plugin-calls";
import { timeoutMs } from "../../src/lifecycle/objects/resource-call";
import { goDurationMs } from "../../src/time/duration";

describe("a timeout as a Go duration", () => {
  it.each([
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["1m30.5s", 90_500],
    [".5s", 500],
    ["1500ms", 1_500],
    ["0", undefined],
    ["0s", undefined], // Pulumi's word for "no other than usual"
  ])("%s", (text, ms) => {
    expect(timeoutMs({ create: text }, "create")).toBe(ms);
    expect(timeoutMs({ create: text }, "delete")).toBeUndefined();
  });

  it.each(["", "10", "soon", "5 m", "-5m", "5d", "5m!", 5, null])("%j is none", (text) => {
    expect(goDurationMs(text)).toBeUndefined();
  });
});

describe("when a connection has its own timeouts", () => {
  const world = World.forSuite();
  const type = "ConnectConnection";
  const inputs = (timeouts: object | undefined, args = {}): Record<string, unknown> => ({
    ...sent(type, "x", world.args(type, args), false),
    ...(timeouts && { __timeouts: timeouts }),
  });

  it("timeouts count from a call's start to its end", async () => {
    await world.fault({ method: "POST", path: "connections$", operation: "never" });
    const lifecycle = world.run().of(type);
    const checked = (await lifecycle.check({}, inputs({ create: "1m" }))).inputs;
    const before = world.clock.now();
    await expect(lifecycle.create(checked)).rejects.toThrow('was still "running" after 60 s');
    expect(world.clock.now() - before).toBeLessThanOrEqual(61_000);
  });

  it("limits a wait without an operation by timeouts", async () => {
    await world.fault({ method: "POST", path: "connections$", operation: "never" });
    const lifecycle = world.run().of(type);
    const checked = (await lifecycle.check({}, inputs({ create: "5s", update: "40s" }))).inputs;
    const initFailed = (await lifecycle.create(checked).catch((error: unknown) => error)) as DynamicInitFailedError;
    const resumed = world.run().of(type).update(initFailed.id, initFailed.properties, checked);
    await expect(resumed).rejects.toThrow(/still showed the status "creating" after (3\d|40) s/);
  });

  it.each([
    ["customTimeouts", { __timeouts: { delete: "30s" } }],
    ["retainOnDelete", { __retainOnDelete: true }],
  ])("a preview names the option %s if nothing else changes", async (option, own) => {
    const args = world.args(type);
    const { state } = await up(world.run(), type, { ...args, ...own }, undefined);
    const run = world.run();
    await preview(run, type, args, state);
    expect(run.texts()).toEqual([`only the option ${option} changes`]);
  });

  it("the outputs keep the timeouts for a later deletion", async () => {
    const lifecycle = world.run().of(type);
    const checked = (await lifecycle.check({}, inputs({ delete: "30s" }))).inputs;
    const { id, outs } = await lifecycle.create(checked);
    await world.fault({ method: "DELETE", path: "connections/", operation: "never" });
    await expect(world.run().of(type).delete(id, outs)).rejects.toThrow("after 30 s");
  });

  it("changes only the engine's state for new timeouts", async () => {
    const first = world.run().of(type);
    const olds = (await first.check({}, inputs(undefined))).inputs;
    const { id, outs } = await first.create(olds);
    const lifecycle = world.run().of(type);
    const news = (await lifecycle.check(olds, inputs({ delete: "30s" }))).inputs;
    expect(news).not.toEqual(olds);
    expect(await lifecycle.diff(id, outs, news)).toEqual({}); // the engine compares by itself, and sees it
    const before = (await world.requests()).length;
    const { outs: after } = await lifecycle.update(id, outs, news);
    expect((await world.requests()).slice(before)).toEqual(["GET /v1/networking/connect/connections/ID"]);
    expect(after["__timeouts"]).toEqual({ delete: "30s" });
    const again = world.run().of(type);
    const same = (await again.check(news, inputs({ delete: "30s" }))).inputs;
    expect(await again.diff(id, after, same)).toEqual({ changes: false });
  });
});
