import { resourceTypes } from "../../src/simulator/model/catalogues";
import { harnessForSuite, keyRequest, permissionOf } from "./support/harness";

const api = harnessForSuite();

describe("no escalation (section 5.4)", () => {
  const powers = ["api_key:edit", "vpc:read", "connect_connection:edit"];

  it.each([
    ["its own permissions", powers, undefined],
    ["less than its own", ["connect_connection:read"], undefined],
    ["edit where it may read", ["vpc:edit"], "PERMISSION_ESCALATION"],
    ["a type it has not", ["vpc:read", "vm:read"], "PERMISSION_ESCALATION"],
  ])("a key grants only its own permissions: %s", async (_name, permissions, type) => {
    const key = await api.newKey(powers);
    const body = { ...keyRequest(api.projectId), permissions: permissions.map(permissionOf) };
    const created = await api.call("POST", "/v1/api_keys", { key, body });
    expect([created.status, created.body["type"]]).toEqual(type ? [403, type] : [201, undefined]);
    expect((await api.state())["apiKeys"]).toHaveLength(type ? 2 : 3);

    const target = await api.call("POST", "/v1/api_keys", {
      body: { ...keyRequest(api.projectId), permissions: [permissionOf("vpc:read")] },
    });
    const path = `/v1/api_keys/${String(target.body["id"])}`;
    const change = { key, body: { permissions: body.permissions } };
    expect((await api.call("PATCH", `${path}/cost`, change)).body["type"]).toBe(type);
    const updated = await api.call("PATCH", path, change);
    expect([updated.status, updated.body["type"]]).toEqual(type ? [403, type] : [200, undefined]);
    expect((await api.call("GET", path)).body["permissions"]).toEqual(
      type ? [permissionOf("vpc:read")] : body.permissions,
    );
  });

  it("a project beyond the caller's is PROJECT_SCOPE_ESCALATION", async () => {
    const second = await api.newProject();
    const key = await api.newKey(powers);
    const target = await api.call("POST", "/v1/api_keys", {
      body: { ...keyRequest(api.projectId), permissions: [permissionOf("vpc:read")] },
    });
    const path = `/v1/api_keys/${String(target.body["id"])}`;
    const permissions = [permissionOf("vpc:read")];
    for (const project_ids of [[second], [api.projectId, second], ["nowhere"]]) {
      const body = { ...keyRequest(api.projectId), permissions, project_ids };
      const created = await api.call("POST", "/v1/api_keys", { key, body });
      expect([created.status, created.body["type"]]).toEqual([403, "PROJECT_SCOPE_ESCALATION"]);
      const updated = await api.call("PATCH", path, { key, body: { project_ids } });
      expect([updated.status, updated.body["type"]]).toEqual([403, "PROJECT_SCOPE_ESCALATION"]);
    }
    expect((await api.state())["apiKeys"]).toHaveLength(3);
    expect((await api.call("GET", path)).body["project_ids"]).toEqual([api.projectId]);
  });

  it("a weaker key cannot rename a stronger one", async () => {
    const key = await api.newKey(powers);
    const target = await api.call("POST", "/v1/api_keys", { body: keyRequest(api.projectId) });
    const path = `/v1/api_keys/${String(target.body["id"])}`;
    const updated = await api.call("PATCH", path, { key, body: { name: "mine" } });
    expect(updated.body["type"]).toBe("PERMISSION_ESCALATION");
    expect((await api.call("GET", path)).body["name"]).toBe("deployer");
  });

  it("a weaker key can weaken and delete a stronger one", async () => {
    const key = await api.newKey(powers);
    const body = { ...keyRequest(api.projectId), permissions: ["vm:edit", "vpc:read"].map(permissionOf) };
    const path = `/v1/api_keys/${String((await api.call("POST", "/v1/api_keys", { body })).body["id"])}`;
    const permissions = [permissionOf("vpc:read")];
    expect((await api.call("PATCH", path, { key, body: { permissions } })).status).toBe(200);
    expect((await api.call("GET", path)).body["permissions"]).toEqual(permissions);
    await api.call("PATCH", path, { body: { permissions: body.permissions } });
    expect((await api.call("DELETE", path, { key })).status).toBe(204);
    expect((await api.call("GET", path)).status).toBe(404);
  });

  it("the owner can give every permission", async () => {
    const key = await api.newKey(resourceTypes.map((type) => `${type}:edit`));
    expect((await api.call("GET", "/v1/audit_logs", { key })).status).toBe(200);
  });
});
