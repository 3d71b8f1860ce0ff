import { seededIds } from "../../src/simulator/model/catalogues";
import { badParameters, harnessForSuite, type Json, type Reply } from "./support/harness";

const api = harnessForSuite();

const organizations = "/v1/organizations";
const own = `${organizations}/${seededIds.organization}`;
const times = { created_at: "2026-03-01T12:00:00Z", updated_at: "2026-03-01T12:00:00Z" };

async function newOrganization(): Promise<string> {
  return String((await api.call("POST", organizations, { body: { name: "other" } })).body["id"]);
}

describe("organizations", () => {
  it("a new organization has its owner and no funds", async () => {
    const { status, body } = await api.call("POST", organizations, { body: { name: "other" } });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ name: "other", billing_state: "unfunded", charging_model: "prepaid", personal: false }),
    ]);
    const at = `${organizations}/${String(body["id"])}`;
    const members = await api.call("GET", `${at}/memberships`);
    expect(members.body["items"]).toMatchObject([{ user_id: seededIds.owner, role: "owner" }]);
    expect((await api.call("GET", `${at}/billing/recharge_policy`)).body).toMatchObject({ policy: "manual" });
  });

  it("a key sees only its own organization", async () => {
    const other = await newOrganization();
    const key = await api.newKey(["organization:edit", "usage:read"]);
    const { body } = await api.call("GET", organizations, { key });
    expect((body["items"] as Json[]).map(({ id }) => id)).toEqual([seededIds.organization]);
    for (const path of ["", "/memberships", "/address", "/billing/summary", "/billing/history"]) {
      expect([path, (await api.call("GET", `${organizations}/${other}${path}`, { key })).status]).toEqual([path, 403]);
    }
  });

  it("null clears the billing address", async () => {
    await api.call("PATCH", own, { body: { billing_email: "money@example.invalid" } });
    expect((await api.call("PATCH", own, { body: { name: "renamed" } })).body).toMatchObject({
      name: "renamed",
      billing_email: "money@example.invalid",
    });
    expect((await api.call("PATCH", own, { body: { billing_email: null } })).body["billing_email"]).toBeNull();
  });

  it("one of several owners can leave it", async () => {
    const other = await newOrganization();
    const leave = (id: string): Promise<Reply> => api.call("POST", `${organizations}/${id}/leave`);
    expect([(await leave(other)).status, (await leave(seededIds.organization)).status]).toEqual([409, 409]);
    const membership = { id: "second", organization_id: other, user_id: "somebody", ...times };
    await api.control("POST", "/state", { memberships: [{ ...membership, role: "member" }] });
    expect((await leave(other)).status).toBe(409);
    await api.control("POST", "/state", { memberships: [{ ...membership, role: "owner" }] });
    expect((await leave(other)).status).toBe(204);
    expect((await api.call("GET", `${organizations}/${other}`)).status).toBe(403);
    const beside = { ...membership, id: "beside", organization_id: seededIds.organization, role: "owner" };
    await api.control("POST", "/state", { memberships: [beside] });
    expect((await leave(seededIds.organization)).status).toBe(409);
  });

  it("null clears the optional lines of its only address", async () => {
    const body = { line1: "123 Main St", line2: "Suite 400", city: "Berlin", postal_code: "10115", country: "DE" };
    expect((await api.call("GET", `${own}/address`)).status).toBe(404);
    expect((await api.call("PATCH", `${own}/address`, { body: { city: "Bonn" } })).status).toBe(404);
    const made = await api.call("POST", `${own}/address`, { body });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ ...body, state: null, tax_id: null })]);
    expect((await api.call("POST", `${own}/address`, { body })).status).toBe(409);
    await api.call("PATCH", `${own}/address`, { body: { line2: null, tax_id: "EU372000000", tax_id_type: "eu_vat" } });
    expect((await api.call("GET", `${own}/address`)).body).toMatchObject({
      ...{ ...body, line2: null, tax_id: "EU372000000", organization_id: seededIds.organization },
    });
    expect(
      badParameters(await api.call("PATCH", `${own}/address`, { body: { city: null, country: "Germany" } })),
    ).toEqual(["city", "country"]);
    const { auditLogs } = await api.state();
    expect(auditLogs?.filter(({ action }) => action === "organization_address.create")[0]).toMatchObject({
      status_code: 201,
      target: { id: made.body["id"], type: "organization_address" },
    });
  });
});

describe("the user behind a key", () => {
  const security = "/v1/user/security";

  it("the user behind each key is the owner", async () => {
    const key = await api.newKey(["vm:read"]);
    expect((await api.call("GET", "/v1/user", { key })).body).toMatchObject({ id: seededIds.owner });
    expect((await api.call("GET", security, { key })).status).toBe(403);
  });

  it("refuses IP rules that exclude the request's own address", async () => {
    const rule = (allowed: string[], blocked: string[] = []) =>
      api.call("PATCH", security, { body: { source_ip_rule: { allowed, blocked } } });
    expect((await rule(["10.0.0.0/8"])).status).toBe(409);
    expect((await rule([], ["127.0.0.1"])).status).toBe(409);
    expect((await api.call("GET", security)).body["source_ip_rule"]).toEqual({ allowed: [], blocked: [] });
    await api.advance("1h");
    const { status, body } = await rule(["127.0.0.0/8"]);
    expect([status, body]).toEqual([
      200,
      {
        source_ip_rule: { allowed: ["127.0.0.0/8"], blocked: [] },
        created_at: "2026-03-01T12:00:00Z",
        updated_at: "2026-03-01T13:00:00Z",
      },
    ]);
    expect((await api.call("GET", security)).body).toEqual(body);
    expect((await api.call("PATCH", security, { body: {} })).body).toEqual(body);
  });
});
