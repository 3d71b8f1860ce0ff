import { text } from "../../src/definition/field";
import { wireName, fromWire } from "../../src/definition/wire";
import type { ResourceKind } from "../../src/lifecycle/kind/kind";
import { kinds } from "../../src/resources/registry";
import { up } from "../support/mini-engine";
import { preview, refresh } from "../support/mini-refresh";
import type { WireObject } from "../support/world";
import { DriftBench, withoutMembers } from "./support/drift-fixture";
import { descriptorOf, harmless, madeTypes, withTwins } from "../kinds";
import type { Drift } from "../kinds/descriptor";
import { definitionOf } from "../kinds/support/claims";

const bench = DriftBench.forSuite();

/** The object without the members that the API sets, because they differ in a new object and after an update. */
function wanted({ computed }: ResourceKind, object: WireObject): Record<string, unknown> {
  const own = ["id", "name", ...computed.map((name) => wireName(name, text()))];
  return Object.fromEntries(Object.entries(object).filter(([member]) => !own.includes(member)));
}

function withField(values: object, field: string, { shown }: Drift): Record<string, unknown> {
  return { ...withoutMembers([field], values), ...(shown !== undefined && { [field]: shown }) };
}

describe.each(kinds.map((kind) => [kind.type, kind] as const))("when an object of %s has changed", (type, kind) => {
  const inputs = Object.entries(descriptorOf(type).inputDrifts);
  const driftsOfInputs = inputs.filter((row): row is [string, Drift] => typeof row[1] !== "string");
  const driftsOfOutputs = Object.entries(descriptorOf(type).outputDrifts).filter(
    (row): row is [string, Drift] => typeof row[1] !== "string",
  );

  const derivedOutputs = Object.entries(descriptorOf(type).outputDrifts).flatMap(([field, row]) =>
    row === "follows from the objects around it" ? [field] : [],
  );

  it("tests the drift of every field", () => {
    expect(inputs.map(([field]) => field).sort()).toEqual(Object.keys(kind.fields).sort());
    expect(Object.keys(descriptorOf(type).outputDrifts).sort()).toEqual([...kind.computed].sort());
  });

  it("expects exactly the hidden fields of the API", async () => {
    const { id } = await bench.made(type);
    const shown = fromWire(kind, { ...(await bench.shownAtApi(type, id)), starts_at: "2026-06-15T12:00:00Z" });
    const absent = Object.keys(kind.fields).filter((field) => shown[field] === undefined);
    expect(absent.sort()).toEqual(
      inputs
        .flatMap(([field, row]) => (row === "not at the API" || row === "at its own endpoint" ? [field] : []))
        .sort(),
    );
  });

  it.each(driftsOfInputs)("shows only the changed %s in refresh and preview", async (field, row) => {
    const state = await bench.made(type);
    await bench.drift(type, state.id, row);
    const after = await bench.refreshed(type, state);
    // Fields that affect the price have a test of their own.
    const price = field in kind.pricedFields ? ["cost", "__unpriced", "__costBefore"] : [];
    const other = [...price, ...derivedOutputs];
    expect(withoutMembers(other, after.outs)).toEqual(
      withoutMembers(other, { ...withField(state.outs, field, row), ...row.follows }),
    );
    expect(withoutMembers(other, after.inputs)).toEqual(withoutMembers(other, withField(state.inputs, field, row)));
    const { operation, fields } = await preview(bench.world.run(), type, bench.argsFor(type), after);
    expect(operation).toBe(kind.fields[field]?.change ?? "update");
    expect(fields.filter((name) => !other.includes(name))).toEqual([field]);
  });

  it.each(driftsOfInputs)("restores a changed %s in an update", async (field, row) => {
    const state = await bench.made(type);
    const before = await bench.shownAtApi(type, state.id);
    await bench.drift(type, state.id, row);
    const outcome = await up(bench.world.run(), type, bench.argsFor(type), await bench.refreshed(type, state));
    expect(outcome.operation).toBe(kind.fields[field]?.change ?? "update");
    const { id } = outcome.state;
    expect(id === state.id).toBe(outcome.operation === "update");
    expect(wanted(kind, await bench.shownAtApi(type, id))).toEqual(wanted(kind, before));
    expect(await bench.held(type)).toHaveLength(1);

    const requests = (await bench.world.requests()).length;
    expect((await up(bench.world.run(), type, bench.argsFor(type), outcome.state)).operation).toBe("same");
    expect((await bench.world.requests()).slice(requests)).toEqual([]);
  });

  const others = madeTypes.includes(type) ? driftsOfInputs.filter(([field]) => !(field in harmless(type, "new"))) : [];
  if (others.length > 0)
    it.each(others)("warns of a changed %s when another field is updated", async (field, row) => {
      const state = await bench.made(type);
      await bench.drift(type, state.id, row);
      const run = bench.world.run();
      await up(run, type, { ...bench.argsFor(type), ...harmless(type, "new") }, state);
      const warnings = run.warnings();
      const isRead = kind.fields[field]?.part === undefined; // an update of other fields does not read the parts
      expect(warnings).toEqual(
        isRead
          ? [expect.stringContaining(`showed another value than your program already before this update: ${field}`)]
          : [],
      );
    });

  it.each(driftsOfOutputs)("shows only the changed output %s in a refresh", async (field, row) => {
    const state = await bench.made(type);
    await bench.drift(type, state.id, row);
    const after = await bench.refreshed(type, state);
    expect(after.outs).toEqual(withField(state.outs, field, row));
    expect(after.inputs).toEqual(state.inputs);
    expect(await preview(bench.world.run(), type, bench.argsFor(type), after)).toEqual({
      operation: "same",
      fields: [],
    });
    expect((await up(bench.world.run(), type, bench.argsFor(type), after)).operation).toBe("same");
  });
});

describe.each(madeTypes)("an object of %s", (type) => {
  const { inputs } = definitionOf(type);
  const itWithList = Object.values(inputs).some((field) => field.type.kind === "list") ? it : it.skip;
  itWithList("another order of an input list changes nothing", async () => {
    const state = await bench.made(type);
    const object = await bench.shownAtApi(type, state.id);
    const reversed = reverseLists(object);
    expect(reversed).not.toEqual(object);
    await bench.drift(type, state.id, { wire: reversed as Record<string, unknown> });
    // The API decides the order of other lists.
    const outputs = Object.keys(descriptorOf(type).outputDrifts);
    const { outs } = await bench.refreshed(type, state);
    expect(withoutMembers(outputs, outs)).toEqual(withoutMembers(outputs, state.outs));
  });

  it("creates a deleted object again after a refresh", async () => {
    const state = await bench.made(type);
    await bench.delete(type, state.id);
    expect(await refresh(bench.world.run(), type, state)).toBeUndefined();
    const { operation, state: again } = await up(bench.world.run(), type, bench.argsFor(type), undefined);
    expect([operation, again.id === state.id]).toEqual(["create", false]);
    expect((await up(bench.world.run(), type, bench.argsFor(type), again)).operation).toBe("same");
  });

  const itWithTwin = withTwins.includes(type) ? it : it.skip;
  itWithTwin("leaves an object that somebody else has made again", async () => {
    const state = await bench.made(type);
    const object = await bench.shownAtApi(type, state.id);
    await bench.delete(type, state.id);
    const theirs = {
      ...object,
      id: "00000000-0000-4000-8000-0000000000bb",
      ...("tags" in object && { tags: ["theirs"] }),
    };
    await bench.place(type, theirs);
    expect(await refresh(bench.world.run(), type, state)).toBeUndefined();
    const again = (await up(bench.world.run(), type, bench.argsFor(type), undefined)).state;
    expect([state.id, theirs.id]).not.toContain(again.id);
    expect(await bench.shownAtApi(type, theirs.id)).toEqual(theirs);
    expect((await bench.shownAtApi(type, again.id)).tags).toEqual(object.tags);
  });

  it("an update of a deleted object fails, a deletion succeeds", async () => {
    const state = await bench.made(type);
    await bench.delete(type, state.id);
    const changed = { ...bench.argsFor(type), ...harmless(type, "new") };
    await expect(up(bench.world.run(), type, changed, state)).rejects.toThrow(
      /update .* "x".*failed: 404[\s\S]*no longer/,
    );
    await expect(bench.world.run().of(type).delete(state.id, state.outs)).resolves.toBeUndefined();
  });
});

function reverseLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.toReversed();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, reverseLists(inner)]));
}

it("replaces a connection whose external provider is missing", async () => {
  const type = "ConnectConnection";
  const state = await bench.made(type);
  await bench.drift(type, state.id, { wire: { external_provider: null } });
  const after = await bench.refreshed(type, state);
  expect(withoutMembers(["cost"], after.outs)).toEqual(withoutMembers(["cost", "externalProvider"], state.outs));
  expect(await preview(bench.world.run(), type, bench.argsFor(type), after)).toEqual({
    operation: "replace",
    fields: ["externalProvider"],
  });
  const outcome = await up(bench.world.run(), type, bench.argsFor(type), after);
  expect((await bench.shownAtApi(type, outcome.state.id))["external_provider"]).toEqual({ region: "us-west-2" });
  expect(outcome.state.outs["externalProvider"]).toEqual({ accountId: "123456789012", region: "us-west-2" });
});

it("reports the status in a refresh only if it changed", async () => {
  const type = "FirewallRule";
  const state = await bench.made(type);
  const quiet = bench.world.run();
  await refresh(quiet, type, state);
  expect(quiet.lines).toEqual([]);
  await bench.drift(type, state.id, { wire: { status: "error" } });
  const run = bench.world.run();
  await refresh(run, type, state);
  expect(run.texts()).toEqual(["status: ready → error"]);
});

it("keeps a renamed object's name under ignoreChanges", async () => {
  const type = "FirewallRule";
  const state = await bench.made(type);
  await bench.drift(type, state.id, { wire: { name: "theirs" } });
  const ignoring = { ...bench.argsFor(type), name: "theirs" }; // what the engine puts there
  const { operation, state: after } = await up(bench.world.run(), type, ignoring, await bench.refreshed(type, state));
  expect(operation).toBe("same");
  expect((await up(bench.world.run(), type, bench.argsFor(type), after)).operation).toBe("update");
  expect((await bench.shownAtApi(type, state.id)).name).toBe(state.outs["name"]);
});

it("names in an update a volume that was detached outside", async () => {
  const type = "Volume";
  const vm = await bench.made("Vm");
  const args = { ...bench.argsFor(type), vmId: vm.id };
  const { state } = await up(bench.world.run(), type, args, undefined);
  await bench.drift(type, state.id, { wire: { vm_id: null } });
  const run = bench.world.run();
  await up(run, type, { ...args, size: 200 }, state);
  expect(run.warnings()).toEqual([expect.stringContaining("before this update: vmId")]);
});
