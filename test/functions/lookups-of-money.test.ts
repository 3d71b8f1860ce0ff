import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "../../src";
import { refusalOf } from "./support";

/** The answers by path and query, with the observed members. */
const answers: Record<string, unknown> = {};
const urls: string[] = [];
let server: Server;

const organization = {
  ...{ id: "o-1", name: "acme", type: "company", personal: false, billing_email: null, billing_state: "active" },
  ...{ billing_state_since: "2026-01-01T00:00:00Z", charging_model: "prepaid", stripe_customer_id: null },
  domains: [{ id: "d", domain: "example.com", verified: true }],
  services: { cloud: true, jit_provisioning: false, scim: false, siem: false, sso: true },
  ...{ created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" },
};
const listOf = (items: readonly unknown[]): object => ({
  items,
  pagination: { next_cursor: null, previous_cursor: null, total_count: items.length },
});

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = decodeURIComponent(request.url ?? "");
    urls.push(url);
    const answer = answers[url];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        answer ?? {
          type: "NOT_FOUND_ERROR",
          message: url,
          request_id: "r",
          timestamp: "2026-01-01T00:00:00Z",
          context: { parameters: {} },
        },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  urls.length = 0;
  for (const url of Object.keys(answers)) Reflect.deleteProperty(answers, url);
  answers["/v1/organizations?limit=100"] = listOf([organization]);
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pulumi.runtime.setAllConfig({ "cloudinfra:apiKey": "key", "cloudinfra:baseUrl": baseUrl });
});

it("uses the organization of the key by default", async () => {
  answers["/v1/organizations/o-1/billing/summary"] = {
    ...{ daily_cost: "2.57", monthly_cost: "77.10", effective_balance: "9000.00", recharge_threshold_days: "7" },
    runway_months: null,
  };
  const summary = await cloudinfra.getBillingSummary();
  expect(summary).toEqual({
    ...{ dailyCost: "2.57", monthlyCost: "77.10", effectiveBalance: "9000.00", rechargeThresholdDays: "7" },
  });
  expect((await cloudinfra.getOrganizations()).map(({ services }) => services.sso)).toEqual([true]);
});

it("names the organizations if the key reaches several", async () => {
  answers["/v1/organizations?limit=100"] = listOf([organization, { ...organization, id: "o-2" }]);
  const { message } = await refusalOf(cloudinfra.getBillingSummary());
  expect(message).toBe('getBillingSummary needs "organizationId". The API key reaches o-1, o-2.');
});

it("sends days, months and filters as the API spells them", async () => {
  const organizationId = "o-1";
  answers["/v1/organizations/o-1/billing/cost?from=2026-01-01&to=2026-01-02"] = {
    ...{ currency: "USD", from: "2026-01-01", to: "2026-01-02", days: [{ date: "2026-01-01", cost: "2.57" }] },
  };
  const daily = await cloudinfra.getDailyCost({ organizationId, from: "2026-01-01", to: "2026-01-02" });
  expect(daily.days).toEqual([{ date: "2026-01-01", cost: "2.57" }]);

  const item = { dimension: "compute_n1", display_name: "n1", quantity_hours: "744", cost: "50.00", unit_price: null };
  const child = {
    dimension: "compute_vcpu",
    display_name: "vCPU",
    quantity_hours: "1488",
    cost: "50.00",
    unit_price: "0.03",
  };
  answers["/v1/organizations/o-1/billing/statements?month=2026-01"] = {
    ...{ currency: "USD", month: "2026-01", total: "50.00" },
    projects: [
      {
        ...{ project_id: "p", project_name: "default", subtotal: "50.00" },
        resource_types: [{ resource_type: "vm", subtotal: "50.00", items: [{ ...item, children: [child] }] }],
      },
    ],
  };
  const statement = await cloudinfra.getUsageStatement({ organizationId, month: "2026-01" });
  expect(statement.projects[0]?.resourceTypes[0]?.items[0]).toMatchObject({
    ...{ quantityHours: "744", cost: "50.00", children: [{ displayName: "vCPU", unitPrice: "0.03" }] },
  });

  const dimension = {
    id: "u",
    dimension: "storage_abs_gb",
    quantity: 100,
    started_at: "2026-01-01T00:00:00Z",
    ended_at: null,
  };
  const usage = {
    resource_id: "v",
    resource_type: "volume",
    project_id: "p",
    region: "us-sva-2",
    started_at: "x",
    ended_at: null,
  };
  answers["/v1/usage?limit=100&active_at_min=2026-01-01T00:00:00Z&resource_id=v"] = listOf([
    { ...usage, dimensions: [dimension] },
  ]);
  const used = await cloudinfra.getUsage({ resourceId: "v", activeAtMin: "2026-01-01T00:00:00Z" });
  expect(used).toMatchObject([{ resourceId: "v", dimensions: [{ quantity: 100 }] }]);

  const entry = { id: "h", type: "grant", amount: "100.00", currency: "USD", created_at: "2026-01-01T00:00:00Z" };
  answers["/v1/organizations/o-1/billing/history?limit=100&type=grant"] = listOf([
    { ...entry, purpose: "first_charge" },
  ]);
  const history = await cloudinfra.getBillingHistory({ organizationId, type: "grant" });
  expect(history).toEqual([
    {
      id: "h",
      type: "grant",
      amount: "100.00",
      currency: "USD",
      createdAt: "2026-01-01T00:00:00Z",
      purpose: "first_charge",
    },
  ]);
});

it("returns the named metrics of a VM, without gaps", async () => {
  answers["/v1/compute/vms/v/metrics?period=1h&metric=cpu/utilization,memory/used_bytes"] = {
    ...{
      vm_id: "v",
      start_time: "2026-01-01T00:00:00Z",
      end_time: "2026-01-01T02:00:00Z",
      period: "1h",
      aggregation: "mean",
    },
    metrics: [
      {
        ...{ metric: "cpu/utilization", unit: "ratio" },
        points: [
          { timestamp: "2026-01-01T01:00:00Z", value: 0.25 },
          { timestamp: "2026-01-01T02:00:00Z", value: null },
        ],
      },
    ],
  };
  const metric = ["cpu/utilization", "memory/used_bytes"];
  const { metrics } = await cloudinfra.getVmMetrics({ vmId: "v", period: "1h", metric });
  expect(metrics[0]?.points).toEqual([
    { timestamp: "2026-01-01T01:00:00Z", value: 0.25 },
    { timestamp: "2026-01-01T02:00:00Z" },
  ]);
});

it("shows the user of the key", async () => {
  answers["/v1/user"] = { id: "u", email: "me@example.com", first_name: "Me", last_name: null };
  expect(await cloudinfra.getUser()).toEqual({ id: "u", email: "me@example.com", firstName: "Me" });
});
