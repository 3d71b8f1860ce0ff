import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asSecret } from "../../src/engine/values";
import { loaderOf } from "../../src/state/loader";
import { dynamicToken } from "../../src/engine/urn";
import { kinds, localKinds } from "../../src/resources/registry";
import { descriptorOf } from "../kinds";
import { sent } from "../support/lifecycle";
import { argsOf, World } from "../support/world";

const GOLDEN = join(__dirname, "golden", "state-shapes.json");
const [MARK = ""] = Object.keys(asSecret(""));

const world = World.forSuite();

/** Every argument of the kinds without an object at the API, so that every input is there. */
const local: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  CostSummary: { __registered: { urns: [], late: [] } },
  RotationSchedule: { period: "30d", retirePrevious: "first", movedIn: "2026-07-01T00:00:00Z" },
};

function tagged(type: string): object {
  return kinds.some((kind) => kind.type === type && "tags" in kind.policies) ? { tags: ["a"] } : {};
}

/** What a value is, and what is in it, without what it says. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  if (MARK in value) return { secret: shapeOf((value as unknown as { value: unknown }).value) };
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member)]));
}

async function stateOf(type: string): Promise<object> {
  const lifecycle = world.run().of(type);
  const isLocal = localKinds.some((kind) => kind.type === type);
  const args = isLocal
    ? local[type]
    : { ...argsOf(type, world.simulator), ...tagged(type), ...descriptorOf(type).others };
  const { inputs, failures } = await lifecycle.check({}, sent(type, "x", args ?? {}, false));
  expect(failures).toEqual([]);
  const { outs } = await lifecycle.create({ ...inputs, __provider: loaderOf(type) });
  return { token: dynamicToken(type), loader: loaderOf(type), inputs: shapeOf(inputs), outputs: shapeOf(outs) };
}

/** `UPDATE_GOLDEN=true npm test -- test/lifecycle/state-shapes` writes the file anew: what has changed is then to be read in the diff. */
it("users' states have the shapes of the golden file", async () => {
  const shapes: Record<string, object> = {};
  for (const { type } of [...kinds, ...localKinds]) shapes[type] = await stateOf(type);
  const text = `${JSON.stringify(shapes, undefined, 2)}\n`;
  if (process.env["UPDATE_GOLDEN"] === "true") writeFileSync(GOLDEN, text);
  expect(text).toBe(readFileSync(GOLDEN, "utf8"));
});
