import { UNKNOWN } from "../../src/engine/values";
import { sent, type TestRun } from "../support/lifecycle";
import { World } from "../support/world";

const world = World.forSuite();

/** What a preview says of one new resource: the reasons why it fails, and the warnings. */
async function previewed(
  type: string,
  args: object = {},
  { run = world.run(), name = "x" }: { readonly run?: TestRun; readonly name?: string } = {},
): Promise<{ readonly failures: string[]; readonly warnings: string[] }> {
  const before = run.lines.length;
  const props = sent(type, name, world.args(type, args));
  const { failures } = await run.of(type).check({}, props);
  const warnings = run.lines.slice(before).filter(({ severity }) => severity === "warning");
  return { failures: failures.map(({ reason }) => reason), warnings: warnings.map(({ text }) => text) };
}

/** A pool of a cluster that this run makes: its body cannot be shown to the API yet. */
const pool = (run?: TestRun): ReturnType<typeof previewed> =>
  previewed("NksNodePool", { clusterId: UNKNOWN }, run ? { run } : {});

/** The instance types as the API lists them from now on. */
async function list(items: readonly object[], total_count = items.length): Promise<void> {
  const body = JSON.stringify({ items, pagination: { next_cursor: null, previous_cursor: null, total_count } });
  await world.fault({ path: "/v1/instance_types$", body, every: 1 });
}

const other = (): object => ({
  name: "n1-highmem-64",
  family: "n1",
  series: "highmem",
  chipset: "amd",
  vcpu: 64,
  memory_gb: 512,
  network_bandwidth_gbps: 10,
  region: world.simulator.region,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
});

describe("when a list of the API lacks a value", () => {
  it("accepts a value that another request has accepted", async () => {
    await list([other()]);
    const run = world.run();
    expect((await previewed("Vm", {}, { run, name: "web" })).failures).toEqual([]);
    expect(await pool(run)).toEqual({ failures: [], warnings: [] });
  });

  it("refuses a value that no list or request confirms", async () => {
    await list([other()]);
    expect((await pool()).failures).toEqual([expect.stringContaining("there is no instance type")]);
  });

  it.each([
    ["is empty", (): Promise<void> => list([]), /exists: the list is empty$/],
    ["is cut short", (): Promise<void> => list([other()], 30), /exists: the list shows 1 of 30$/],
  ])("passes with one warning because the list %s", async (_case, arm, reason) => {
    await arm();
    const run = world.run();
    const first = await pool(run);
    expect(first.failures).toEqual([]);
    expect(first.warnings).toEqual([expect.stringMatching(reason)]);
    expect(await pool(run)).toEqual({ failures: [], warnings: [] });
    await world.clearFaults();
    expect(await pool()).toEqual({ failures: [], warnings: [] });
  });

  it("passes if the list shows none of the region", async () => {
    await list([other()]);
    const { run, lines } = world.run();
    const inRegion = async (region: string): Promise<string | undefined> =>
      (await run.catalogs.absence("instanceType", "n1-huge", { projectId: undefined, region }))?.missing;
    expect(await inRegion("us-wdc-1")).toBeUndefined();
    expect(lines.map(({ text }) => text)).toEqual([expect.stringMatching(/exists: the list is empty for us-wdc-1$/)]);
    expect(await inRegion(world.simulator.region)).toMatch(/^there is no instance type "n1-huge" in /);
  });

  it("refuses a value that only another region has accepted", async () => {
    await list([other()]);
    const { catalogs } = world.run().run;
    const around = { projectId: undefined, region: world.simulator.region };
    catalogs.note("instanceType", "n1-huge", { ...around, region: "elsewhere" });
    expect(await catalogs.absence("instanceType", "n1-huge", { ...around, region: undefined })).toBeUndefined();
    const absence = await catalogs.absence("instanceType", "n1-huge", around);
    expect(absence?.missing).toContain("there is no instance type");
  });
});

describe.each([
  ["availability", "Volume"],
  ["cost", "ConnectConnection"],
])("when %s answers with a foreign error", (at, type) => {
  it.each([400, 422, 409, 404])("passes with one warning after %i", async (ingress) => {
    await world.fault({ path: `/${at}$`, ingress, every: 1 });
    const run = world.run();
    const args = { vmId: undefined };
    const first = await previewed(type, args, { run, name: "first" });
    expect(first.failures).toEqual([]);
    expect(first.warnings).toEqual([
      expect.stringMatching(new RegExp(`^(the API could not check it|cost unknown): .* failed: ${ingress}`)),
    ]);
    const second = await previewed(type, args, { run, name: "second" });
    expect(second).toEqual({ failures: [], warnings: [] });
    await world.clearFaults();
    expect(await previewed(type, args)).toEqual({ failures: [], warnings: [] });
  });
});
