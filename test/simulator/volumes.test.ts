import { volumeType } from "../../src/simulator/nouns/volume";
import { badParameters, expectConflict, expectRejected, harnessForSuite, paths, requests } from "./support/harness";
import type { Json, Reply } from "./support/harness";

const api = harnessForSuite();
let vm: string;
beforeEach(async () => {
  vm = await ready(paths.vms, requests.vm);
});

async function ready(path: string, body: Json): Promise<string> {
  const { id } = await api.create(path, body);
  await api.advance("8s");
  return id;
}

const newVolume = (more: Json = {}): Promise<string> => ready(paths.volumes, { ...requests.volume, ...more });

const get = (id: string): Promise<Json> => api.get(`${paths.volumes}/${id}`);
const attach = (id: string, to: string): Promise<Reply> =>
  api.call("POST", `${paths.volumes}/${id}/attach`, { body: { vm_id: to } });
const detach = (id: string): Promise<Reply> => api.call("POST", `${paths.volumes}/${id}/detach`);

/** The ids of a VM's data volumes as the VM shows them, and of all its volumes. */
async function volumesOf(id: string): Promise<{ readonly data: unknown; readonly all: unknown }> {
  const { items } = await api.get(`${paths.vms}/${id}/volumes`);
  const all = (items as Json[]).map((volume) => volume["id"]);
  return { data: (await api.get(`${paths.vms}/${id}`))["data_volume_ids"], all };
}

const bootOf = async (id: string): Promise<string> => String((await api.get(`${paths.vms}/${id}`))["boot_volume_id"]);

it("an attached volume has the VM's name", async () => {
  const id = await newVolume();
  const reply = await attach(id, vm);
  expect([reply.status, reply.body]).toEqual([
    202,
    expect.objectContaining({
      ...{ kind: "volume", type: "update", resource_id: id },
      details: { changes: { vm_id: { from: "", to: vm } } },
    }),
  ]);
  expect(await get(id)).toMatchObject({ vm_id: null, status: "updating" });
  await api.advance("8s");
  expect(await get(id)).toMatchObject({ vm_id: vm, vm_name: "web", status: "ready" });
  expect(await volumesOf(vm)).toEqual({ data: [id], all: [await bootOf(vm), id] });

  expect((await detach(id)).status).toBe(202);
  await api.advance("8s");
  expect(await get(id)).toMatchObject({ vm_id: null, vm_name: null });
  expect(await volumesOf(vm)).toEqual({ data: [], all: [await bootOf(vm)] });
});

it("a volume can be created attached", async () => {
  const id = await newVolume({ vm_id: vm });
  expect(await get(id)).toMatchObject({ vm_id: vm, vm_name: "web", kind: "data" });
});

it("a second attachment or detachment is 409", async () => {
  const other = await ready(paths.vms, { ...requests.vm, name: "other" });
  const id = await newVolume({ vm_id: vm });
  const free = await newVolume();
  expectConflict(await attach(id, vm));
  expectConflict(await attach(id, other));
  expectConflict(await detach(free));
  expectConflict(await detach(await bootOf(vm)));
  expect(await get(id)).toMatchObject({ vm_id: vm });
});

it("requires a usable VM in the same project and region", async () => {
  const elsewhere = await newVolume({ project_id: await api.newProject() });
  const far = await newVolume({ region: "us-wdc-1" });
  const id = await newVolume();
  for (const reply of [await attach(id, "nothing"), await attach(elsewhere, vm), await attach(far, vm)]) {
    expect([reply.status, badParameters(reply)]).toEqual([400, ["vm_id"]]);
  }
  await api.call("DELETE", `${paths.vms}/${vm}`);
  expectConflict(await attach(id, vm));
  expectConflict(await api.create(paths.volumes, { ...requests.volume, vm_id: vm }));
});

it("a failed attachment leaves the volume free", async () => {
  const id = await newVolume();
  await api.fault({ path: "/attach$", operation: "fail", times: 1 });
  await attach(id, vm);
  await api.advance("8s");
  expect(await get(id)).toMatchObject({ vm_id: null, status: "ready" });
});

const resize = (id: string, size: number): Promise<Reply> =>
  api.call("PATCH", `${paths.volumes}/${id}`, { body: { size } });

it("any volume grows, and none shrinks", async () => {
  for (const [id, size] of [
    [await newVolume(), 20],
    [await newVolume({ vm_id: vm }), 20],
    [await bootOf(vm), 64],
  ] as const) {
    expect((await resize(id, size + 1)).status).toBe(202);
    await api.advance("8s");
    expect(await get(id)).toMatchObject({ size: size + 1 });
    const smaller = await resize(id, size);
    expect([smaller.status, badParameters(smaller)]).toEqual([400, ["size"]]);
    expect(JSON.stringify(smaller.body)).toContain(`can only grow: it has ${size + 1}"`);
    expect((await resize(id, size + 1)).status).toBe(202);
    await api.advance("8s");
  }
});

it.each([0, -1, 1.5, 1_000_001])("rejects a size of %p", async (size) => {
  await expectRejected(api, "POST", [paths.volumes], { ...requests.volume, size }, "size");
});

// The public Terraform provider deletes a volume without detaching it.
it("an attached volume can be deleted", async () => {
  const id = await newVolume({ vm_id: vm });
  expect((await api.call("DELETE", `${paths.volumes}/${id}`)).status).toBe(202);
  await api.advance("8s");
  expect((await api.call("GET", `${paths.volumes}/${id}`)).status).toBe(404);
  expect(await volumesOf(vm)).toEqual({ data: [], all: [await bootOf(vm)] });
});

it("a boot volume cannot be deleted while its VM exists", async () => {
  expectConflict(await api.call("DELETE", `${paths.volumes}/${await bootOf(vm)}`));
});

it("a deleted VM leaves the volumes that were attached later", async () => {
  const data = { name: "own", size: 10, type: volumeType.options[0] };
  const body = { ...requests.vm, data_volumes: [data] };
  const owner = await ready(paths.vms, body);
  const [own] = (await volumesOf(owner)).data as string[];
  const later = await newVolume({ vm_id: owner });
  const boot = await bootOf(owner);
  const other = await ready(paths.vms, { ...body, name: "other" });
  const [moved = ""] = (await volumesOf(other)).data as string[];
  await detach(moved);
  await api.advance("8s");
  await attach(moved, owner);
  await api.advance("8s");
  expect(await get(moved)).toMatchObject({ vm_id: owner });
  await api.call("DELETE", `${paths.vms}/${owner}`);
  await api.advance("8s");
  for (const deleted of [own ?? "", boot])
    expect((await api.call("GET", `${paths.volumes}/${deleted}`)).status).toBe(404);
  for (const kept of [later, moved])
    expect(await get(kept)).toMatchObject({ vm_id: null, vm_name: null, status: "ready" });
});
