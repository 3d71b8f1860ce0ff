import { harnessForSuite, type Json, paths, requests, startOfTime, withHarness } from "./support/harness";

const api = harnessForSuite();

const names = { dimension: "networking_connect_mbps", dimension_display_name: "Connect bandwidth (Mbps)" };
const link = (bandwidth_mbps: number): Json => ({ ...requests.connection, bandwidth_mbps });
const quote = async (path: string, body: Json, key?: string): Promise<Json> => {
  const reply = await api.create(path, body, key);
  expect(reply.status).toBe(200);
  return reply.body;
};
const monthly = (quoted: Json, summary: string): unknown => (quoted[summary] as Json)["monthly_cost"];
/** The monthly cost of all running resources. */
const current = async (): Promise<unknown> =>
  monthly(await quote(`${paths.connections}/cost`, link(50)), "current_summary");

/* The quote of a proposed resource: section 2.6. */

it.each([
  [50, "78.125"],
  [200, "312.50"],
  [500, "781.25"],
  [1000, "1562.50"],
  [2000, "3125.00"],
])("quotes %i Mbps at %s a month, in one row", async (mbps, amount) => {
  const key = await api.newKey(["connect_connection:read"]);
  const usage = { ...names, quantity: mbps, unit_price: "1.5625", monthly_amount: amount };
  const quoted = { currency: "USD", monthly_total: amount, priced_at: "2026-03-01T12:00:00Z" };
  const shown = await quote(`${paths.connections}/cost`, link(mbps), key);
  expect(shown).toEqual({ ...quoted, usage_dimensions: [usage] });
  expect((await api.state())["connections"]).toEqual([]);
});

it("a price of zero has a row too", async () => {
  for (const [path, body, price] of [
    [paths.rules, requests.rule, "0.00"],
    [paths.apiKeys, requests.key, "0.00"],
    [paths.vpcs, requests.vpc, "7.30"],
  ] as const) {
    expect(await quote(`${path}/cost`, body)).toMatchObject({
      monthly_total: price,
      usage_dimensions: [{ quantity: 1, unit_price: price, monthly_amount: price }],
    });
  }
  expect(await api.state()).toMatchObject({ firewallRules: [], vpcs: [{}], apiKeys: [{}] });
});

it("uses a changed price exactly in the next quote", async () => {
  await api.control("POST", "/prices", { networking_connect_mbps: "0.1000000000000000000001" });
  expect(await quote(`${paths.connections}/cost`, link(2000))).toMatchObject({
    monthly_total: "200.0000000000000000002",
    usage_dimensions: [{ unit_price: "0.1000000000000000000001" }],
  });
  const prices = { networking_firewall_rule: "0.1", networking_connect_mbps: "999999999999999999.99" };
  await api.control("POST", "/prices", prices);
  const large = await quote(`${paths.connections}/cost`, link(50));
  expect(large).toMatchObject({ monthly_total: "49999999999999999999.50" });
  expect(await quote(`${paths.rules}/cost`, requests.rule)).toMatchObject({ monthly_total: "0.10" });
});

it("a quantity of zero has no row", async () => {
  const dimensionsOf = ({ usage_dimensions: rows }: Json): unknown[] => (rows as Json[]).map((row) => row["dimension"]);
  const address = "networking_public_ip";
  const withAddress = await quote(`${paths.vms}/cost`, { ...requests.vm, public_ip_enabled: true });
  const without = await quote(`${paths.vms}/cost`, { ...requests.vm, public_ip_enabled: false });
  expect(dimensionsOf(without)).toEqual(dimensionsOf(withAddress).filter((dimension) => dimension !== address));
  expect(dimensionsOf(withAddress)).toContain(address);
});

/* The quote of an update: section 2.6. */

it("shows a removed dimension in the difference only", async () => {
  const { at } = await api.create(paths.vms, { ...requests.vm, public_ip_enabled: true });
  await api.advance("8s");
  const { body } = await api.call("PATCH", `${at}/cost`, { body: { public_ip_enabled: false } });
  const addressIn = (side: string): Json | undefined =>
    ((body[side] as Json)["usage_dimensions"] as Json[]).find((row) => row["dimension"] === "networking_public_ip");
  expect(addressIn("after")).toBeUndefined();
  expect(addressIn("diff")).toMatchObject({
    before: { quantity: 1, unit_price: "3.65", monthly_amount: "3.65" },
    after: { quantity: 0, unit_price: "3.65", monthly_amount: "0.00" },
    monthly_amount_delta: "-3.65",
  });
});

it("an unpriced update changes the price by zero", async () => {
  const { at } = await api.create(paths.connections, link(200));
  await api.advance("8s");
  const before = await api.state();
  const reply = await api.call("PATCH", `${at}/cost`, { body: { name: "other", tags: ["x"] } });
  const { current_summary: current, updated_summary: updated, ...body } = reply.body;
  const amounts = { quantity: 200, unit_price: "1.5625", monthly_amount: "312.50" };
  const quoted = { monthly_total: "312.50", usage_dimensions: [{ ...names, ...amounts }] };
  expect(body).toEqual({
    currency: "USD",
    priced_at: "2026-03-01T12:00:08Z",
    before: quoted,
    after: quoted,
    diff: {
      monthly_total_delta: "0.00",
      usage_dimensions: [{ ...names, before: amounts, after: amounts, monthly_amount_delta: "0.00" }],
    },
  });
  expect(updated).toEqual(current);
  expect(await api.state()).toEqual(before);
});

it("summaries add the proposal to the present cost", async () => {
  const first = await quote(`${paths.connections}/cost`, link(500));
  expect([monthly(first, "current_summary"), monthly(first, "updated_summary")]).toEqual(["7.30", "788.55"]);
  expect(first["current_summary"]).toEqual({
    monthly_cost: "7.30",
    daily_cost: "0.2433",
    effective_balance: "10000.00",
    recharge_threshold_days: "7.00",
    runway_months: "1369.86",
    estimated_next_charge_at: expect.stringMatching(/Z$/) as string,
  });

  const { at } = await api.create(paths.connections, link(200));
  expect(await current()).toBe("7.30");
  await api.advance("8s");
  const second = await quote(`${paths.connections}/cost`, link(50));
  expect([monthly(second, "current_summary"), monthly(second, "updated_summary")]).toEqual(["319.80", "397.925"]);

  await api.call("DELETE", at);
  expect(await current()).toBe("319.80");
  await api.advance("8s");
  expect(await current()).toBe("7.30");
});

it("both summaries are of the same time", () => {
  let nowMs = startOfTime;
  return withHarness({ clock: { now: () => (nowMs += 86_400_000) } }, async (hurried) => {
    const key = { ...requests.key, expires_at: "2026-12-01T00:00:00Z" };
    const { body } = await hurried.create(`${paths.apiKeys}/cost`, key);
    expect(body["updated_summary"]).toEqual(body["current_summary"]);
    expect(body).toHaveProperty("updated_summary");
  });
});

it("summaries have no next charge if nothing costs anything", async () => {
  await api.control("POST", "/prices", { networking_vpc: "0" });
  const quoted = await quote(`${paths.apiKeys}/cost`, requests.key);
  const nothing = { monthly_cost: "0.00", estimated_next_charge_at: null, runway_months: null };
  expect(quoted["current_summary"]).toMatchObject(nothing);
});

it("a caller without usage:read gets no summaries", async () => {
  const blind = await api.newKey(["connect_connection:read"]);
  const quoted = await quote(`${paths.connections}/cost`, link(50), blind);
  expect(Object.keys(quoted).sort()).toEqual(["currency", "monthly_total", "priced_at", "usage_dimensions"]);
  const seeing = await api.newKey(["connect_connection:read", "usage:read"]);
  expect(await quote(`${paths.connections}/cost`, link(50), seeing)).toHaveProperty("updated_summary");
});
