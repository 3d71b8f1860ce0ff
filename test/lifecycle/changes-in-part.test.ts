import { MiniStack } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import type { Declared, StackRun } from "../support/mini-state";
import type { TestRun } from "../support/lifecycle";
import { argsOf, World } from "../support/world";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterEach(() => world.reset());
afterAll(() => world.close());

const TOO_MUCH = 20_000;

const program = (boot: number, data: number): readonly Declared[] => [
  {
    type: "Vm",
    name: "x",
    args: () => ({
      ...argsOf("Vm", world.simulator),
      bootVolume: { size: boot, type: "abs" },
      dataVolumes: [{ name: "data", size: data, type: "abs" }],
    }),
  },
];

/** A stack with a VM of 64 and 10 GB, whose growth to 100 and 20,000 GB was made in part. */
async function madeInPart(refused: TestRun = world.run({ preflight: "off" })): Promise<MiniStack> {
  const stack = new MiniStack();
  await stack.up(world.run(), program(64, 10));
  await stack.up(refused, program(100, TOO_MUCH));
  return stack;
}

const textsOf = ({ lines }: TestRun): readonly string[] => lines.map(({ text }) => text);
const failureOf = ({ failures }: StackRun): string => (failures[0]?.error as Error | undefined)?.message ?? "";

it("when the API makes nothing of a change, the state is that of before", async () => {
  const stack = new MiniStack();
  await stack.up(world.run(), program(64, 10));
  const before = stack.resources;
  expect(failureOf(await stack.up(world.run({ preflight: "off" }), program(64, TOO_MUCH)))).toContain("quota");
  expect(stack.resources).toEqual(before);
});

describe("when the API makes a part of a change and refuses the rest", () => {
  it("the failure says so, and the state has that part with its cost", async () => {
    const run = world.run({ preflight: "off" });
    const stack = await madeInPart(run);
    expect(textsOf(run)).toEqual([]);
    const { outs, hasInitError } = stack.resources[0]!;
    expect(hasInitError).toBe(true);
    expect(outs).toMatchObject({ bootVolume: { size: 100 }, dataVolumes: [{ name: "data", size: 10 }] });
    expect(outs["cost"]).toMatchObject({ monthlyTotal: "54.80" });
  });

  it("and it cannot be read, a warning says that the state is that of before", async () => {
    const stack = new MiniStack();
    await stack.up(world.run(), program(64, 10));
    const before = stack.resources;
    // After the reads of the VM before each of its two volumes, and after the growth of the first.
    await world.fault({ method: "GET", path: "/vms/[^/]+$", status: 403, every: 3 });
    const run = world.run({ preflight: "off" });
    expect(failureOf(await stack.up(run, program(100, TOO_MUCH)))).toContain("quota");
    expect(textsOf(run)).toEqual([expect.stringContaining("Run `pulumi refresh`: until then, the state and its cost")]);
    expect(stack.resources).toEqual(before);
  });

  it("the next preview has the rest of it, and the cost of what is there", async () => {
    const [kept] = (await madeInPart()).resources;
    const run = world.run();
    const [vm] = program(100, 20);
    expect(
      (
        await preview(
          run,
          "Vm",
          vm!.args(() => kept!),
          kept!,
        )
      ).operation,
    ).toBe("update");
    expect(textsOf(run)).toEqual(["$54.80/mo → $55.80/mo (+$1.00/mo)"]);
  });

  it("a refresh makes it an ordinary resource", async () => {
    const stack = await madeInPart();
    expect(await stack.refresh(world.run())).toEqual([]);
    const { inputs, outs } = stack.stateOf("x");
    expect(inputs).toMatchObject({ bootVolume: { size: 100 }, dataVolumes: [{ size: 10 }] });
    expect([inputs, outs]).toMatchObject([{ cost: { monthlyTotal: "54.80" } }, { cost: { monthlyTotal: "54.80" } }]);
  });

  it("a smaller change than the refused one is possible, and one that is too small is not", async () => {
    const stack = await madeInPart();
    expect(failureOf(await stack.up(world.run(), program(64, 10)))).toContain(
      "bootVolume.size: cannot become smaller: the VM has 100, the program says 64.",
    );
    const run = world.run();
    const { failures, operations } = await stack.up(run, program(100, 20));
    expect([failures, operations.get("x")]).toEqual([[], "update"]);
    expect(stack.stateOf("x").outs).toMatchObject({ bootVolume: { size: 100 }, dataVolumes: [{ size: 20 }] });
    expect((await stack.up(world.run(), program(100, 20))).operations.get("x")).toBe("same");
  });
});
