import { setImmediate } from "node:timers/promises";
import { CancelledError } from "../../src/lifecycle/errors";
import { UNKNOWN } from "../../src/engine/values";
import { clusterObject } from "../kinds/nks-node-pool";
import { loadBalancerObject } from "../kinds/nks-load-balancer";
import { sent } from "../support/lifecycle";
import { MiniStack, up } from "../support/mini-engine";
import { refresh } from "../support/mini-refresh";
import { hidden } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { World } from "../support/world";

const type = "NksLoadBalancer";
const path = `/v1/nks/clusters/${clusterObject.id}/load_balancers`;
const UNPRICED = "no quote offered for this kind of resource, but its public IP is not free";
const other = { ...loadBalancerObject, id: "10000000-0000-4000-8000-0000000000b2", namespace: "shop" };

const world = World.forSuite();

const args = (own: object = {}): object => world.args(type, own);
const place = (object: object): Promise<void> => world.place("nksLoadBalancers", object);
const shown = (id = loadBalancerObject.id): Promise<Record<string, unknown>> => world.api("GET", `${path}/${id}`);
/** Another person's change, whose operation is still running. */
const beginChange = async (isPublic: boolean): Promise<void> => {
  await world.api("PATCH", `${path}/${loadBalancerObject.id}`, { public_ip_enabled: isPublic });
  expect(await shown()).toMatchObject({ public_ip_enabled: !isPublic, status: "updating" });
};
const changes = async (): Promise<string[]> =>
  (await world.requests()).filter((text) => /^(POST|PATCH|DELETE)/.test(text));

describe("previewing an object that Kubernetes creates", () => {
  const previewed = async (own: object): Promise<{ said: string[]; reasons: string[] }> => {
    const run = world.run();
    const { failures } = await run.of(type).check({}, sent(type, "x", args(own)));
    return { said: run.texts(), reasons: failures.map(({ reason }) => reason) };
  };

  it("shows the id and the changes", async () => {
    expect(await previewed({})).toEqual({
      said: [`adopts ${loadBalancerObject.id}; then changes publicIpEnabled: false → true; ${UNPRICED}`],
      reasons: [],
    });
    expect(await changes()).toEqual([]);
  });

  it("says that the API offers no quote", async () => {
    const { said } = await previewed({ publicIpEnabled: false });
    expect(said).toEqual([expect.stringMatching(/; no quote offered for this kind of resource$/)]);
  });

  it("lists the other objects if none matches", async () => {
    const { said, reasons } = await previewed({ serviceName: "shop" });
    expect(reasons).toEqual([]);
    expect(said).toEqual([
      'serviceName: there is no NKS load balancer with the serviceName "shop" and namespace "default". Kubernetes makes one for each Service of the type LoadBalancer. ' +
        `The API shows web in default (${loadBalancerObject.id}). The update waits for it`,
      UNPRICED,
    ]);
  });

  it("lists all objects that fit, and fails", async () => {
    await place(other);
    const { reasons } = await previewed({ namespace: undefined });
    expect(reasons).toEqual([
      `serviceName: 2 objects fit: web in default (${loadBalancerObject.id}), web in shop (${other.id}). ` +
        'Give namespace too, or the id of one as "adopt"',
    ]);
  });

  it("fails if the cluster does not exist", async () => {
    const { reasons } = await previewed({ clusterId: "00000000-0000-4000-8000-00000000dead" });
    expect(reasons).toEqual([
      "clusterId: the API has nothing with the id 00000000-0000-4000-8000-00000000dead: correct it",
    ]);
  });

  it("sends no request if the cluster is unknown", async () => {
    expect(await previewed({ clusterId: UNKNOWN })).toEqual({ said: [UNPRICED], reasons: [] });
    expect(await world.requests()).toEqual([]);
  });
});

it("an update waits for a missing object", async () => {
  await world.api("GET", path);
  await world.reset();
  await world.takeAway("nksLoadBalancers", loadBalancerObject.id);
  const created = up(world.run(), type, args(), undefined);
  await world.clock.sleep(30_000);
  await place(loadBalancerObject);
  const { state } = await created;
  expect(state).toMatchObject({ id: loadBalancerObject.id, outs: { publicIpEnabled: true, status: "ready" } });
});

it("a cancelled wait names its object, and changes nothing", async () => {
  const controller = new AbortController();
  const run = world.run({}, { cancelled: controller.signal });
  const created = up(run, type, args({ serviceName: "mail" }), undefined);
  const said = expect(created).rejects.toThrow(
    /^create NKS load balancer "x": the run was cancelled after \d+s of waiting for the NKS load balancer with the serviceName "mail" and namespace "default"\. Nothing was changed\. Run again\.$/,
  );
  while (run.statuses.length === 0) await setImmediate();
  expect(run.statuses[0]).toMatch(
    /^waiting for the NKS load balancer with the serviceName "mail" and namespace "default": \d+s$/,
  );
  controller.abort(new CancelledError("cancelled"));
  await said;
  expect(await changes()).toEqual([]);
});

it("lists the other objects when it times out", async () => {
  await place({ ...other, service_name: "shop" });
  await expect(up(world.run(), type, args({ serviceName: "mail" }), undefined)).rejects.toThrow(
    `create NKS load balancer "x": there is no NKS load balancer with the serviceName "mail" and namespace "default". Kubernetes makes one for each Service of the type ` +
      `LoadBalancer. The API shows web in default (${loadBalancerObject.id}), shop in shop (${other.id}). Waited 10 minutes for it. ` +
      "Correct the arguments, or wait until it exists. Then run again.",
  );
  expect(await changes()).toEqual([]);
});

it("does not adopt an object that is being deleted", async () => {
  await place({ ...loadBalancerObject, status: "deleting" });
  await place({ ...other, service_name: "web" });
  const { state } = await up(world.run(), type, args({ namespace: undefined }), undefined);
  expect(state).toMatchObject({ id: other.id, outs: { namespace: "shop" } });
});

describe.each([true, false])("an object found with publicIpEnabled %s", (before) => {
  beforeEach(() => place({ ...loadBalancerObject, public_ip_enabled: before }));

  it.each([true, false])("restores the object after setting it to %s", async (said) => {
    const { state } = await up(world.run(), type, args({ publicIpEnabled: said }), undefined);
    expect(await shown()).toMatchObject({ public_ip_enabled: said });
    const run = world.run();
    await run.of(type).delete(state.id, state.outs);
    expect(await shown()).toMatchObject({ public_ip_enabled: before, status: "ready" });
    expect(run.texts()).toEqual([`NKS load balancer ${state.id} stays, as it was found: publicIpEnabled: ${before}`]);
    expect(await changes()).toHaveLength(said === before ? 0 : 2);
  });

  it("rejects a 404 when it restores an object", async () => {
    const { state } = await up(world.run(), type, args({ publicIpEnabled: !before }), undefined);
    const proxy = await FaultProxy.start(world.simulator.url);
    proxy.on({ method: "PATCH" }, hidden);
    const run = world.run({ baseUrl: proxy.url });
    await expect(run.of(type).delete(state.id, state.outs)).rejects.toThrow("and still shows it. Run again");
    await proxy.close();
    await world.run().of(type).delete(state.id, state.outs);
    expect(await shown()).toMatchObject({ public_ip_enabled: before });
  });

  it("restores the object after changes and refreshes", async () => {
    const first = await up(world.run(), type, args({ publicIpEnabled: !before }), undefined);
    const second = await up(world.run(), type, args({ publicIpEnabled: before }), first.state);
    const third = await up(world.run(), type, args({ publicIpEnabled: !before }), second.state);
    expect([first, second, third].map(({ operation }) => operation)).toEqual(["create", "update", "update"]);
    const state = (await refresh(world.run(), type, third.state))!;
    await world.run().of(type).delete(state.id, state.outs);
    expect(await shown()).toMatchObject({ public_ip_enabled: before });
  });

  it("restores the object after a change in progress", async () => {
    const { state } = await up(world.run(), type, args({ publicIpEnabled: before }), undefined);
    await beginChange(!before);
    await world.run().of(type).delete(state.id, state.outs);
    await world.clock.sleep(60_000);
    expect(await shown()).toMatchObject({ public_ip_enabled: before, status: "ready" });
  });

  it("records the result of a change in progress as original", async () => {
    await beginChange(!before);
    const { state } = await up(world.run(), type, args({ publicIpEnabled: before }), undefined);
    expect(await shown()).toMatchObject({ public_ip_enabled: before, status: "ready" });
    expect(state.outs).toMatchObject({ publicIpEnabled: before, __foundAs: { publicIpEnabled: !before } });
  });

  it("keeps the original settings in a replacement", async () => {
    const { state } = await up(world.run(), type, args({ publicIpEnabled: !before }), undefined);
    const run = world.run();
    const lifecycle = run.of(type);
    const news = sent(type, "x", args({ publicIpEnabled: !before }), false);
    const checked = (await lifecycle.check(state.inputs, news)).inputs;
    await lifecycle.diff(state.id, state.outs, checked);
    const again = (await lifecycle.check({}, news)).inputs; // the new object, as with --target-replace
    const made = await lifecycle.create(again);
    await lifecycle.delete(state.id, state.outs);
    expect(run.lines).toContainEqual(
      expect.objectContaining({
        severity: "info",
        text: expect.stringMatching(/stays: its replacement has taken it over$/) as string,
      }),
    );
    expect(run.warnings()).toEqual([]);
    expect(await shown()).toMatchObject({ public_ip_enabled: !before });
    await world.run().of(type).delete(made.id, made.outs);
    expect(await shown()).toMatchObject({ public_ip_enabled: before });
  });
});

const ORIGIN_UNKNOWN = expect.stringContaining(
  "has no record of the original publicIpEnabled: false. After a destroy, set that in the API",
) as unknown;

it("warns after --target-replace that its origin is unknown", async () => {
  await place({ ...loadBalancerObject, public_ip_enabled: false });
  const { state } = await up(world.run(), type, args({ publicIpEnabled: true }), undefined);
  const run = world.run();
  const { inputs } = await run.of(type).check({}, sent(type, "x", args({ publicIpEnabled: true }), false));
  await run.of(type).create(inputs);
  await run.of(type).delete(state.id, state.outs);
  expect(run.warnings()).toEqual([ORIGIN_UNKNOWN]);
});

it.each([1, 2])("warns after %i failed replacements that its origin is unknown", async (failures) => {
  await place({ ...other, service_name: "mail" });
  const program = (serviceName: string) => [
    { type, name: "x", args: () => args({ serviceName, namespace: undefined }) },
  ];
  const stack = new MiniStack();
  await stack.up(world.run(), program("web"));
  const fails = { beforeDeletes: () => Promise.reject(new Error("a dependent")) };
  for (const serviceName of ["mail", "web"].slice(0, failures))
    await stack.up(world.run(), program(serviceName), fails).catch(() => undefined);
  const run = world.run();
  await stack.up(run, program("web"));
  expect(run.warnings()).toEqual([ORIGIN_UNKNOWN]);
  expect(await shown()).toMatchObject({ public_ip_enabled: true });
});

it("replaces the resource for another Service", async () => {
  await place({ ...other, service_name: "shop" });
  const { state } = await up(world.run(), type, args(), undefined);
  const outcome = await up(world.run(), type, args({ serviceName: "shop", namespace: "shop" }), state);
  expect([outcome.operation, outcome.state.id]).toEqual(["replace", other.id]);
  expect(await shown()).toMatchObject({ public_ip_enabled: false });
  expect(await shown(other.id)).toMatchObject({ public_ip_enabled: true });
});

it("forgets a deleted Service, then finds the next", async () => {
  const { state } = await up(world.run(), type, args(), undefined);
  await world.takeAway("nksLoadBalancers", state.id);
  const run = world.run();
  expect(await refresh(run, type, state)).toBeUndefined();
  expect(run.texts()).toContainEqual(
    expect.stringContaining(`${state.id}: it leaves the state. It was found with publicIpEnabled: false`),
  );
  await expect(world.run().of(type).delete(state.id, state.outs)).resolves.toBeUndefined();
  await place({ ...loadBalancerObject, id: other.id });
  expect((await up(world.run(), type, args(), undefined)).state.id).toBe(other.id);
});

it("records the original settings despite a lost response", async () => {
  await world.fault({ method: "PATCH", path: "load_balancers", status: 502, times: 1 });
  await expect(up(world.run(), type, args(), undefined)).rejects.toMatchObject({
    id: loadBalancerObject.id,
    properties: { __foundAs: { publicIpEnabled: false } },
  });
});

it("leaves an object alone if its original settings are unknown", async () => {
  const { state } = await up(world.run(), type, args(), undefined);
  const run = world.run();
  await run.of(type).delete(state.id, { ...state.outs, __foundAs: undefined });
  expect(await shown()).toMatchObject({ public_ip_enabled: true });
  expect(run.texts()).toEqual([
    `NKS load balancer ${state.id} stays as it is: the state does not know how it was found`,
  ]);
});
