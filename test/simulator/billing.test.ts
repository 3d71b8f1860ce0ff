import Decimal from "decimal.js";
import { seededIds } from "../../src/simulator/model/catalogs";
import { badParameters, expectRejected, harnessForSuite, paths, requests, startTimes } from "./support/harness";
import type { Json, Reply } from "./support/harness";

const api = harnessForSuite({ operationTime: "0" });
beforeEach(() => api.call("DELETE", `${paths.vpcs}/${api.vpcId}`));

const own = `/v1/organizations/${seededIds.organization}`;
const billing = `${own}/billing`;

const post = (path: string, key: string | undefined, body?: Json): Promise<Reply> =>
  api.call("POST", `${billing}/${path}`, {
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
    ...(body === undefined ? {} : { body }),
  });

async function history(query = ""): Promise<Json[]> {
  return (await api.get(`${billing}/history?${query}`))["items"] as Json[];
}

const balance = async (): Promise<string> => String((await api.get(`${billing}/summary`))["effective_balance"]);

const policy = (body: Json): Promise<Reply> => api.call("PATCH", `${billing}/recharge_policy`, { body });
const automatic = (policy_args: Json): Promise<Reply> => policy({ policy: "automatic", policy_args });

/** Makes storage cost this amount a day. */
async function spendDaily(dollars: number): Promise<string> {
  await api.control("POST", "/prices", { storage_abs_gb: String(dollars) });
  return (await api.create(paths.volumes, { ...requests.volume, size: 30 })).at;
}

it("a top-up credits the balance once per idempotency key", async () => {
  const first = await post("topup", "attempt-1", { amount: "25.50" });
  expect([first.status, first.body["effective_balance"]]).toEqual([200, "10025.50"]);
  expect((await post("topup", "attempt-1", { amount: "25.50" })).body).toEqual(first.body);
  expect((await post("topup", "attempt-1", { amount: "25.5" })).body).toEqual(first.body);
  expect((await post("topup", "attempt-1", { amount: "30" })).status).toBe(409);
  expect((await post("topup", "attempt-2", { amount: "10" })).body["effective_balance"]).toBe("10035.50");
  expect(await history()).toMatchObject([
    { type: "grant", purpose: "manual_top_up", amount: "10.00", currency: "USD" },
    { amount: "25.50", receipt_url: expect.stringMatching(/^https:/) as string },
    { purpose: "first_charge", amount: "10000.00" },
  ]);
});

it("a repeated top-up gets its first answer", async () => {
  const first = await post("topup", "attempt-1", { amount: "25" });
  await post("topup", "attempt-2", { amount: "10" });
  expect((await post("topup", "attempt-1", { amount: "25" })).body).toEqual(first.body);
  expect(await balance()).toBe("10035.00");
});

it("a top-up needs an idempotency key", async () => {
  const reply = await post("topup", undefined, { amount: "10" });
  expect([reply.status, badParameters(reply)]).toEqual([400, ["Idempotency-Key"]]);
  expect(await history()).toHaveLength(1);
});

it.each(["0", "0.00", "10000.01", "1.001", "-1", "1e3", ""])("rejects a top-up of %p", async (amount) => {
  const reply = await post("topup", "attempt-1", { amount });
  expect([reply.status, badParameters(reply)]).toEqual([400, ["amount"]]);
});

it("accepts a top-up of 10000, and of a cent", async () => {
  expect((await post("topup", "a", { amount: "10000" })).status).toBe(200);
  expect((await post("topup", "b", { amount: "0.01" })).body["effective_balance"]).toBe("20000.01");
});

it("the billing history is filtered and sorted", async () => {
  await api.advance("1h");
  await post("topup", "a", { amount: "25" });
  const refund = { id: "refund", organization_id: seededIds.organization, type: "adjustment", amount: "-40.00" };
  const rest = { currency: "EUR", description: "goodwill", purpose: "refund", receipt_url: null };
  const at = { created_at: "2026-03-01T14:00:00Z", updated_at: "2026-03-01T14:00:00Z" };
  await api.place({ billingHistory: [{ ...refund, ...rest, ...at }] });
  const amounts = async (query: string) => (await history(query)).map(({ amount }) => amount);
  expect(await amounts("")).toEqual(["-40.00", "25.00", "10000.00"]);
  expect(await amounts("sort=amount:asc")).toEqual(["-40.00", "25.00", "10000.00"]);
  expect(await amounts("sort=amount:desc")).toEqual(["10000.00", "25.00", "-40.00"]);
  expect(await amounts("type=adjustment")).toEqual(["-40.00"]);
  expect(await amounts("purpose=manual_top_up")).toEqual(["25.00"]);
  expect(await amounts("currency=usd")).toEqual(["25.00", "10000.00"]);
  expect(await amounts("created_at_min=2026-03-01T13:00:00Z")).toEqual(["-40.00", "25.00"]);
  expect(await amounts("created_at_max=2026-03-01T13:00:00Z")).toEqual(["25.00", "10000.00"]);
  expect(await balance()).toBe("9985.00");
});

it.each([
  [{ policy: "automatic" }, "policy_args"],
  [{ policy: "manual", policy_args: { fixed: "1", runway_days: "1" } }, "policy_args"],
  [{ policy: "automatic", policy_args: { fixed: "1" } }, "policy_args.runway_days"],
  [{ policy: "automatic", policy_args: { fixed: "-1", runway_days: "1" } }, "policy_args.fixed"],
  [{}, "policy"],
])("rejects the recharge policy %j", async (body, bad) => {
  await expectRejected(api, "PATCH", [`${billing}/recharge_policy`], body, bad);
});

it("updates policy_since with each policy change", async () => {
  await api.advance("1h");
  const { body } = await automatic({ fixed: "50.00", runway_days: "7" });
  expect(body).toEqual({
    policy: "automatic",
    policy_args: { fixed: "50.00", runway_days: "7", monthly_cap: null },
    policy_since: "2026-03-01T13:00:00Z",
  });
  await api.advance("1h");
  await automatic({ fixed: "51.00", runway_days: "7" });
  expect((await api.get(`${billing}/recharge_policy`))["policy_since"]).toBe("2026-03-01T14:00:00Z");
  expect((await policy({ policy: "manual" })).body["policy_args"]).toBeNull();
});

it("charges the card when the balance falls below the threshold", async () => {
  await spendDaily(100);
  await automatic({ fixed: "50.00", runway_days: "10" });
  expect(await history()).toHaveLength(1);
  // 10,000 less 1,000 for ten days: at 100 a day that is 90 days from now.
  await api.advance("89d");
  expect(await history()).toHaveLength(1);
  await api.advance("2d");
  const [charge] = await history();
  expect(charge).toMatchObject({ purpose: "auto_recharge", type: "grant", created_at: "2026-05-31T12:00:00Z" });
  expect(Number(charge?.["amount"])).toBeCloseTo(3100, 1);
  await api.advance("300d");
  expect(await history()).toHaveLength(3);
  expect(Number(await balance())).toBeCloseTo(4000, 1);
});

it("a policy that the control port sets counts at once", async () => {
  const [held] = (await api.state())["rechargePolicies"] ?? [];
  const policy_args = { fixed: "10050.00", runway_days: "0", monthly_cap: null };
  const ids = { id: seededIds.rechargePolicy, organization_id: seededIds.organization };
  await api.place({ rechargePolicies: [{ ...ids, policy: "automatic", policy_args, ...startTimes }] });
  expect([held?.["policy"], await history()]).toMatchObject(["manual", [{ purpose: "auto_recharge" }, {}]]);
});

it("recharges to the fixed threshold if it is higher", async () => {
  await automatic({ fixed: "12000.00", runway_days: "1" });
  expect(await history()).toMatchObject([{ purpose: "auto_recharge", amount: "2000.00" }, {}]);
  expect(await balance()).toBe("12000.00");
});

it("spreads recharges beyond the monthly cap over later months", async () => {
  await automatic({ fixed: "10050.00", runway_days: "0", monthly_cap: "20.00" });
  for (const wait of ["20d", "11d", "30d", "31d"]) {
    await api.advance(wait);
    await balance();
  }
  const charges = await history("sort=created_at:asc&purpose=auto_recharge");
  expect(charges.map(({ amount, created_at }) => [amount, created_at])).toEqual([
    ["20.00", "2026-03-01T12:00:00Z"],
    ["20.00", "2026-04-01T12:00:00Z"],
    ["10.00", "2026-05-01T12:00:00Z"],
  ]);
});

it("a manual recharge has no cap, but needs a policy", async () => {
  expect((await post("recharge", "a")).status).toBe(409);
  expect((await post("recharge", undefined)).status).toBe(400);
  await automatic({ fixed: "10050.00", runway_days: "0", monthly_cap: "0" });
  expect((await post("recharge", undefined)).status).toBe(400);
  expect((await post("recharge", "a")).body["effective_balance"]).toBe("10050.00");
  expect((await post("recharge", "a")).status).toBe(200);
  expect(await history()).toMatchObject([{ purpose: "manual_recharge", amount: "50.00" }, {}]);
});

const state = async (): Promise<unknown[]> => {
  const { billing_state, billing_state_since } = await api.get(own);
  return [billing_state, billing_state_since];
};

it("an organization without funds needs action until a top-up", async () => {
  const volume = await spendDaily(1000);
  expect(await state()).toEqual(["active", "2026-03-01T12:00:00Z"]);
  await api.advance("20d");
  expect(await state()).toEqual(["requires_action", "2026-03-21T12:00:00Z"]);
  await api.call("DELETE", volume);
  expect(new Decimal(await balance()).plus(10_000).abs().lessThan(0.01)).toBe(true);
  await api.advance("1h");
  await post("topup", "a", { amount: "10000" });
  await post("topup", "b", { amount: "10" });
  expect(await state()).toEqual(["active", "2026-03-21T13:00:00Z"]);
});

it("another organization becomes active with its first charge", async () => {
  const { at } = await api.create("/v1/organizations", { name: "other" });
  const headers = { "idempotency-key": "a" };
  await api.call("POST", `${at}/billing/topup`, { body: { amount: "5" }, headers });
  expect((await api.get(at))["billing_state"]).toBe("active");
  const { items } = await api.get(`${at}/billing/history`);
  expect(items).toMatchObject([{ purpose: "first_charge", amount: "5.00" }]);
  expect(await balance()).toBe("10000.00");
});

it("a suspended organization stays suspended", async () => {
  await api.place({ organizations: [{ ...(await api.get(own)), billing_state: "suspended" }] });
  await post("topup", "a", { amount: "5" });
  expect((await state())[0]).toBe("suspended");
});
