import { UNKNOWN } from "../../src/engine/values";
import { sent, type RowLine, type TestRun } from "../support/lifecycle";
import { MiniStack, up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { World } from "../support/world";
import { sampleOf } from "../kinds";
import { storage } from "../kinds/volume";

const world = World.forSuite();

/** What a preview of a new resource warns of. It has to pass. */
async function warnings(run: TestRun, type: string, args: object = {}, name = "x"): Promise<RowLine[]> {
  const { failures } = await run.of(type).check({}, sent(type, name, world.args(type, args)));
  expect(failures).toEqual([]);
  await run.run.quotaSums.warn();
  return run.lines.filter(({ severity }) => severity === "warning");
}

it("warns if a region has no capacity", async () => {
  await world.runOut({ "us-sva-2": ["compute.vcpu"] });
  const words = "us-sva-2 has no capacity for more vcpu now";
  expect((await warnings(world.run(), "Vm")).map(({ text }) => text)).toEqual([
    expect.stringMatching(
      new RegExp(`^no capacity in us-sva-2 now: update later, or choose another region or type \\(.*${words}`),
    ),
  ]);
  const create = (): Promise<unknown> => up(world.run(), "Vm", world.args("Vm"), undefined);
  await expect(create()).rejects.toThrow(words);
  await expect(create()).rejects.toThrow(
    "There is no capacity now: run again later, or choose another region or type.",
  );
  expect(await world.made("Vm")).toEqual([]);

  await world.runOut({});
  expect(await warnings(world.run(), "Vm")).toEqual([]);
  await create();
  expect(await world.made("Vm")).toHaveLength(1);
});

it.each([
  ["a whole quota", 900_000, "is larger than a whole quota of us-sva-2: ABS storage (GB): 900000 of 10000"],
  ["the API's maximum", 2_000_000, "the API refuses it: size: must be at most 1000000"],
])("refuses a volume larger than %s once", async (_case, size, reason) => {
  const run = world.run();
  const args = world.args("Volume", { size });
  const { failures } = await run.of("Volume").check({}, sent("Volume", "x", args));
  expect(failures.map((failure) => failure.reason)).toEqual([expect.stringContaining(reason)]);
  expect(run.lines).toEqual([]);
});

it("warns of a volume larger than the remaining quota", async () => {
  await up(world.run(), "Volume", sampleOf("Volume", { size: 6_000 }), undefined);
  const run = world.run();
  expect((await warnings(run, "Volume", { size: 6_000 })).map(({ text }) => text.split(":")[0])).toEqual([
    "the API could not do it now",
    "The quotas of us-sva-2 have no room for everything that this program adds",
  ]);
});

it("counts the growth of a volume", async () => {
  const volume = (size: number, tags: readonly string[] = [], type: string = storage): object => ({ size, type, tags });
  await up(world.run(), "Volume", volume(3_000), undefined);
  const { state } = await up(world.run(), "Volume", volume(6_000), undefined);
  const previewed = async (args: object): Promise<{ text: string; requests: string[] }> => {
    const [run, before] = [world.run(), (await world.requests()).length];
    await preview(run, "Volume", args, state);
    await run.run.quotaSums.warn();
    const requests = (await world.requests()).slice(before).filter((request) => !request.endsWith("/cost"));
    return { text: run.texts().join("\n"), requests };
  };

  expect((await previewed(volume(7_000))).text).not.toContain("quotas of");
  // Nothing grows.
  expect((await previewed(volume(6_000, ["new"]))).requests).toEqual(["PATCH /v1/compute/volumes/ID/availability"]);
  expect((await previewed(volume(8_000))).text).toMatch(/ABS storage \(GB\) +10000 +9000 +2000 +1000/);
  await expect(previewed(volume(11_000))).rejects.toHaveProperty(
    "cause.message",
    expect.stringContaining("11000 of 10000"),
  );
});

it.each([
  ["answers 500", { status: 500 }],
  ["answers 403", { status: 403 }],
  ["answers with a page of HTML", { status: 200, body: "<html>hello</html>" }],
  ["is answered 400 by something else", { ingress: 400 }],
  ["breaks the connection", { drop: "before" }],
])("passes if an endpoint of the preflight %s", async (_case, effect) => {
  const program = async (run: TestRun): Promise<RowLine[]> => {
    await warnings(run, "Vpc", {}, "net");
    await warnings(run, "Vm", { subnetId: UNKNOWN }, "web");
    return warnings(run, "RpcNodeFlex", {}, "node");
  };
  for (const path of ["/availability$", "/quotas/", "/os_images$", "/instance_types$", "/v1/projects"])
    await world.fault({ path, ...effect, every: 1 });
  expect(await program(world.run())).not.toEqual([]);
  await world.clearFaults();
  expect(await program(world.run())).toEqual([]);

  const stack = new MiniStack();
  const declared = ["Vpc", "Vm", "RpcNodeFlex"].map((type) => world.declare(type, {}, type.toLowerCase()));
  const { failures } = await stack.up(world.run(), declared);
  expect(failures).toEqual([]);
  for (const { type, id } of stack.resources) expect(await world.ids(type)).toEqual([id]);
});
