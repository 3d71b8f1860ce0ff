import { fieldSchemas } from "../../src/dynamic/fields";
import { UNKNOWN } from "../../src/dynamic/engine-values";
import { kinds } from "../../src/resources/registry";
import { sent } from "../support/lifecycle";
import { argsOf, World } from "../support/world";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

describe.each(kinds.map((kind) => [kind.type, kind] as const))("%s", (type, kind) => {
  it("when all that the price cannot depend on is not known yet, the service still quotes it", async () => {
    const args = argsOf(type, world.simulator);
    const unpriced = Object.entries(kind.policies).filter(([, { priced }]) => !priced);
    const unknown = Object.fromEntries(unpriced.filter(([field]) => field in args).map(([field]) => [field, UNKNOWN]));
    const run = world.run();
    const { failures } = await run.of(type).check({}, sent(type, "x", { ...args, ...unknown, name: UNKNOWN }));
    expect(failures).toEqual([]);
    expect(run.lines.map(({ text }) => text)).toEqual([expect.stringMatching(/^\+\$\d+\.\d\d\/mo$/)]);
  });

  it("every field that is required and unpriced has a placeholder of its own form", () => {
    const schemas = kind.fields(fieldSchemas);
    for (const [field, policy] of Object.entries(kind.policies)) {
      if (policy.priced || schemas[field]?.safeParse(undefined).success === true) continue;
      expect([field, schemas[field]?.safeParse(policy.placeholder(world.clock.now())).success]).toEqual([field, true]);
    }
  });
});
