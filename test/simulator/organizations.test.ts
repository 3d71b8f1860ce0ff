import { seededIds } from "../../src/simulator/model/catalogs";
import { expectConflict, expectRejected, harnessForSuite, type Json, type Reply, startTimes } from "./support/harness";

const api = harnessForSuite();

const organizations = "/v1/organizations";
const own = `${organizations}/${seededIds.organization}`;

const newOrganization = () => api.create(organizations, { name: "other" });

it("a new organization has its owner and no funds", async () => {
  const { status, body, at } = await newOrganization();
  expect(status).toBe(201);
  const unfunded = { billing_state: "unfunded", charging_model: "prepaid", personal: false };
  expect(body).toMatchObject({ name: "other", ...unfunded });
  const { items } = await api.get(`${at}/memberships`);
  expect(items).toMatchObject([{ user_id: seededIds.owner, role: "owner" }]);
  expect(await api.get(`${at}/billing/recharge_policy`)).toMatchObject({ policy: "manual" });
});

it("a key sees only its own organization", async () => {
  const { at } = await newOrganization();
  const key = await api.newKey(["organization:edit", "usage:read"]);
  const { items } = await api.get(organizations, key);
  expect((items as Json[]).map(({ id }) => id)).toEqual([seededIds.organization]);
  for (const path of ["", "/memberships", "/address", "/billing/summary", "/billing/history"]) {
    expect([path, (await api.call("GET", at + path, { key })).status]).toEqual([path, 403]);
  }
});

it("null clears the billing address", async () => {
  await api.call("PATCH", own, { body: { billing_email: "money@example.invalid" } });
  const { body } = await api.call("PATCH", own, { body: { name: "renamed" } });
  expect(body).toMatchObject({ name: "renamed", billing_email: "money@example.invalid" });
  expect((await api.call("PATCH", own, { body: { billing_email: null } })).body["billing_email"]).toBeNull();
});

it("one of several owners can leave the organization", async () => {
  const { id, at } = await newOrganization();
  const leave = (path: string): Promise<Reply> => api.call("POST", `${path}/leave`);
  const join = (organization_id: string, role: string): Promise<Reply> => {
    const membership = { id: `in ${organization_id}`, organization_id, user_id: "somebody", role, ...startTimes };
    return api.place({ memberships: [membership] });
  };
  expectConflict(await leave(at));
  expectConflict(await leave(own));
  await join(id, "member");
  expectConflict(await leave(at));
  await join(id, "owner");
  expect((await leave(at)).status).toBe(204);
  expect((await api.call("GET", at)).status).toBe(403);
  await join(seededIds.organization, "owner");
  expectConflict(await leave(own));
});

it("null clears the optional lines of its only address", async () => {
  const body = { line1: "123 Main St", line2: "Suite 400", city: "Berlin", postal_code: "10115", country: "DE" };
  const address = `${own}/address`;
  expect((await api.call("GET", address)).status).toBe(404);
  expect((await api.call("PATCH", address, { body: { city: "Bonn" } })).status).toBe(404);
  const made = await api.create(address, body);
  expect([made.status, made.body]).toEqual([201, expect.objectContaining({ ...body, state: null, tax_id: null })]);
  expectConflict(await api.create(address, body));
  const change = { line2: null, tax_id: "EU372000000", tax_id_type: "eu_vat" };
  await api.call("PATCH", address, { body: change });
  expect(await api.get(address)).toMatchObject({ ...body, ...change, organization_id: seededIds.organization });
  await expectRejected(api, "PATCH", [address], { city: null, country: "Germany" }, "city country");
  const { auditLogs } = await api.state();
  expect(auditLogs?.find(({ action }) => action === "organization_address.create")).toMatchObject({
    status_code: 201,
    target: { id: made.id, type: "organization_address" },
  });
});

const security = "/v1/user/security";

it("the user behind each key is the owner", async () => {
  const key = await api.newKey(["vm:read"]);
  expect(await api.get("/v1/user", key)).toMatchObject({ id: seededIds.owner });
  expect((await api.call("GET", security, { key })).status).toBe(403);
});

it("refuses IP rules that exclude the request's own address", async () => {
  const rule = (allowed: string[], blocked: string[] = []) =>
    api.call("PATCH", security, { body: { source_ip_rule: { allowed, blocked } } });
  expectConflict(await rule(["10.0.0.0/8"]));
  expectConflict(await rule([], ["127.0.0.1"]));
  expect((await api.get(security))["source_ip_rule"]).toEqual({ allowed: [], blocked: [] });
  await api.advance("1h");
  const { status, body } = await rule(["127.0.0.0/8"]);
  const times = { created_at: "2026-03-01T12:00:00Z", updated_at: "2026-03-01T13:00:00Z" };
  expect([status, body]).toEqual([200, { source_ip_rule: { allowed: ["127.0.0.0/8"], blocked: [] }, ...times }]);
  expect(await api.get(security)).toEqual(body);
  expect((await api.call("PATCH", security, { body: {} })).body).toEqual(body);
});
