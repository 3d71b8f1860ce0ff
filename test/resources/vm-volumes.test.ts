import { sent } from "../support/lifecycle";
import { up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import type { StateEntry } from "../support/mini-state";
import { argsOf, World } from "../support/world";
import { forSuite } from "../support/suite";
import { storage } from "../kinds/volume";

const world = forSuite(() => World.start());
let state: StateEntry;
const vm = (data: number, logs: number): object => ({
  ...argsOf("Vm", world.simulator),
  dataVolumes: [
    { name: "data", size: data, type: storage },
    { name: "logs", size: logs, type: storage },
  ],
});

beforeAll(async () => {
  ({ state } = await up(world.run(), "Vm", vm(10, 20), undefined));
});

it("refuses a smaller data volume, and says which one", async () => {
  await expect(preview(world.run(), "Vm", vm(10, 15), state)).rejects.toThrow(
    'dataVolumes[1].size: cannot become smaller: "logs" has 20, the program says 15. Give 20 or more, or make another VM',
  );
});

it("lists equal names beside a wrong size", async () => {
  const data = { name: "data", size: 10, type: storage };
  const dataVolumes = [{ ...data, size: 0 }, data];
  const { failures } = await world
    .run()
    .of("Vm")
    .check({}, sent("Vm", "x", { ...vm(10, 20), dataVolumes }));
  expect(failures.map(({ reason }) => reason)).toEqual([
    "dataVolumes[0].size: must be at least 1 (is 0)",
    "dataVolumes[1].name: has the name of dataVolumes[0]: give each another",
  ]);
});

it("says which data volume the API has no room for", async () => {
  await up(world.run(), "Volume", { size: 9_000, type: storage }, undefined);
  const run = world.run();
  await preview(run, "Vm", vm(10, 5_000), state);
  const texts = run.lines.map(({ text }) => text);
  expect(texts).toContainEqual(expect.stringContaining("could not do it now: dataVolumes[1]: 409 "));
  const update = up(world.run({ preflight: "off" }), "Vm", vm(10, 5_000), state);
  await expect(update).rejects.toThrow('update VM "x", dataVolumes[1] (PATCH ');
});

it("says which data volume has a refused size", async () => {
  const args = {
    type: "VALIDATION_ERROR",
    message: "no",
    context: { parameters: { size: "must be a multiple of 10" } },
  };
  await world.fault({ method: "PATCH", path: "/availability$", status: 400, body: JSON.stringify(args) });
  await expect(preview(world.run(), "Vm", vm(10, 21), state)).rejects.toThrow(
    "the API refuses it: dataVolumes[1].size: must be a multiple of 10 (is 21). ",
  );
});
