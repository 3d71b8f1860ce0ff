import { checkNew } from "../support/lifecycle";
import { MiniStack, up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import type { Declaration, StateEntry } from "../support/mini-state";
import { argsOf, World } from "../support/world";
import { forSuite } from "../support/suite";
import { otherStorage, storage } from "../kinds/volume";

const world = forSuite(() => World.start());
let state: StateEntry;
const vm = (...sizes: readonly [data: number, logs: number]): object => ({
  ...argsOf("Vm", world.simulator),
  dataVolumes: ["data", "logs"].map((name, nth) => ({ name, size: sizes[nth], type: storage })),
});

beforeAll(async () => {
  ({ state } = await up(world.run(), "Vm", vm(10, 20), undefined));
});

it("names a data volume that cannot shrink", async () => {
  await expect(preview(world.run(), "Vm", vm(10, 15), state)).rejects.toThrow(
    'dataVolumes[1].size: cannot become smaller: "logs" has 20, the program says 15. Give 20 or more, or make another VM',
  );
});

const [data, logs] = ["data", "logs"].map((name, i) => ({ name, size: 10 * (i + 1), type: storage }));

describe.each([
  ["taken away", [data], '"logs" cannot be taken away'],
  ["added", [data, logs, { ...data, name: "more" }], '"more" cannot be added'],
  ["of another type", [data, { ...logs, type: otherStorage }], 'the type of "logs" cannot be changed'],
])("a data volume that is %s", (_how, dataVolumes, reason) => {
  const others = { dataVolumes };

  it("refuses a changed set of data volumes", async () => {
    await expect(preview(world.run(), "Vm", { ...vm(10, 20), ...others }, state)).rejects.toThrow(
      `dataVolumes: ${reason}: the API makes these with the VM only.`,
    );
  });

  it("allows changed data volumes if the VM is replaced", async () => {
    const image = { osImageName: "debian-trixie-2026-01-12" };
    await preview(world.run(), "Vm", { ...vm(10, 20), ...others, ...image }, state);
  });

  it("allows changed data volumes if the VM's creation failed", async () => {
    const stack = new MiniStack();
    const program = (args: object): Declaration[] => [{ type: "Vm", name: "web", args: () => args }];
    await world.fault({ method: "POST", path: "/v1/compute/vms$", operation: "fail" });
    expect((await stack.up(world.run(), program(vm(10, 20)))).failures).toHaveLength(1);
    const { operations, failures } = await stack.up(world.run(), program({ ...vm(10, 20), ...others }));
    expect({ operations, failures }).toEqual({ operations: new Map([["web", "replace"]]), failures: [] });
    expect((await stack.up(world.run(), [])).failures).toEqual([]);
  });
});

it("reports equal names and a wrong size together", async () => {
  const dataVolumes = [{ ...data, size: 0 }, data];
  const { failures } = await checkNew(world.run(), "Vm", { ...vm(10, 20), dataVolumes });
  expect(failures.map(({ reason }) => reason)).toEqual([
    "dataVolumes[0].size: must be at least 1 (is 0)",
    "dataVolumes[1].name: has the same name as dataVolumes[0]: give each a different one",
  ]);
});

it("names the data volume that exceeds the quota", async () => {
  await up(world.run(), "Volume", { size: 9_000, type: storage }, undefined);
  const run = world.run();
  await preview(run, "Vm", vm(10, 5_000), state);
  const texts = run.lines.map(({ text }) => text);
  expect(texts).toContainEqual(expect.stringContaining("could not do it now: dataVolumes[1]: 409 "));
  const update = up(world.run({ preflight: "off" }), "Vm", vm(10, 5_000), state);
  await expect(update).rejects.toThrow('update VM "x", dataVolumes[1] (PATCH ');
});

it("says which data volume has a refused size", async () => {
  const context = { parameters: { size: "must be a multiple of 10" } };
  const body = JSON.stringify({ type: "VALIDATION_ERROR", message: "no", context });
  await world.fault({ method: "PATCH", path: "/availability$", status: 400, body });
  await expect(preview(world.run(), "Vm", vm(10, 21), state)).rejects.toThrow(
    "the API refuses it: dataVolumes[1].size: must be a multiple of 10 (is 21). ",
  );
});
