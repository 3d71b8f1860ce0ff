import { up } from "../support/mini-engine";
import { argsOf, World } from "../support/world";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const withVolumes = (boot: number, data: number): object => ({
  ...argsOf("Vm", world.simulator),
  bootVolume: { size: boot, type: "abs" },
  dataVolumes: [{ name: "data", size: data, type: "abs" }],
});

it("when the API makes a part of a change and refuses the rest, a warning says that the state has none of it", async () => {
  const { state } = await up(world.run(), "Vm", withVolumes(64, 10), undefined);
  const warningsOf = async (boot: number): Promise<readonly string[]> => {
    const run = world.run({ preflight: "off" });
    await expect(up(run, "Vm", withVolumes(boot, 20_000), state)).rejects.toThrow("quota");
    return run.lines.flatMap(({ severity, text }) => (severity === "warning" ? [text] : []));
  };
  expect(await warningsOf(64)).toEqual([]);
  expect(await warningsOf(100)).toEqual([
    "The API had made a part of this change before it failed. Run `pulumi refresh`: until then, the state and its cost are those of before",
  ]);
});
