import { badParameters, connectionRequest, harnessForSuite, keyRequest } from "./support/harness";
import { addRulesTo, type Page, readPage } from "./support/lists";
import { firewallRulesOf } from "./support/paths";

const api = harnessForSuite({ operationTime: "0" });

const rules = (): string => firewallRulesOf(api.vpcId);
const page = (path: string): Promise<Page> => readPage(api, path);
const addRules = (count: number): Promise<string[]> => addRulesTo(api, count);

describe("filters (those of the public clients)", () => {
  it.each([
    ["name=RULE-1", ["rule-1"]],
    ["name=rule", ["rule-0", "rule-1", "rule-2", "rule-3"]],
    ["tags=even", ["rule-0", "rule-2"]],
    ["tags=even,all", ["rule-0", "rule-2"]],
    ["tags=even&tags=odd", []],
    ["status=ready", ["rule-0", "rule-1", "rule-2", "rule-3"]],
    ["status=deleting", []],
    ["tags=odd&name=3", ["rule-3"]],
  ])("a list filtered by %s has the matches only", async (query, names) => {
    await addRules(4);
    expect(await page(`${rules()}?${query}`)).toMatchObject({ names, total: names.length });
  });

  it.each([
    ["provider=aws", ["west"]],
    ["provider=other", []],
    ["provider_region=us-west-1", ["west"]],
    ["provider_region=us-east-1", []],
    ["bandwidth_mbps=50", ["bare"]],
    ["bandwidth_mbps=200&provider=aws", ["west"]],
    ["region=us-sva-2", ["west", "bare"]],
    ["region=us-wdc-1", []],
  ])("connections are filtered by %s", async (query, names) => {
    const list = "/v1/networking/connect/connections";
    const body = connectionRequest(api.projectId, api.region);
    const external_provider = { account_id: "523816707215", region: "us-west-1" };
    await api.call("POST", list, { body: { ...body, name: "west", external_provider } });
    await api.call("POST", list, { body: { ...body, name: "bare", bandwidth_mbps: 50 } });
    const path = `${list}?project_id=${api.projectId}&${query}`;
    expect(await page(path)).toMatchObject({ names, total: names.length });
  });

  it("an unavailable bandwidth is rejected", async () => {
    for (const bandwidth of ["51", "x", ""]) {
      const path = `/v1/networking/connect/connections?project_id=${api.projectId}&bandwidth_mbps=${bandwidth}`;
      expect(badParameters(await api.call("GET", path))).toEqual(["bandwidth_mbps"]);
    }
  });

  it("routes are filtered by both of their ends", async () => {
    const count = async (query: string) => (await page(`/v1/networking/connect/routes?${query}`)).total;
    expect(await count("region=us-wdc-1&provider_region=us-east-2&provider=aws")).toBe(1);
    expect(await count("region=us-sva-2&provider_region=us-east-2")).toBe(0);
    expect(await count("provider_region=us-east-1")).toBe(2);
    expect(await count("provider=other")).toBe(0);
  });

  it("returns every page of a filtered list", async () => {
    await addRules(6);
    const first = await page(`${rules()}?limit=2&tags=even`);
    expect(first).toMatchObject({ names: ["rule-0", "rule-2"], total: 3 });
    const second = await page(`${rules()}?limit=2&tags=even&cursor=${String(first.next)}`);
    expect(second).toMatchObject({ names: ["rule-4"], next: null });
    expect((await page(`${rules()}?limit=2&tags=even&cursor=${String(second.previous)}`)).names).toEqual(first.names);
  });

  it("filters a key by its current status", async () => {
    const body = { ...keyRequest(api.projectId), name: "short", expires_at: "2026-03-01T13:00:00Z" };
    await api.call("POST", "/v1/api_keys", { body });
    expect((await page("/v1/api_keys?status=expired")).names).toEqual([]);
    await api.advance("1h");
    expect((await page("/v1/api_keys?status=expired")).names).toEqual(["short"]);
    expect((await page("/v1/api_keys?name=SHO")).names).toEqual(["short"]);
  });
});

describe("project_id", () => {
  it.each(["/v1/networking/vpcs", "/v1/networking/connect/connections", "/v1/operations"])(
    "GET %s requires project_id",
    async (path) => {
      const reply = await api.call("GET", path);
      expect([reply.status, badParameters(reply)]).toEqual([400, ["project_id"]]);
      expect(badParameters(await api.call("GET", `${path}?project_id=`))).toEqual(["project_id"]);
      expect(badParameters(await api.call("GET", `${path}?project_id=nowhere`))).toEqual(["project_id"]);
      expect((await api.call("GET", `${path}?project_id=${api.projectId}`)).status).toBe(200);
    },
  );

  it.each([
    "/v1/api_keys",
    "/v1/audit_logs",
    "/v1/projects",
    "/v1/quotas",
    "/v1/regions",
    "/v1/networking/connect/routes",
  ])("GET %s does not require project_id", async (path) => {
    expect((await api.call("GET", path)).status).toBe(200);
  });

  it("a list has the objects of one project", async () => {
    const second = await api.newProject();
    const body = connectionRequest(second, api.region);
    await api.call("POST", "/v1/networking/connect/connections", { body });
    const list = "/v1/networking/connect/connections?project_id=";
    expect(await page(list + api.projectId)).toMatchObject({ total: 0 });
    expect(await page(list + second)).toMatchObject({ names: ["link"], total: 1 });
  });
});
