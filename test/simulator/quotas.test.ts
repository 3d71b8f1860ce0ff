import { quotaWords, unshownQuotas } from "../../src/definition/quotas";
import { type Json, badParameters, harnessForSuite, vmRequest, vpcRequest } from "./support/harness";
import { vpcs } from "./support/paths";

const api = harnessForSuite();

describe("quotas (section 2.11)", () => {
  const used = async (region: string): Promise<unknown> => {
    const { body } = await api.call("GET", `/v1/quotas/${region}`);
    return (body["networking"] as Json)["vpcs"];
  };

  it("rejects a request beyond a region's quota with 409", async () => {
    const body = vpcRequest(api.projectId, api.region);
    for (let count = 2; count <= 10; count += 1) expect((await api.call("POST", vpcs, { body })).status).toBe(202);
    expect(await used(api.region)).toEqual({ limit: 10, remaining: 0, used: 10 });
    const refused = await api.call("POST", vpcs, { body });
    expect([refused.status, refused.body["type"], refused.headers["x-should-retry"]]).toEqual([
      409,
      "CONFLICT_ERROR",
      "false",
    ]);
    expect(badParameters(refused)).toEqual(["quota.networking.vpcs"]);
    expect(await used("us-wdc-1")).toEqual({ limit: 10, remaining: 10, used: 0 });
  });

  it("shows every quota that the provider knows", async () => {
    const { body } = await api.call("GET", `/v1/quotas/${api.region}`);
    const members = Object.entries(body).flatMap(([group, leaves]) =>
      group === "region" ? [] : Object.keys(leaves as Json).map((leaf) => `${group}.${leaf}`),
    );
    const unshown: readonly string[] = unshownQuotas.spec;
    const known = Object.keys(quotaWords).filter((name) => !unshown.includes(name));
    expect(members.sort()).toEqual(known.sort());
    expect((await api.call("GET", "/v1/quotas/nowhere")).status).toBe(404);
    expect((await api.call("GET", "/v1/quotas")).body).toMatchObject({ pagination: { total_count: 3 } });
  });
});

describe("when a region has run out of capacity", () => {
  const body = (): Json => vpcRequest(api.projectId, api.region);

  it("a larger request is 409 until there is capacity", async () => {
    expect((await api.control("POST", "/capacity", { [api.region]: ["networking.vpcs"] })).body).toEqual({
      [api.region]: ["networking.vpcs"],
    });
    for (const at of [vpcs, `${vpcs}/availability`]) {
      const refused = await api.call("POST", at, { body: body() });
      expect([refused.status, refused.body["type"]]).toEqual([409, "CONFLICT_ERROR"]);
      expect(refused.body["message"]).toContain("has no capacity for more vpcs now");
    }
    expect((await api.call("POST", `${vpcs}/availability`, { body: { ...body(), region: "us-wdc-1" } })).status).toBe(
      204,
    );
    // An update that needs no additional quota is accepted.
    expect((await api.call("PATCH", `${vpcs}/${api.vpcId}`, { body: { name: "x" } })).status).toBe(202);
    await api.control("POST", "/capacity", {});
    expect((await api.call("POST", vpcs, { body: body() })).status).toBe(202);
  });

  it("a request that needs no capacity is accepted", async () => {
    await api.control("POST", "/capacity", { [api.region]: ["networking.public_ips"] });
    const vm = vmRequest(api.projectId, api.region);
    const ask = async (public_ip_enabled: boolean): Promise<number> =>
      (await api.call("POST", "/v1/compute/vms/availability", { body: { ...vm, public_ip_enabled } })).status;
    expect([await ask(true), await ask(false)]).toEqual([409, 204]);
  });

  it("rejects unknown names, and a reset restores the capacity", async () => {
    expect((await api.control("POST", "/capacity", { nowhere: [] })).status).toBe(400);
    expect((await api.control("POST", "/capacity", { [api.region]: ["coffee"] })).status).toBe(400);
    await api.control("POST", "/capacity", { [api.region]: ["networking.vpcs"] });
    api.reset();
    expect((await api.control("GET", "/capacity")).body).toEqual({});
  });
});
