import * as cloudinfra from "../../src";
import { configure, makeVm, post, refusalOf, sendControl, startApi } from "./support";
import { storage as storageType } from "../kinds/volume";
import { forSuite } from "../support/suite";

const api = forSuite(
  () => startApi(),
  (made) => configure(made, { projectId: made.projectId, region: made.region }),
);

const MONEY = /^-?\d+(\.\d+)?$/;
const PREFIX = "compute.nirvanalabs.io/vm/";

it("shows the user and the organization of the key", async () => {
  const [organization, ...others] = await cloudinfra.getOrganizations();
  expect(others).toEqual([]);
  expect(await cloudinfra.getOrganization({ organizationId: organization?.id ?? "" })).toEqual(organization);
  expect(organization).toMatchObject({ type: expect.any(String) as unknown, services: { cloud: true } });
  expect(await cloudinfra.getUser()).toMatchObject({ email: expect.stringContaining("@") as unknown });
});

it("names the organizations if the key reaches several", async () => {
  const [own] = await cloudinfra.getOrganizations();
  const other = await post(api, "/v1/organizations", { name: "other" });
  const { message } = await refusalOf(cloudinfra.getBillingSummary());
  expect(message).toBe(
    `getBillingSummary needs "organizationId". The API key reaches ${own!.id}, ${String(other["id"])}.`,
  );
});

it("returns usage, costs and statements that agree", async () => {
  const volume = { name: "data", project_id: api.projectId, region: api.region, size: 100, type: storageType };
  const volumeId = String((await post(api, "/v1/compute/volumes", volume))["resource_id"]);
  await makeVm(api, "web");
  await sendControl(api, "/clock", { advance: "49h" });
  const usage = await cloudinfra.getUsage({ resourceId: volumeId });
  expect(usage).toMatchObject([
    { resourceId: volumeId, resourceType: "volume", dimensions: [{ dimension: "storage_abs_gb", quantity: 100 }] },
  ]);
  const summary = await cloudinfra.getBillingSummary();
  expect([summary.dailyCost, summary.monthlyCost, summary.effectiveBalance]).toEqual([
    expect.stringMatching(MONEY),
    expect.stringMatching(MONEY),
    expect.stringMatching(MONEY),
  ]);
  expect(Number(summary.monthlyCost)).toBeGreaterThan(0);
  const daily = await cloudinfra.getDailyCost();
  expect(daily.days.filter(({ cost }) => Number(cost) > 0).length).toBeGreaterThanOrEqual(2);
  const [from, to] = daily.days.slice(-2).map(({ date }) => date);
  expect((await cloudinfra.getDailyCost({ from, to })).days).toMatchObject([{ date: from }, { date: to }]);
  const months = [...new Set(daily.days.map(({ date }) => date.slice(0, 7)))];
  const statements = await Promise.all(months.map((month) => cloudinfra.getUsageStatement({ month })));
  const items = statements.flatMap(({ projects }) =>
    projects.flatMap(({ resourceTypes }) => resourceTypes.flatMap((type) => type.items)),
  );
  const storage = items.find(({ dimension }) => dimension === "storage_abs_gb");
  expect([storage?.displayName, Number(storage?.cost) > 0, storage?.children]).toEqual([
    expect.any(String) as unknown,
    true,
    [],
  ]);
  const [child] = items.flatMap(({ children }) => children);
  expect(child).toMatchObject({
    displayName: expect.any(String) as unknown,
    unitPrice: expect.stringMatching(MONEY) as unknown,
  });
  const history = await cloudinfra.getBillingHistory({ type: "grant" });
  expect(history.map(({ currency, amount }) => [currency, MONEY.test(amount)])).toEqual([["USD", true]]);
  expect(await cloudinfra.getBillingHistory({ type: "adjustment" })).toEqual([]);
});

it("returns a VM's metrics for common times", async () => {
  const vmId = await makeVm(api, "web");
  const shown = await cloudinfra.getVmMetrics({ vmId });
  expect(shown).toMatchObject({
    vmId,
    period: expect.any(String) as unknown,
    aggregation: expect.any(String) as unknown,
  });
  const grids = shown.metrics.map(({ points }) => points.map(({ timestamp }) => timestamp).join());
  expect(shown.metrics.length).toBeGreaterThan(1);
  expect(new Set(grids).size).toBe(1);
});

it("returns the named metrics of a VM, without gaps", async () => {
  const vmId = await makeVm(api, "web");
  const metric = ["memory/used_bytes", "cpu/utilization"].map((name) => PREFIX + name);
  const { metrics } = await cloudinfra.getVmMetrics({ vmId, period: "15m", metric });
  expect(metrics.map((series) => series.metric)).toEqual(metric);
  // The VM is new, so the first point has no value.
  expect(Object.keys(metrics[0]?.points[0] ?? {})).toEqual(["timestamp"]);
});
