import { exampleOf } from "../../src/definition/examples";
import { inputSchemas } from "../../src/definition/input-schemas";
import { UNKNOWN } from "../../src/engine/values";
import { definitions, kinds } from "../../src/resources/registry";
import { checkNew } from "../support/lifecycle";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

/** Kinds that the API never quotes. */
const unquoted = definitions.flatMap(({ type, isQuoted }) => (isQuoted === false ? [type] : []));

describe.each(kinds.map((kind) => [kind.type, kind] as const))("%s", (type, kind) => {
  it("quotes while all fields without a price are unknown", async () => {
    const args = argsOf(type, world.simulator);
    const unpriced = Object.keys(kind.fields).filter((field) => !(field in kind.pricedFields));
    const unknown = Object.fromEntries(unpriced.filter((field) => field in args).map((field) => [field, UNKNOWN]));
    const run = world.run();
    const { failures, inputs } = await checkNew(run, type, { ...args, ...unknown, name: UNKNOWN });
    expect(failures).toEqual([]);
    if (unquoted.includes(type)) {
      expect(inputs["cost"]).toBeUndefined();
      expect((await world.requests()).filter((request) => request.endsWith("/cost"))).toEqual([]);
      expect(run.texts()).toEqual(["no quote offered for this kind of resource"]);
      return;
    }
    expect(inputs["cost"]).toMatchObject({ monthlyTotal: expect.stringMatching(/^\d/) as string });
    expect(run.lines.filter(({ text }) => !/^\+\$\d+\.\d\d\/mo$/.test(text))).toEqual([]);
  });

  it("quotes in the configured project for an unknown one", async () => {
    const fields = Object.keys(kind.fields).filter((field) => kind.fields[field]?.names === "project");
    if (unquoted.includes(type) || fields.length === 0) return;
    const given = argsOf(type, world.simulator);
    const unknown = fields.map((field) => [field, field === "projectIds" ? [UNKNOWN] : UNKNOWN] as const);
    const args: Record<string, unknown> = { ...given, ...Object.fromEntries(unknown) };
    const known = await checkNew(world.run(), type, given);
    const { failures, inputs } = await checkNew(world.run(), type, args);
    expect([failures, inputs["cost"]]).toEqual([[], known.inputs["cost"]]);
    expect(fields.map((field) => inputs[field])).toEqual(fields.map((field) => args[field]));
  });

  it("each required unpriced field has a fitting placeholder", () => {
    const schemas = inputSchemas(kind);
    for (const [name, field] of Object.entries(kind.fields)) {
      if (name in kind.pricedFields || schemas[name]?.safeParse(undefined).success === true) continue;
      expect([name, schemas[name]?.safeParse(exampleOf(field, world.clock.now())).success]).toEqual([name, true]);
    }
  });
});
