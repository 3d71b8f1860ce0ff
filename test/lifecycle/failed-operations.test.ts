import { MiniStack } from "../support/mini-engine";
import { argsOf, World } from "../support/world";

const type = "ConnectConnection";
const path = "/v1/networking/connect/connections";

let world: World;
let stack: MiniStack;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => {
  stack = new MiniStack();
});
afterEach(() => world.reset());
afterAll(() => world.close());

/** An update to a program with one connection, or with none; what failed, and the operation that was done. */
async function up(args?: object): Promise<{ readonly failed: string[]; readonly did: string | undefined }> {
  const program = args && { type, name: "link", args: () => ({ ...argsOf(type, world.simulator), ...args }) };
  const { failures, operations } = await stack.up(world.run(), program ? [program] : []);
  return { failed: failures.map(({ error }) => (error as Error).message), did: operations.get("link") };
}

/** State and API have this one connection, with these tags. */
async function expectOne(tags: readonly string[] = []): Promise<void> {
  const { id, outs } = stack.stateOf("link");
  expect(outs).toMatchObject({ status: "ready", tags });
  expect(await world.made(type)).toEqual([expect.objectContaining({ id, status: "ready", tags })]);
}

describe("when an operation fails at the API", () => {
  it("a creation: the update fails on the resource, and the half-made object is kept in the state; the next update without the fault makes it good", async () => {
    await world.fault({ method: "POST", path: `${path}$`, operation: "fail" });
    expect((await up({})).failed).toEqual([
      expect.stringMatching(
        /^create connect connection "link": the API accepted it, but create connect_connection .* failed/,
      ),
    ]);
    expect([stack.stateOf("link").id]).toEqual((await world.made(type)).map(({ id }) => id));

    expect(await up({})).toEqual({ failed: [], did: "replace" });
    await expectOne();
  });

  it("an update: it fails on the resource, the state stays as it was, and the next update makes it good", async () => {
    await up({});
    await world.fault({ method: "PATCH", path: `${path}/`, operation: "fail" });
    expect((await up({ tags: ["new"] })).failed).toEqual([
      expect.stringMatching(/^update connect connection "link": .* failed/),
    ]);
    await expectOne([]);
    expect(await up({ tags: ["new"] })).toEqual({ failed: [], did: "update" });
    await expectOne(["new"]);
  });

  it("a deletion: it fails on the resource, which stays in the state, and the next destroy makes it good", async () => {
    await up({});
    await world.fault({ method: "DELETE", path: `${path}/`, operation: "fail" });
    expect((await up()).failed).toEqual([expect.stringMatching(/^delete connect connection "link": .* failed/)]);
    await expectOne();
    expect(await up()).toEqual({ failed: [], did: "delete" });
    expect([stack.resources, await world.made(type)]).toEqual([[], []]);
  });
});
