import { rewrite } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { plain } from "../support/mini-state";
import { argsOf, World, type WireObject } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const creations = { method: "POST", path: /^\/v1\/api_keys$/ };
const create = (): ReturnType<World["create"]> =>
  world.create("ApiKey", argsOf("ApiKey", world.simulator), { run: world.run({ baseUrl: proxy.url }) });

it.each(["pending", "creating", "updating", "ready"])("keeps the secret of a %s key", async (status) => {
  proxy.on(
    creations,
    rewrite((key) => ({ ...(key as WireObject), status })),
  );
  const { outs } = await create();
  expect(plain(outs["key"])).toEqual(expect.stringMatching(/./));
});

it.each([{ key: undefined }, { key: null }, { key: "" }])(
  "deletes a key that came with %j, and fails",
  async (without) => {
    proxy.on(
      creations,
      rewrite((key) => ({ ...(key as WireObject), ...without })),
    );
    await expect(create()).rejects.toThrow(/^The API answered the creation of API key \S+ without its key\.$/);
    expect(await world.made("ApiKey")).toEqual([]);
  },
);
