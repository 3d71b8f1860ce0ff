import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { responseSchema } from "../../src/definition/response-schemas";
import { definitions } from "../../src/resources/definitions";
import { descriptorOf } from "../kinds";
import { quotaUse } from "../../src/lifecycle/preflight/quota-sums";
import { toWireUpdate } from "../../src/definition/wire";
import { flag, integer, object, oneOf } from "../../src/definition/field";
import { words } from "../../src/definition/enumeration";
import type { Definition } from "../../src/definition/types";
import { pluginCallsOf } from "../../src/dynamic/plugin-calls";
import { newKind } from "../../src/lifecycle/kind/kind";
import { vm } from "../../src/resources/vm";
import { volume, VOLUME_TYPE } from "../../src/resources/volume";
import { typeWords } from "../../tools/docs/field-words.cjs";
import { typeOf } from "../../tools/native/type-schema.cjs";
import { up } from "../support/mini-engine";
import { preview, refresh } from "../support/mini-refresh";
import type { TestRun } from "../support/lifecycle";
import { argsOf, World } from "../support/world";
import { otherStorage, storage } from "../kinds/volume";

const world = World.forSuite();

/** A run with a made-up version of a kind. */
function runWith(definition: Definition): TestRun {
  const run = world.run();
  const kind = newKind(definition);
  return { ...run, of: (type) => (type === kind.type ? pluginCallsOf(kind, () => run.run) : run.of(type)) };
}

const warningsOf = ({ lines }: TestRun): string[] =>
  lines.filter(({ severity }) => severity === "warning").map(({ text }) => text);

describe("a value that was renamed", () => {
  const kindsOfStorage = Object.fromEntries(VOLUME_TYPE.values.map((value) => [value, "Storage."]));
  const STORAGE = words("Storage", "A kind of storage.", kindsOfStorage, { disk: storage });
  const type = oneOf(STORAGE, { change: "replace", priced: true });
  const definition = { ...volume, inputs: { ...volume.inputs, type } };

  it("accepts a renamed value with a warning, and no difference", async () => {
    const run = runWith(definition);
    const { state } = await up(run, "Volume", { size: 10, type: "disk" }, undefined);
    expect(warningsOf(run)).toEqual([
      `type: "disk" is now called "${storage}". Both mean the same: write "${storage}"`,
    ]);
    expect(await world.made("Volume")).toMatchObject([{ type: storage }]);
    expect(state.outs["type"]).toBe("disk");
    const refreshed = (await refresh(runWith(definition), "Volume", state))!;
    expect(refreshed.outs).toEqual(state.outs);
    for (const spelling of ["disk", storage]) {
      const again = await preview(runWith(definition), "Volume", { size: 10, type: spelling }, refreshed);
      expect([spelling, again]).toEqual([spelling, { operation: "same", fields: [] }]);
    }
    const other = await preview(runWith(definition), "Volume", { size: 10, type: otherStorage }, refreshed);
    expect(other.operation).toBe("replace");
  });

  it("renames a value inside an object without a replacement", async () => {
    const bootVolume = object(
      { size: integer({ min: 1, growsOnly: true }), type: oneOf(STORAGE, { change: "replace" }) },
      { priced: true, shown: "maybe", part: vm.inputs.bootVolume.part! },
    );
    const changed = { ...vm, inputs: { ...vm.inputs, bootVolume } } as unknown as Definition;
    const args = { ...argsOf("Vm", world.simulator), bootVolume: { size: 64, type: "disk" } };
    const { state } = await up(runWith(changed), "Vm", args, undefined);
    const present = { ...args, bootVolume: { size: 70, type: storage } };
    expect((await preview(runWith(changed), "Vm", present, state)).operation).toBe("update");
    expect(quotaUse(changed, args, () => undefined)).toMatchObject({ "storage.abs": 64 });
  });

  it("a former name is deprecated in the schema and documented", () => {
    const types: Record<string, { readonly enum: readonly object[] }> = {};
    typeOf(type.type, "VolumeType", { text: "x" }, types);
    expect(types["cloudinfra:index:Storage"]?.enum).toContainEqual({
      ...{ name: "Disk", value: "disk", description: `The former name of \`${storage}\`.` },
      deprecationMessage: `Write \`${storage}\`.`,
    });
    expect(typeWords(type)).toBe(`\`${otherStorage}\`, \`${storage}\` (formerly \`disk\`)`);
  });
});

/** The states of the releases, each with the objects at the API at that time. */
const RECORDED = join(__dirname, "..", "fixtures", "states");

interface Recording {
  readonly objects: Readonly<Record<string, readonly object[]>>;
}

describe("a field that was added later", () => {
  const encrypted = flag({ default: false, omitsDefault: true });
  const definition = { ...volume, inputs: { ...volume.inputs, encrypted } } as unknown as Definition;
  const args = { size: 10, type: storage };

  it("works with an old API if the new field is unused", async () => {
    const { state } = await up(runWith(definition), "Volume", args, undefined);
    expect((await preview(runWith(definition), "Volume", args, state)).operation).toBe("same");
    expect((await up(runWith(definition), "Volume", { ...args, size: 20 }, state)).operation).toBe("update");
    await expect(up(runWith(definition), "Volume", { ...args, encrypted: true }, undefined)).rejects.toThrow(
      "encrypted",
    );
  });

  it("shows no difference in a state without the new field", async () => {
    const { state } = await up(world.run(), "Volume", args, undefined);
    expect(state.inputs).not.toHaveProperty("encrypted");
    expect(await preview(runWith(definition), "Volume", args, state)).toEqual({ operation: "same", fields: [] });
    const refreshed = (await refresh(runWith(definition), "Volume", state))!;
    expect(await preview(runWith(definition), "Volume", args, refreshed)).toEqual({ operation: "same", fields: [] });
    const kind = newKind(definition);
    expect(toWireUpdate(kind, { ...args, encrypted: true }, ["encrypted"], 0)).toEqual({ encrypted: true });
    expect(toWireUpdate(kind, { ...args, encrypted: false }, ["encrypted"], 0)).toEqual({ encrypted: false });
  });

  it.each(readdirSync(RECORDED))("accepts the objects that the API had at release %s", (version) => {
    const { objects } = JSON.parse(readFileSync(join(RECORDED, version, "everyday.json"), "utf8")) as Recording;
    const schemas = new Map(definitions.map((each) => [descriptorOf(each.type).collection, responseSchema(each)]));
    for (const [collection, held] of Object.entries(objects)) {
      expect(held.length).toBeGreaterThan(0);
      for (const object of held) expect(schemas.get(collection)?.safeParse(object).error).toBeUndefined();
    }
  });
});
