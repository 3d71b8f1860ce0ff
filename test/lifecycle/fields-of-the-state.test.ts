import { MiniStack } from "../support/mini-engine";
import { World } from "../support/world";

// Some inputs, such as `lifetime` and `rotationTrigger`, exist only between check and the state: the API shows none of
// them.
const args = { permissions: [{ resourceType: "vm", permission: "edit" }], lifetime: "90d", rotationTrigger: 1 };
const world = World.forSuite();

it("recreates a key with a given name after a lost answer", async () => {
  await world.fault({ method: "POST", path: "/v1/api_keys$", drop: "after" });
  const program = [{ type: "ApiKey", name: "x", args: () => ({ ...args, name: "mine" }) }];
  const stack = new MiniStack();
  const { failures } = await stack.up(world.run(), program);
  expect(failures).toEqual([]);
  const made = (await world.objects("ApiKey")).filter(({ name }) => name === "mine");
  expect(made.map(({ id }) => id)).toEqual([stack.stateOf("x").id]);
});

it("replaces an adopted key if rotationTrigger changes", async () => {
  const stack = new MiniStack();
  const { id, key } = await world.api("POST", "/v1/api_keys", {
    name: "old",
    expires_at: "2026-09-01T00:00:00Z",
    project_ids: [world.simulator.projectId],
    permissions: [{ resource_type: "vm", permission: "edit" }],
  });
  const up = async (rotationTrigger: number): Promise<unknown> => {
    const program = [{ type: "ApiKey", name: "x", args: () => ({ ...args, rotationTrigger, adopt: { id, key } }) }];
    const { failures, operations } = await stack.up(world.run(), program);
    expect(failures).toEqual([]);
    return operations.get("x");
  };
  expect(await up(1)).toBe("create");
  expect(stack.stateOf("x")).toMatchObject({ id, outs: { key, rotationTrigger: 1 } });
  expect(await up(1)).toBe("same");
  expect(await up(2)).toBe("replace");
  expect(stack.stateOf("x").id).not.toBe(id);
});
