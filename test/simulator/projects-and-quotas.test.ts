import { quotaWords, unshownQuotas } from "../../src/definition/quotas";
import { expectConflict, expectRejected, harnessForSuite, type Json, paths, requests } from "./support/harness";

const api = harnessForSuite();

it("the default region is the first live one", async () => {
  const { items } = await api.get("/v1/regions");
  expect(items).toMatchObject([{ name: "us-sva-2", availability: "live" }, { availability: "live" }, {}]);
  expect(api.region).toBe("us-sva-2");
  expect(await api.get("/v1/regions/us-sva-2")).toEqual((items as Json[])[0]);
  expect((await api.call("GET", "/v1/regions/nowhere")).status).toBe(404);
});

it("a project's name and tags change at once", async () => {
  const project = `/v1/projects/${await api.newProject()}`;
  const before = await api.get(project);
  await api.advance("1h");
  expect((await api.call("PATCH", project, { body: {} })).body).toEqual(before);
  const changed = await api.call("PATCH", project, { body: { name: "third", tags: ["a"] } });
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual({ ...before, name: "third", tags: ["a"], updated_at: "2026-03-01T13:00:00Z" });
  expect(await api.get(project)).toEqual(changed.body);
  await expectRejected(api, "PATCH", [project], { name: 1, id: "x" }, "id name");
  expect((await api.call("PATCH", "/v1/projects/nowhere", { body: {} })).status).toBe(404);
});

it("only an empty project can be deleted", async () => {
  const second = await api.newProject();
  const project = `/v1/projects/${second}`;
  const { at } = await api.create(paths.connections, { ...requests.connection, project_id: second });
  expectConflict(await api.call("DELETE", project));
  await api.call("DELETE", at);
  await api.advance("8s");
  expect(await api.call("DELETE", project)).toMatchObject({ status: 204, body: {} });
  expect((await api.call("DELETE", project)).status).toBe(404);
  expect(await api.get("/v1/projects")).toMatchObject({ pagination: { total_count: 1 } });
});

/* Quotas: section 2.11. */

it("shows every quota that the provider knows", async () => {
  const members = Object.entries(await api.get(`/v1/quotas/${api.region}`)).flatMap(([group, leaves]) =>
    group === "region" ? [] : Object.keys(leaves as Json).map((leaf) => `${group}.${leaf}`),
  );
  const unshown: readonly string[] = unshownQuotas.spec;
  const known = Object.keys(quotaWords).filter((name) => !unshown.includes(name));
  expect(members.sort()).toEqual(known.sort());
  expect((await api.call("GET", "/v1/quotas/nowhere")).status).toBe(404);
  expect(await api.get("/v1/quotas")).toMatchObject({ pagination: { total_count: 3 } });
});

it("a larger request is 409 until there is capacity", async () => {
  expect((await api.control("POST", "/capacity", { [api.region]: ["networking.vpcs"] })).body).toEqual({
    [api.region]: ["networking.vpcs"],
  });
  for (const at of [paths.vpcs, `${paths.vpcs}/availability`]) {
    const refused = await api.create(at, requests.vpc);
    expectConflict(refused);
    expect(refused.body["message"]).toContain("has no capacity for more vpcs now");
  }
  expect((await api.create(`${paths.vpcs}/availability`, { ...requests.vpc, region: "us-wdc-1" })).status).toBe(204);
  // An update that needs no additional quota is accepted.
  expect((await api.call("PATCH", `${paths.vpcs}/${api.vpcId}`, { body: { name: "x" } })).status).toBe(202);
  await api.control("POST", "/capacity", {});
  expect((await api.create(paths.vpcs, requests.vpc)).status).toBe(202);
});

it("a request that needs no capacity is accepted", async () => {
  await api.control("POST", "/capacity", { [api.region]: ["networking.public_ips"] });
  const ask = async (public_ip_enabled: boolean): Promise<number> =>
    (await api.create(`${paths.vms}/availability`, { ...requests.vm, public_ip_enabled })).status;
  expect([await ask(true), await ask(false)]).toEqual([409, 204]);
});
