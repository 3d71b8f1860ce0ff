import { UNKNOWN } from "../../src/engine/values";
import { clusterObject } from "../kinds/nks-node-pool";
import { loadBalancerObject } from "../kinds/nks-load-balancer";
import { sent } from "../support/lifecycle";
import { MiniStack, up } from "../support/mini-engine";
import { refresh } from "../support/mini-refresh";
import { argsOf, World } from "../support/world";

const type = "NksLoadBalancer";
const path = `/v1/nks/clusters/${clusterObject.id}/load_balancers`;
const UNPRICED = "no quote offered for this kind of resource, but its public IP is not free";
const other = { ...loadBalancerObject, id: "10000000-0000-4000-8000-0000000000b2", namespace: "shop" };

const world = World.forSuite();

const args = (own: object = {}): object => ({ ...argsOf(type, world.simulator), ...own });
const place = (object: object): Promise<void> => world.place("nksLoadBalancers", object);
const shown = (id = loadBalancerObject.id): Promise<Record<string, unknown>> => world.api("GET", `${path}/${id}`);
/** Somebody's change, whose operation goes on. */
const beginChange = async (isPublic: boolean): Promise<void> => {
  await world.api("PATCH", `${path}/${loadBalancerObject.id}`, { public_ip_enabled: isPublic });
  expect(await shown()).toMatchObject({ public_ip_enabled: !isPublic, status: "updating" });
};
const changes = async (): Promise<string[]> =>
  (await world.requests()).filter((text) => /^(POST|PATCH|DELETE)/.test(text));

describe("a preview of what something else makes", () => {
  const previewed = async (own: object): Promise<{ said: string[]; reasons: string[] }> => {
    const run = world.run();
    const { failures } = await run.of(type).check({}, sent(type, "x", args(own)));
    return { said: run.lines.map(({ text }) => text), reasons: failures.map(({ reason }) => reason) };
  };

  it("when it is there, its id and what changes are on the row", async () => {
    expect(await previewed({})).toEqual({
      said: [`adopts ${loadBalancerObject.id}; then changes publicIpEnabled: false → true; ${UNPRICED}`],
      reasons: [],
    });
    expect(await changes()).toEqual([]);
  });

  it("without a public IP, it says only that there is no quote", async () => {
    const { said } = await previewed({ publicIpEnabled: false });
    expect(said).toEqual([expect.stringMatching(/; no quote offered for this kind of resource$/)]);
  });

  it("when there is none, a warning lists what there is, and the update waits", async () => {
    const { said, reasons } = await previewed({ serviceName: "shop" });
    expect(reasons).toEqual([]);
    expect(said).toEqual([
      'serviceName: there is no NKS load balancer with the serviceName "shop" and namespace "default". Kubernetes makes one for each Service of the type LoadBalancer. ' +
        `The API shows web in default (${loadBalancerObject.id}). The update waits for it`,
      UNPRICED,
    ]);
  });

  it("when several fit, it fails and lists them", async () => {
    await place(other);
    const { reasons } = await previewed({ namespace: undefined });
    expect(reasons).toEqual([
      `serviceName: 2 objects fit: web in default (${loadBalancerObject.id}), web in shop (${other.id}). ` +
        'Give namespace too, or the id of one as "adopt"',
    ]);
  });

  it("when the cluster does not exist, it fails", async () => {
    const { reasons } = await previewed({ clusterId: "00000000-0000-4000-8000-00000000dead" });
    expect(reasons).toEqual([
      "clusterId: the API has nothing with the id 00000000-0000-4000-8000-00000000dead: correct it",
    ]);
  });

  it("when the cluster is not known yet, it asks nothing", async () => {
    expect(await previewed({ clusterId: UNKNOWN })).toEqual({ said: [UNPRICED], reasons: [] });
    expect(await world.requests()).toEqual([]);
  });
});

it("when it is not there yet, the update waits until it is", async () => {
  await world.api("GET", path);
  await world.reset();
  await world.takeAway("nksLoadBalancers", loadBalancerObject.id);
  const created = up(world.run(), type, args(), undefined);
  await world.clock.sleep(30_000);
  await place(loadBalancerObject);
  const { state } = await created;
  expect(state).toMatchObject({ id: loadBalancerObject.id, outs: { publicIpEnabled: true, status: "ready" } });
});

it("when it does not come in time, the error lists what there is, and nothing is in the state", async () => {
  await place({ ...other, service_name: "shop" });
  await expect(up(world.run(), type, args({ serviceName: "mail" }), undefined)).rejects.toThrow(
    `create NKS load balancer "x": there is no NKS load balancer with the serviceName "mail" and namespace "default". Kubernetes makes one for each Service of the type ` +
      `LoadBalancer. The API shows web in default (${loadBalancerObject.id}), shop in shop (${other.id}). Waited for it 10 minutes.`,
  );
  expect(await changes()).toEqual([]);
});

it("when it is being deleted, it is not taken", async () => {
  await place({ ...loadBalancerObject, status: "deleting" });
  await place({ ...other, service_name: "web" });
  const { state } = await up(world.run(), type, args({ namespace: undefined }), undefined);
  expect(state).toMatchObject({ id: other.id, outs: { namespace: "shop" } });
});

describe.each([true, false])("when it was found with publicIpEnabled %s", (before) => {
  beforeEach(() => place({ ...loadBalancerObject, public_ip_enabled: before }));

  it.each([true, false])("and the program says %s, it is given back as it was found", async (said) => {
    const { state } = await up(world.run(), type, args({ publicIpEnabled: said }), undefined);
    expect(await shown()).toMatchObject({ public_ip_enabled: said });
    const run = world.run();
    await run.of(type).delete(state.id, state.outs);
    expect(await shown()).toMatchObject({ public_ip_enabled: before, status: "ready" });
    expect(run.lines.map(({ text }) => text)).toEqual([
      `NKS load balancer ${state.id} stays, as it was found: publicIpEnabled: ${before}`,
    ]);
    expect(await changes()).toHaveLength(said === before ? 0 : 2);
  });

  it("changes and refreshes do not make it forget that", async () => {
    const first = await up(world.run(), type, args({ publicIpEnabled: !before }), undefined);
    const second = await up(world.run(), type, args({ publicIpEnabled: before }), first.state);
    const third = await up(world.run(), type, args({ publicIpEnabled: !before }), second.state);
    expect([first, second, third].map(({ operation }) => operation)).toEqual(["create", "update", "update"]);
    const state = (await refresh(world.run(), type, third.state))!;
    await world.run().of(type).delete(state.id, state.outs);
    expect(await shown()).toMatchObject({ public_ip_enabled: before });
  });

  it("and a change of an interrupted run is still under way, it is given back after that", async () => {
    const { state } = await up(world.run(), type, args({ publicIpEnabled: before }), undefined);
    await beginChange(!before);
    await world.run().of(type).delete(state.id, state.outs);
    await world.clock.sleep(60_000);
    expect(await shown()).toMatchObject({ public_ip_enabled: before, status: "ready" });
  });

  it("while a change is under way, the change is what it was found with", async () => {
    await beginChange(!before);
    const { state } = await up(world.run(), type, args({ publicIpEnabled: before }), undefined);
    expect(await shown()).toMatchObject({ public_ip_enabled: before, status: "ready" });
    expect(state.outs).toMatchObject({ publicIpEnabled: before, __foundAs: { publicIpEnabled: !before } });
  });

  it("a replacement that finds the same one keeps it, and still knows how it was found", async () => {
    const { state } = await up(world.run(), type, args({ publicIpEnabled: !before }), undefined);
    const run = world.run();
    const lifecycle = run.of(type);
    const news = sent(type, "x", args({ publicIpEnabled: !before }), false);
    const checked = (await lifecycle.check(state.inputs, news)).inputs;
    await lifecycle.diff(state.id, state.outs, checked);
    const again = (await lifecycle.check({}, news)).inputs; // the new half, as with --target-replace
    const made = await lifecycle.create(again);
    await lifecycle.delete(state.id, state.outs);
    expect(run.lines).toContainEqual(
      expect.objectContaining({
        severity: "info",
        text: expect.stringMatching(/stays: its replacement has taken it over$/) as string,
      }),
    );
    expect(run.lines.filter(({ severity }) => severity === "warning")).toEqual([]);
    expect(await shown()).toMatchObject({ public_ip_enabled: !before });
    await world.run().of(type).delete(made.id, made.outs);
    expect(await shown()).toMatchObject({ public_ip_enabled: before });
  });
});

it("when --target-replace takes it over again, its row warns that nothing knows how it was found", async () => {
  await place({ ...loadBalancerObject, public_ip_enabled: false });
  const { state } = await up(world.run(), type, args({ publicIpEnabled: true }), undefined);
  const run = world.run();
  const { inputs } = await run.of(type).check({}, sent(type, "x", args({ publicIpEnabled: true }), false));
  await run.of(type).create(inputs);
  await run.of(type).delete(state.id, state.outs);
  const said = run.lines.filter(({ severity }) => severity === "warning").map(({ text }) => text);
  expect(said).toEqual([
    expect.stringContaining("does not know that it was found with publicIpEnabled: false. Set that after a destroy"),
  ]);
});

it("when a failed replacement is taken back, the row warns that nothing knows how it was found", async () => {
  await place({ ...other, service_name: "mail" });
  const program = (serviceName: string) => [
    { type, name: "x", args: () => args({ serviceName, namespace: undefined }) },
  ];
  const stack = new MiniStack();
  await stack.up(world.run(), program("web"));
  const fails = { beforeDeletes: () => Promise.reject(new Error("a dependent")) };
  await stack.up(world.run(), program("mail"), fails).catch(() => undefined);
  const run = world.run();
  await stack.up(run, program("web"));
  expect(run.lines.filter(({ severity }) => severity === "warning").map(({ text }) => text)).toEqual([
    expect.stringContaining("does not know that it was found with publicIpEnabled: false. Set that after a destroy"),
  ]);
});

it("another Service replaces the resource: the new one is taken first, then the old one is given back", async () => {
  await place({ ...other, service_name: "shop" });
  const { state } = await up(world.run(), type, args(), undefined);
  const outcome = await up(world.run(), type, args({ serviceName: "shop", namespace: "shop" }), state);
  expect([outcome.operation, outcome.state.id]).toEqual(["replace", other.id]);
  expect(await shown()).toMatchObject({ public_ip_enabled: false });
  expect(await shown(other.id)).toMatchObject({ public_ip_enabled: true });
});

describe("when its Service is gone", () => {
  it("a refresh takes it out of the state, and an up takes the next one of that name", async () => {
    const { state } = await up(world.run(), type, args(), undefined);
    await world.takeAway("nksLoadBalancers", state.id);
    expect(await refresh(world.run(), type, state)).toBeUndefined();
    await place({ ...loadBalancerObject, id: other.id });
    expect((await up(world.run(), type, args(), undefined)).state.id).toBe(other.id);
  });

  it("giving it back is done", async () => {
    const { state } = await up(world.run(), type, args(), undefined);
    await world.takeAway("nksLoadBalancers", state.id);
    await expect(world.run().of(type).delete(state.id, state.outs)).resolves.toBeUndefined();
  });
});

it("when the answer to the change is lost, the next run has the state, and gives it back as it was found", async () => {
  await world.fault({ method: "PATCH", path: "load_balancers", status: 502, times: 1 });
  await expect(up(world.run(), type, args(), undefined)).rejects.toMatchObject({
    id: loadBalancerObject.id,
    properties: { __foundAs: { publicIpEnabled: false } },
  });
});

it("when it is adopted by its id, it is given back as it was found too", async () => {
  const { state } = await up(world.run(), type, args({ adopt: loadBalancerObject.id }), undefined);
  const next = await up(world.run(), type, args({ adopt: loadBalancerObject.id }), state);
  await world.run().of(type).delete(next.state.id, next.state.outs);
  expect(await shown()).toMatchObject({ public_ip_enabled: false });
});

it("when the state does not know how it was found, it stays as it is, and its row says so", async () => {
  const { state } = await up(world.run(), type, args(), undefined);
  const run = world.run();
  await run.of(type).delete(state.id, { ...state.outs, __foundAs: undefined });
  expect(await shown()).toMatchObject({ public_ip_enabled: true });
  expect(run.lines.map(({ text }) => text)).toEqual([
    `NKS load balancer ${state.id} stays as it is: the state does not know how it was found`,
  ]);
});
