import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../src/definition/compare-values";
import { asSecret } from "../../src/engine/values";
import { loaderOf } from "../../src/state/loader";
import { kinds, localKinds } from "../../src/resources/registry";
import { descriptorOf } from "../kinds";
import { sent } from "../support/lifecycle";
import { World } from "../support/world";

const GOLDEN = join(__dirname, "golden", "state-shapes.json");
const DIMENSION =
  "{ dimension: string, displayName: string, monthlyAmount: string, quantity: number, unitPrice: string }";
const [MARK = ""] = Object.keys(asSecret(""));

const world = World.forSuite();

/** Every argument of the kinds without an object at the API, so that every input is there. */
const local: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  CostSummary: { __registered: { urns: [], late: [] } },
  RotationSchedule: { period: "30d", retirePrevious: "first", movedIn: "2026-07-01T00:00:00Z" },
};

function tagged(type: string): object {
  return kinds.some((kind) => kind.type === type && "tags" in kind.fields) ? { tags: ["a"] } : {};
}

/** The types of a value and of its members: `[{ size: number }]`. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.slice(0, 1).map(shapeOf).join()}]`;
  if (!isRecord(value)) return value === null ? "null" : typeof value;
  if (MARK in value) return `secret ${shapeOf(value["value"])}`;
  const members = Object.entries(shapesOf(value)).map((member) => member.join(": "));
  return `{ ${members.join(", ")} }`.replace(DIMENSION, "Dimension");
}

/** The shape of each member, those of an object of objects as `object.member`. */
function shapesOf(value: object): Record<string, string> {
  const members = Object.entries(value).flatMap(([name, member]) =>
    isRecord(member) && Object.values(member).some(isRecord)
      ? Object.entries(shapesOf(member)).map(([inner, shape]) => [`${name}.${inner}`, shape] as const)
      : [[name, shapeOf(member)] as const],
  );
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The shapes of a resource in the state. Of the outputs, those that are not as the input. */
async function stateOf(type: string): Promise<object> {
  const lifecycle = world.run().of(type);
  const isLocal = localKinds.some((kind) => kind.type === type);
  const args = isLocal ? local[type] : world.args(type, { ...tagged(type), ...descriptorOf(type).others });
  const { inputs, failures } = await lifecycle.check({}, sent(type, "x", args ?? {}, false));
  expect(failures).toEqual([]);
  const fields = kinds.find((kind) => kind.type === type)?.inputs ?? {};
  // A field that is changed by an action may need another object.
  const missing = Object.entries(fields).flatMap(([name, { actions }]) => (actions || name in inputs ? [] : [name]));
  expect([type, "give in `others` of the descriptor", missing]).toEqual([type, expect.any(String), []]);
  const { outs } = await lifecycle.create({ ...inputs, __provider: loaderOf(type) });
  const [before, after] = [shapesOf(inputs), shapesOf(outs)];
  const none = Object.fromEntries(Object.keys(before).map((name) => [name, "none"]));
  const others = Object.entries({ ...none, ...after }).filter(([name, shape]) => before[name] !== shape);
  return { inputs: before, outputs: Object.fromEntries(others) };
}

/**
 * `UPDATE_GOLDEN=true npm test -- test/lifecycle/state-shapes` writes the file anew: what has changed is then to be
 * read in the diff.
 */
it("keeps the shape of users' states", async () => {
  const shapes: Record<string, object> = {};
  for (const { type } of [...kinds, ...localKinds]) shapes[type] = await stateOf(type);
  const text = `${JSON.stringify(shapes, undefined, 2)}\n`;
  if (process.env["UPDATE_GOLDEN"] === "true") writeFileSync(GOLDEN, text);
  expect(text).toBe(readFileSync(GOLDEN, "utf8"));
});
