import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { World } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const args = () => world.args("Volume");

/** A run that knows how long the creation and the deletion of a volume take, and what it has sent since then. */
async function experienced() {
  const run = world.run({ baseUrl: proxy.url });
  const create = (name: string) => world.create("Volume", args(), { name, run });
  const [first, second] = [await create("a"), await create("b")];
  await run.of("Volume").delete(first.id, first.outs);
  const before = proxy.requests.length;
  const sent = (): string[] =>
    proxy.requests
      .slice(before)
      .map(({ method, path }) => `${method} ${path.split("/")[2]!}`)
      .sort();
  return { run, create, second, sent };
}

/** A promise that resolves when it is told to. */
function signal(): { readonly promise: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined;
  const promise = new Promise<void>((resolve) => (give = resolve));
  return { promise, give };
}

/** A run with a volume to delete. */
async function volume() {
  const { run, second, sent } = await experienced();
  const { id, outs } = second;
  const object = { method: "GET", path: new RegExp(`/volumes/${id}$`) };
  return { id, object, sent, remove: () => run.of("Volume").delete(id, outs) };
}

it("reads a deleted object at the same time as the last poll", async () => {
  const { object, remove, sent } = await volume();
  const looked = signal();
  proxy.on(requests.operations, does.holdAfter(looked.promise)).on(object, does.before(looked.give));
  await remove();
  expect(sent()).toEqual(["DELETE compute", "GET compute", "GET operations"]);
});

it("reads the object again if it is still shown", async () => {
  const { id, object, remove, sent } = await volume();
  proxy.on({ ...object, nth: 1 }, does.answer(200, await world.api("GET", `/v1/compute/volumes/${id}`)));
  await remove();
  expect(sent()).toEqual(["DELETE compute", "GET compute", "GET compute", "GET operations"]);
  expect(await world.made("Volume")).toEqual([]);
});

it("lists two new objects together with the last polls", async () => {
  const { create, sent } = await experienced();
  const [polled, listed] = [signal(), signal()];
  let polls = 0;
  proxy.on(requests.operations, does.holdAfter(listed.promise)).on(
    requests.operations,
    does.before(() => (polls += 1) === 2 && polled.give()),
  );
  proxy.on(requests.lists, does.before(listed.give));
  // The moment in which the list gathers its readers lasts until both operations are polled.
  world.clock.onSleep = () => (world.clock.slept.at(-1) === 0 ? polled.promise : undefined);
  await Promise.all([create("c"), create("d")]);
  expect(sent()).toEqual(["GET compute", "GET operations", "GET operations", "POST compute", "POST compute"]);
});
