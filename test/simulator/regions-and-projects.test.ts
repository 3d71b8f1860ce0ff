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
