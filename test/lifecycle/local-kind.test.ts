import { pluginCallsOf, type PluginCalls } from "../../src/dynamic/plugin-calls";
import { text } from "../../src/definition/field";
import type { LocalKind } from "../../src/lifecycle/local/local-kind";
import { createRun } from "../../src/lifecycle/run/run";
import { sent, urnOf, type RowLine } from "../support/lifecycle";
import { VirtualClock } from "../support/virtual-clock";

/** Counts how often its input was changed. */
const counter: LocalKind = {
  type: "Counter",
  args: { text: text() },
  fields: ["text", "changes"],
  plan: ({ text: given }, { previous }) => {
    const before = Number(previous?.["changes"] ?? -1);
    const isNew = previous?.["text"] !== given;
    const findings =
      given === "wrong" ? [{ severity: "failure" as const, field: "text", reason: "must not be wrong" }] : [];
    return Promise.resolve({
      inputs: { changes: isNew ? before + 1 : before },
      findings,
      line: isNew ? `counts ${String(given)}` : undefined,
    });
  },
};
let lines: RowLine[];
let lifecycle: PluginCalls;

beforeEach(() => {
  lines = [];
  // There is no configuration, so any request would fail.
  const run = createRun({
    config: () => undefined,
    environment: {},
    clock: new VirtualClock(),
    rows: {
      line: (urn, severity, text) => Promise.resolve(void lines.push({ urn, severity, text })),
      status: () => undefined,
    },
  });
  lifecycle = pluginCallsOf(counter, () => run);
});

const inputsOf = async (text: string, olds: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
  (await lifecycle.check(olds, sent("Counter", "x", { text }))).inputs;

it("a local kind gets its values in check", async () => {
  const inputs = await inputsOf("one");
  expect(inputs).toMatchObject({ text: "one", changes: 0 });
  expect(inputs).not.toHaveProperty("__program"); // or the update would not keep to its preview's plan
  expect(lines).toEqual([{ urn: urnOf("Counter", "x"), severity: "info", text: "counts one" }]);
  expect(await lifecycle.create(inputs)).toEqual({ id: "x", outs: inputs });
});

it("finds no difference without a change", async () => {
  const inputs = await inputsOf("one");
  const again = await inputsOf("one", inputs);
  expect(again).toEqual(inputs);
  expect(await lifecycle.diff("x", inputs, { ...again, __provider: "another" })).toEqual({ changes: false });
});

it("keeps changed values in an update", async () => {
  const inputs = await inputsOf("one");
  const news = await inputsOf("two", inputs);
  expect(news).toMatchObject({ changes: 1 });
  expect(await lifecycle.diff("x", inputs, news)).toEqual({});
  expect(await lifecycle.update("x", inputs, news)).toEqual({ outs: news });
});

it("reads and deletes a local kind without a request", async () => {
  const inputs = await inputsOf("one");
  expect(await lifecycle.read("x", inputs)).toEqual({ id: "x", props: inputs, inputs });
  await expect(lifecycle.delete("x", inputs)).resolves.toBeUndefined();
});

it("fails in check if its plan finds a fault", async () => {
  const { failures } = await lifecycle.check({}, sent("Counter", "x", { text: "wrong" }));
  expect(failures).toEqual([{ property: "", reason: "text: must not be wrong" }]);
});

it("refuses an unknown argument, and takes its own outputs", async () => {
  const inputs = sent("Counter", "x", { txet: 1, text: "one", changes: 7 });
  expect((await lifecycle.check({}, inputs)).failures).toEqual([
    { property: "", reason: "txet: is no argument of Counter. Did you mean text?" },
  ]);
});
