import { type Json, badParameters, connectionRequest, harnessForSuite } from "./support/harness";
import { connections } from "./support/paths";

const api = harnessForSuite();

describe("regions, projects and routes", () => {
  it("the default region is the first live one", async () => {
    const { body } = await api.call("GET", "/v1/regions");
    expect(body).toMatchObject({ items: [{ name: "us-sva-2", availability: "live" }, { availability: "live" }, {}] });
    expect(api.region).toBe("us-sva-2");
    expect((await api.call("GET", "/v1/regions/us-sva-2")).body).toEqual((body["items"] as Json[])[0]);
    expect((await api.call("GET", "/v1/regions/nowhere")).status).toBe(404);
  });

  it("a project's name and tags change at once", async () => {
    const project = `/v1/projects/${await api.newProject()}`;
    const { body: before } = await api.call("GET", project);
    await api.advance("1h");
    expect((await api.call("PATCH", project, { body: {} })).body).toEqual(before);
    const changed = await api.call("PATCH", project, { body: { name: "third", tags: ["a"] } });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...before, name: "third", tags: ["a"], updated_at: "2026-03-01T13:00:00Z" });
    expect((await api.call("GET", project)).body).toEqual(changed.body);
    expect(badParameters(await api.call("PATCH", project, { body: { name: 1, id: "x" } }))).toEqual(["id", "name"]);
    expect((await api.call("PATCH", "/v1/projects/nowhere", { body: {} })).status).toBe(404);
  });

  it("only an empty project can be deleted", async () => {
    const second = await api.newProject();
    const body = connectionRequest(second, api.region);
    const { body: operation } = await api.call("POST", connections, { body });
    const refused = await api.call("DELETE", `/v1/projects/${second}`);
    expect([refused.status, refused.headers["x-should-retry"]]).toEqual([409, "false"]);
    await api.call("DELETE", `${connections}/${String(operation["resource_id"])}`);
    await api.advance("8s");
    expect(await api.call("DELETE", `/v1/projects/${second}`)).toMatchObject({ status: 204, body: {} });
    expect((await api.call("DELETE", `/v1/projects/${second}`)).status).toBe(404);
    expect((await api.call("GET", "/v1/projects")).body).toMatchObject({ pagination: { total_count: 1 } });
  });
});
