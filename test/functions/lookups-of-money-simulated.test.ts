import * as cloudinfra from "../../src";
import { configure, post, startApi } from "./support";
import { storage as storageType } from "../kinds/volume";
import { forSuite } from "../support/suite";

// As in lookups-of-money.test.ts, but with answers of the simulator, for a volume with a price.
const api = forSuite(
  () => startApi(),
  (made) => configure(made, { projectId: made.projectId, region: made.region }),
);

const MONEY = /^-?\d+(\.\d+)?$/;

it("shows the user and the organization of the key", async () => {
  const [organization, ...others] = await cloudinfra.getOrganizations();
  expect(others).toEqual([]);
  expect(await cloudinfra.getOrganization({ organizationId: organization?.id ?? "" })).toEqual(organization);
  expect(organization).toMatchObject({ type: expect.any(String) as unknown, services: { cloud: true } });
  expect(await cloudinfra.getUser()).toMatchObject({ email: expect.stringContaining("@") as unknown });
});

it("returns usage, costs and statements that agree", async () => {
  const volume = { name: "data", project_id: api.projectId, region: api.region, size: 100, type: storageType };
  const volumeId = String((await post(api, "/v1/compute/volumes", volume))["resource_id"]);
  await fetch(`${api.controlUrl}/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advance: "49h" }),
  });
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
  const history = await cloudinfra.getBillingHistory();
  expect(history.every(({ amount, currency }) => MONEY.test(amount) && currency === "USD")).toBe(true);
});

it("returns a VM's metrics for common times", async () => {
  const body = {
    ...{ name: "web", project_id: api.projectId, region: api.region, public_ip_enabled: false },
    ...{
      instance_type: "n1-standard-2",
      os_image_name: "ubuntu-noble-2025-10-01",
      boot_volume: { size: 64, type: storageType },
    },
    ...{ subnet_id: "00000000-0000-4000-8000-000000000004", ssh_key: { public_key: "ssh-ed25519 AAAAIGtleQ==" } },
  };
  const vmId = String((await post(api, "/v1/compute/vms", body))["resource_id"]);
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
