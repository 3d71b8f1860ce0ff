import { storageUse } from "../../src/resources/volume";
import { up } from "../support/mini-engine";
import { refresh } from "../support/mini-refresh";
import type { StateEntry } from "../support/mini-state";
import { checkNew, sent } from "../support/lifecycle";
import { World } from "../support/world";
import { otherStorage, storage } from "../kinds/volume";

const ARGS = { size: 100, type: storage };
const SUBNET_ID = "00000000-0000-4000-8000-000000000004";
const paths = { volumes: "/v1/compute/volumes" };

const world = World.forSuite();

async function made(args: object = ARGS): Promise<StateEntry> {
  return (await up(world.run(), "Volume", { ...args }, undefined)).state;
}

async function failuresOf(args: object): Promise<readonly string[]> {
  return (await checkNew(world.run(), "Volume", args)).failures.map(({ reason }) => reason);
}

it("counts storage by type, and nothing of unknown sizes", () => {
  const volumes = [{ type: storage, size: 100 }, { type: storage }, { type: otherStorage, size: 20 }, { size: 7 }];
  expect(storageUse(volumes)).toEqual({ "storage.abs": 100, "storage.local_nvme": 20 });
});

describe("the size of a volume", () => {
  it("shows both prices and the difference when it grows", async () => {
    const state = await made();
    const run = world.run();
    const lifecycle = run.of("Volume");
    const { inputs } = await lifecycle.check(state.inputs, sent("Volume", "x", { ...ARGS, size: 150 }));
    await lifecycle.diff(state.id, state.outs, inputs);
    expect(run.texts()).toEqual(["$10.00/mo → $15.00/mo (+$5.00/mo)"]);
    const { state: grown, operation } = await up(world.run(), "Volume", { ...ARGS, size: 150 }, state);
    expect([operation, grown.id, grown.outs["size"]]).toEqual(["update", state.id, 150]);
    expect(await world.objects("Volume")).toMatchObject([{ id: state.id, size: 150 }]);
    expect((await up(world.run(), "Volume", { ...ARGS, size: 150 }, grown)).operation).toBe("same");
  });

  it("compares sizes with the object to adopt", async () => {
    const { id } = await made();
    expect(await failuresOf({ ...ARGS, size: 50, adopt: id })).toEqual([
      "size: cannot become smaller: the volume has 100, the program says 50. Give 100 or more, or make another volume",
    ]);
    expect(await failuresOf({ ...ARGS, adopt: id })).toEqual([]);
  });
});

describe("the VM of a volume", () => {
  const vm = (n: number): string => `00000000-0000-4000-8000-0000000000${10 + n}`;

  async function placeVms(): Promise<void> {
    const { projectId, region, vpcId } = world.simulator;
    const now = "2026-06-15T12:00:00Z";
    for (const n of [1, 2]) await world.place("vms", vmObject(vm(n), { projectId, region, vpcId, now }));
  }

  it("moves to another VM in place, then nothing changes", async () => {
    await placeVms();
    let state = await made();
    for (const vmId of [vm(1), vm(2), undefined]) {
      const args = { ...ARGS, ...(vmId !== undefined && { vmId }) };
      const outcome = await up(world.run(), "Volume", args, state);
      expect([outcome.operation, outcome.state.id]).toEqual(["update", state.id]);
      state = outcome.state;
      expect(state.outs["vmId"]).toBe(vmId);
      expect((await world.objects("Volume")).find(({ id }) => id === state.id)).toMatchObject({ vm_id: vmId ?? null });
      expect((await up(world.run(), "Volume", args, state)).operation).toBe("same");
    }
    const actions = (await world.requests()).filter((request) => /tach$/.test(request));
    expect(actions).toEqual(["attach", "detach", "attach", "detach"].map((verb) => `POST ${paths.volumes}/ID/${verb}`));
  });

  it("attaches a volume again that was detached outside", async () => {
    await placeVms();
    const args = { ...ARGS, vmId: vm(1) };
    const state = await made(args);
    await world.api("POST", `${paths.volumes}/${state.id}/detach`);
    world.clock.advance(2_000);
    const after = await refresh(world.run(), "Volume", state);
    expect(after?.outs["vmId"]).toBeUndefined();
    expect((await up(world.run(), "Volume", args, after)).operation).toBe("update");
    expect((await world.objects("Volume")).find(({ id }) => id === state.id)).toMatchObject({ vm_id: vm(1) });
  });
});

/** A VM as the simulator stores it. */
function vmObject(id: string, at: { projectId: string; region: string; vpcId: string; now: string }): object {
  const { projectId: project_id, region, vpcId: vpc_id, now } = at;
  const network = { subnet_id: SUBNET_ID, vpc_id, private_ip: null, public_ip: null, public_ip_enabled: false };
  const own = { id, name: id.slice(-2), project_id, region, status: "ready", instance_type: "n1-standard-2" };
  return { ...own, ...network, boot_volume_id: `${id}-boot`, tags: [], created_at: now, updated_at: now };
}
