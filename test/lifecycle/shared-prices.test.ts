import { UNKNOWN } from "../../src/engine/values";
import { sent, type TestRun } from "../support/lifecycle";
import { MiniStack, up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { World, NOWHERE } from "../support/world";

const world = World.forSuite();

const quotes = async (): Promise<number> => (await world.requests()).filter((text) => text.endsWith("/cost")).length;

/** Another project of the organization. */
const anotherProject = async (): Promise<string> =>
  String((await world.api("POST", "/v1/projects", { name: "another", tags: [] }))["id"]);

/** What check says of a new volume. */
async function checked(
  run: TestRun,
  name: string,
  own: object,
  isPreview = false,
): Promise<{ perMonth: unknown; reasons: string[] }> {
  const args = world.args("Volume", { vmId: undefined, ...own });
  const { inputs, failures } = await run.of("Volume").check({}, sent("Volume", name, args, isPreview));
  const { cost } = inputs as { readonly cost?: { readonly monthlyTotal: string } };
  return { perMonth: cost?.monthlyTotal, reasons: failures.map(({ reason }) => reason) };
}

it("resources that differ in their project share a quote", async () => {
  const run = world.run();
  const projectId = await anotherProject();
  const prices = [
    await checked(run, "a", {}),
    await checked(run, "b", { projectId }),
    await checked(run, "c", { projectId, size: 50 }),
  ].map(({ perMonth }) => perMonth);
  expect(prices[0]).toEqual(expect.any(String));
  expect(prices[1]).toBe(prices[0]);
  expect(prices[2]).not.toBe(prices[0]);
  expect(await quotes()).toBe(2);
});

it("quotes in another project if the first one is refused", async () => {
  const forbidden = { projectId: await anotherProject() };
  const run = world.run({ apiKey: await world.keyWith(["volume:edit"]) });
  expect((await checked(run, "a", forbidden)).perMonth).toBeUndefined();
  expect((await checked(run, "b", forbidden)).perMonth).toBeUndefined();
  expect(await quotes()).toBe(1);
  expect((await checked(run, "c", {})).perMonth).toEqual(expect.any(String));
  expect(await quotes()).toBe(2);
});

it("a shared price does not show that a project exists", async () => {
  const run = world.run();
  const open = { vmId: UNKNOWN }; // so the body is not complete, and is not shown to the API
  expect((await checked(run, "a", open, true)).reasons).toEqual([]);
  expect((await checked(run, "b", { ...open, projectId: NOWHERE }, true)).reasons).toEqual([
    expect.stringMatching(/^projectId: there is no project ".*dead"/),
  ]);
  expect(await quotes()).toBe(1);
});

it("a replacement shows its body to the API once", async () => {
  const args = world.args("ConnectConnection", { bandwidthMbps: 50 });
  const { state } = await up(world.run(), "ConnectConnection", args, undefined);
  const before = await quotes();
  const changed = { ...args, bandwidthMbps: 500 };
  expect(await preview(world.run(), "ConnectConnection", changed, state)).toMatchObject({ operation: "replace" });
  expect((await quotes()) - before).toBe(1);
});

it("resources of one price share a quote in an update", async () => {
  const links = ["first", "second", "third"].map((name, index) => ({
    ...{ type: "ConnectConnection", name },
    args: () => world.args("ConnectConnection", { bandwidthMbps: 50, cidrs: [`10.${index}.0.0/16`] }),
  }));
  const run = world.run();
  for (const { type, name, args } of links) await run.of(type).check({}, sent(type, name, args()));
  expect(await quotes()).toBe(3); // what it would refuse is in the body
  expect(run.texts()).toEqual(links.map(() => "+$78.13/mo"));

  const stack = new MiniStack();
  expect((await stack.up(world.run(), links)).failures).toEqual([]);
  expect(await quotes()).toBe(4);
  for (const { outs } of stack.resources) expect(outs["cost"]).toMatchObject({ monthlyTotal: "78.125" });
});
