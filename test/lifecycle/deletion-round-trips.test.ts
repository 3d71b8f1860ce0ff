import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { argsOf, World } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

/** A run that knows how long the deletion of a volume takes, and a volume. */
async function volume() {
  const run = world.run({ baseUrl: proxy.url });
  const create = (name: string) => world.create("Volume", argsOf("Volume", world.simulator), { name, run });
  const [first, { id, outs }] = [await create("a"), await create("b")];
  await run.of("Volume").delete(first.id, first.outs);
  const before = proxy.requests.length;
  const sent = (): string[] =>
    proxy.requests.slice(before).map(({ method, path }) => `${method} ${path.split("/")[2]!}`);
  const object = { method: "GET", path: new RegExp(`/volumes/${id}$`) };
  return { id, object, sent, remove: () => run.of("Volume").delete(id, outs) };
}

it("asks for a deleted object together with the last poll", async () => {
  const { object, remove, sent } = await volume();
  let ask = (): void => undefined;
  const looked = new Promise<void>((resolve) => (ask = resolve));
  proxy.on(requests.operations, does.holdAfter(looked)).on(object, does.before(ask));
  await remove();
  expect(sent().sort()).toEqual(["DELETE compute", "GET compute", "GET operations"]);
});

it("asks again if the object is still shown then", async () => {
  const { id, object, remove, sent } = await volume();
  proxy.on({ ...object, nth: 1 }, does.answer(200, await world.api("GET", `/v1/compute/volumes/${id}`)));
  await remove();
  expect(sent().sort()).toEqual(["DELETE compute", "GET compute", "GET compute", "GET operations"]);
  expect(await world.made("Volume")).toEqual([]);
});
