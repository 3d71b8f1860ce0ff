import { billing, checkedTotal, sum, written, type Leaf } from "./support/billing";
import { expectRejected, harnessForSuite, type Json, paths, requests } from "./support/harness";

const api = harnessForSuite({ operationTime: "0" });
const slow = harnessForSuite({ operationTime: "1h" });

const made = async (path: string, body: Json): Promise<string> => (await api.create(path, body)).id;

const usageOf = async (id: string): Promise<readonly Leaf[]> =>
  (await api.get(`/v1/usage/${id}`))["dimensions"] as Leaf[];

describe("usage", () => {
  it("usage is metered from creation to deletion", async () => {
    const { id, at } = await slow.create(paths.volumes, requests.volume);
    await slow.advance("10h");
    await slow.call("DELETE", at);
    await slow.advance("10h");
    expect(await slow.get(`/v1/usage/${id}`)).toMatchObject({
      resource_type: "volume",
      project_id: slow.projectId,
      region: slow.region,
      started_at: "2026-03-01T13:00:00Z",
      ended_at: "2026-03-01T23:00:00Z",
      dimensions: [{ dimension: "storage_abs_gb", quantity: 20, ended_at: "2026-03-01T23:00:00Z" }],
    });
  });

  it("a failed creation is not metered", async () => {
    await api.fault({ path: "/volumes$", operation: "fail", times: 1 });
    const id = await made(paths.volumes, requests.volume);
    await api.advance("1h");
    expect((await api.call("GET", `/v1/usage/${id}`)).status).toBe(404);
  });

  it("ends only the bundle if the instance type changes", async () => {
    const id = await made(paths.vms, requests.vm);
    await api.advance("1h");
    await api.call("PATCH", `${paths.vms}/${id}`, { body: { instance_type: "n1-standard-4" } });
    const [first, address, second] = await usageOf(id);
    const changed = "2026-03-01T13:00:00Z";
    expect(first).toMatchObject({ dimension: "compute_n1_standard_2", quantity: 1, ended_at: changed });
    expect(first?.children).toMatchObject([
      { dimension: "compute_vcpu", quantity: 2, ended_at: changed },
      { dimension: "compute_memory_gb", quantity: 8, ended_at: changed },
    ]);
    expect(address).toMatchObject({ dimension: "networking_public_ip", quantity: 1, ended_at: null });
    expect(address).not.toHaveProperty("children");
    expect(second).toMatchObject({ dimension: "compute_n1_standard_4", started_at: changed, ended_at: null });
  });

  it("starts no new usage for a change without a price", async () => {
    const id = await made(paths.volumes, requests.volume);
    const before = await usageOf(id);
    await api.advance("1h");
    await api.call("PATCH", `${paths.volumes}/${id}`, { body: { name: "renamed" } });
    expect(await usageOf(id)).toEqual(before);
  });

  it("usage is filtered, and limited to the key's projects", async () => {
    const volume = await made(paths.volumes, requests.volume);
    await api.advance("2h");
    const vm = await made(paths.vms, requests.vm);
    await api.call("DELETE", `${paths.volumes}/${volume}`);
    await api.advance("1h");
    const listed = async (query: string, key?: string) =>
      ((await api.get(`/v1/usage?${query}`, key))["items"] as Json[]).map(({ resource_id }) => resource_id);
    const all = await listed("");
    expect(all).toEqual([api.vpcId, volume, vm, expect.any(String)]);
    expect(await listed("sort=created_at:desc")).toEqual([...all].reverse());
    expect(await listed("resource_type=vm")).toEqual([vm]);
    expect(await listed("dimension=compute_vcpu")).toEqual([vm]);
    expect(await listed("dimension=storage_abs_gb")).toEqual([volume]);
    expect(await listed(`resource_id=${vm}`)).toEqual([vm]);
    expect(await listed("region=us-wdc-1")).toEqual([]);
    expect(await listed("active_at_max=2026-03-01T13:00:00Z")).toEqual([api.vpcId, volume]);
    expect(await listed("active_at_min=2026-03-01T14:30:00Z")).not.toContain(volume);
    const elsewhere = await api.newKey(["usage:read"], { project_ids: [await api.newProject()] });
    expect(await listed("", elsewhere)).toEqual([]);
    expect((await api.call("GET", `/v1/usage/${vm}`, { key: elsewhere })).status).toBe(403);
  });
});

describe("daily costs and statements", () => {
  it("a full day costs the run rate, today its part", async () => {
    await api.call("DELETE", `${paths.vpcs}/${api.vpcId}`);
    const id = await made(paths.volumes, { ...requests.volume, size: 7200 });
    await api.advance("36h");
    await api.call("DELETE", `${paths.volumes}/${id}`);
    await api.advance("30h");
    const { days, ...range } = await api.get(`${billing}/cost?from=2026-02-28&to=2026-03-04`);
    expect(range).toEqual({ currency: "USD", from: "2026-02-28", to: "2026-03-04" });
    // 7200 GB at 0.10 a month of 720 hours, an hour of a GB rounded to ten decimals: 1.00 an hour.
    expect((days as Json[]).map(({ cost }) => Number(Number(cost).toFixed(4)))).toEqual([0, 12, 24, 0, 0]);
    const names = { dimension: "storage_abs_gb", display_name: "ABS storage (GB) (hours)" };
    const item = { ...names, quantity_hours: "259200.00", unit_price: "0.0001388889", children: [] };
    expect(await api.get(`${billing}/statements?month=2026-03`)).toMatchObject({
      projects: [{ project_name: "default", resource_types: [{ resource_type: "volume", items: [item] }] }],
    });
    expect(await api.get(`${billing}/statements?month=2026-02`)).toMatchObject({ total: "0.00", projects: [] });
  });

  it("the default is thirty days, and this month", async () => {
    const { from, to, days } = await api.get(`${billing}/cost`);
    expect([from, to, (days as Json[]).length]).toEqual(["2026-01-30", "2026-03-01", 31]);
    expect(await api.get(`${billing}/statements`)).toMatchObject({ month: "2026-03" });
  });

  it.each([
    ["cost?from=2026-03-02&to=2026-03-01", "from"],
    ["cost?from=2026-01-01&to=2026-04-02", "from"],
    ["cost?from=yesterday", "from"],
    ["cost?to=2026-02-30", "to"],
    ["statements?month=2026-13", "month"],
    ["statements?month=2026", "month"],
  ])("rejects %s, and names %s", (query, bad) => expectRejected(api, "GET", [`${billing}/${query}`], undefined, bad));

  it("keeps the price of past usage, one line per price", async () => {
    const vm = await made(paths.vms, requests.vm);
    await api.advance("1h");
    await api.control("POST", "/prices", { compute_vcpu: "1440", networking_public_ip: "720" });
    await api.advance("2h");
    const before = await checkedTotal(api, "2026-03");
    const [project] = (await api.get(`${billing}/statements`))["projects"] as Json[];
    const types = project?.["resource_types"] as Json[];
    const items = types.find(({ resource_type }) => resource_type === "vm")?.["items"] as Json[];
    const bundle = items.find(({ dimension }) => dimension === "compute_n1_standard_2");
    expect(bundle).toMatchObject({ display_name: "n1-standard-2 (hours)", quantity_hours: "3.00", unit_price: null });
    expect(bundle?.["children"]).toMatchObject([
      { dimension: "compute_vcpu", quantity_hours: "2.00", unit_price: "0.0202777778" },
      { dimension: "compute_vcpu", quantity_hours: "4.00", unit_price: "2.00" },
      { dimension: "compute_memory_gb", quantity_hours: "24.00" },
    ]);
    expect(items.filter(({ dimension }) => dimension === "networking_public_ip")).toMatchObject([
      { quantity_hours: "1.00", unit_price: "0.0050694444" },
      { quantity_hours: "2.00", unit_price: "1.00" },
    ]);
    await api.call("DELETE", `${paths.vms}/${vm}`);
    await api.control("POST", "/prices", { compute_vcpu: "0" });
    expect(await checkedTotal(api, "2026-03")).toEqual(before);
  });

  it("lists the key's projects by name, deleted ones too", async () => {
    const other = await api.newProject();
    const volume = await made(paths.volumes, { ...requests.volume, project_id: other });
    await api.advance("1h");
    await api.call("DELETE", `${paths.volumes}/${volume}`);
    await api.call("PATCH", `/v1/projects/${other}`, { body: { name: "before" } });
    await api.call("DELETE", `/v1/projects/${other}`);
    const named = async (key?: string) =>
      ((await api.get(`${billing}/statements`, key))["projects"] as Json[]).map(({ project_name }) => project_name);
    expect(await named()).toEqual(["before", "default"]);
    const key = await api.newKey(["usage:read"]);
    expect(await named(key)).toEqual(["default"]);
    const { total } = await api.get(`${billing}/statements`, key);
    const { days } = await api.get(`${billing}/cost`, key);
    expect(written(sum((days as Json[]).map(({ cost }) => String(cost))))).toBe(total);
  });

  it("another organization uses nothing", async () => {
    const { at } = await api.create("/v1/organizations", { name: "other" });
    await api.advance("24h");
    expect(await api.get(`${at}/billing/statements`)).toMatchObject({ total: "0.00", projects: [] });
    expect(await api.get(`${at}/billing/summary`)).toMatchObject({ monthly_cost: "0.00", effective_balance: "0.00" });
  });
});
