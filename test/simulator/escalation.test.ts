import { harnessForSuite, paths, permissionOf, requests } from "./support/harness";

const api = harnessForSuite();

/* No escalation: section 5.4. */

const powers = ["api_key:edit", "vpc:read", "connect_connection:edit"];
const weak = [permissionOf("vpc:read")];
const weakKey = () => api.create(paths.apiKeys, { ...requests.key, permissions: weak });

it.each([
  ["its own permissions", powers, undefined],
  ["less than its own", ["connect_connection:read"], undefined],
  ["edit if it may only read", ["vpc:edit"], "PERMISSION_ESCALATION"],
  ["a type that it lacks", ["vpc:read", "vm:read"], "PERMISSION_ESCALATION"],
])("a key grants only its own permissions: %s", async (_name, permissions, type) => {
  const key = await api.newKey(powers);
  const body = { ...requests.key, permissions: permissions.map(permissionOf) };
  const created = await api.create(paths.apiKeys, body, key);
  expect([created.status, created.body["type"]]).toEqual(type ? [403, type] : [201, undefined]);
  expect((await api.state())["apiKeys"]).toHaveLength(type ? 2 : 3);
  const { at } = await weakKey();
  const change = { key, body: { permissions: body.permissions } };
  expect((await api.call("PATCH", `${at}/cost`, change)).body["type"]).toBe(type);
  const updated = await api.call("PATCH", at, change);
  expect([updated.status, updated.body["type"]]).toEqual(type ? [403, type] : [200, undefined]);
  expect((await api.get(at))["permissions"]).toEqual(type ? weak : body.permissions);
});

it("a project beyond the caller's is PROJECT_SCOPE_ESCALATION", async () => {
  const second = await api.newProject();
  const key = await api.newKey(powers);
  const { at } = await weakKey();
  for (const project_ids of [[second], [api.projectId, second], ["nowhere"]]) {
    const body = { ...requests.key, permissions: weak, project_ids };
    for (const reply of [
      await api.create(paths.apiKeys, body, key),
      await api.call("PATCH", at, { key, body: { project_ids } }),
    ])
      expect([reply.status, reply.body["type"]]).toEqual([403, "PROJECT_SCOPE_ESCALATION"]);
  }
  expect((await api.state())["apiKeys"]).toHaveLength(3);
  expect((await api.get(at))["project_ids"]).toEqual([api.projectId]);
});

it("a weaker key cannot rename a stronger one", async () => {
  const key = await api.newKey(powers);
  const { at } = await api.create(paths.apiKeys, requests.key);
  const updated = await api.call("PATCH", at, { key, body: { name: "mine" } });
  expect(updated.body["type"]).toBe("PERMISSION_ESCALATION");
  expect((await api.get(at))["name"]).toBe("deployer");
});

it("a weaker key can weaken and delete a stronger one", async () => {
  const key = await api.newKey(powers);
  const body = { ...requests.key, permissions: ["vm:edit", "vpc:read"].map(permissionOf) };
  const { at } = await api.create(paths.apiKeys, body);
  expect((await api.call("PATCH", at, { key, body: { permissions: weak } })).status).toBe(200);
  expect((await api.get(at))["permissions"]).toEqual(weak);
  await api.call("PATCH", at, { body: { permissions: body.permissions } });
  expect((await api.call("DELETE", at, { key })).status).toBe(204);
  expect((await api.call("GET", at)).status).toBe(404);
});
