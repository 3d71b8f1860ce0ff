import { quotaWords, unshownQuotas } from "../../src/definition/quotas";
import { badParameters, expectConflict, harnessForSuite, type Json, paths, requests } from "./support/harness";

const api = harnessForSuite();

describe("quotas (section 2.11)", () => {
  const used = async (region: string): Promise<unknown> => {
    const { networking } = await api.get(`/v1/quotas/${region}`);
    return (networking as Json)["vpcs"];
  };

  it("rejects a request beyond a region's quota with 409", async () => {
    for (let count = 2; count <= 10; count += 1) expect((await api.create(paths.vpcs, requests.vpc)).status).toBe(202);
    expect(await used(api.region)).toEqual({ limit: 10, remaining: 0, used: 10 });
    const refused = await api.create(paths.vpcs, requests.vpc);
    expectConflict(refused);
    expect(badParameters(refused)).toEqual(["quota.networking.vpcs"]);
    expect(await used("us-wdc-1")).toEqual({ limit: 10, remaining: 10, used: 0 });
  });

  it("shows every quota that the provider knows", async () => {
    const members = Object.entries(await api.get(`/v1/quotas/${api.region}`)).flatMap(([group, leaves]) =>
      group === "region" ? [] : Object.keys(leaves as Json).map((leaf) => `${group}.${leaf}`),
    );
    const unshown: readonly string[] = unshownQuotas.spec;
    const known = Object.keys(quotaWords).filter((name) => !unshown.includes(name));
    expect(members.sort()).toEqual(known.sort());
    expect((await api.call("GET", "/v1/quotas/nowhere")).status).toBe(404);
    expect(await api.get("/v1/quotas")).toMatchObject({ pagination: { total_count: 3 } });
  });
});

describe("when a region has run out of capacity", () => {
  it("a larger request is 409 until there is capacity", async () => {
    expect((await api.control("POST", "/capacity", { [api.region]: ["networking.vpcs"] })).body).toEqual({
      [api.region]: ["networking.vpcs"],
    });
    for (const at of [paths.vpcs, `${paths.vpcs}/availability`]) {
      const refused = await api.create(at, requests.vpc);
      expectConflict(refused);
      expect(refused.body["message"]).toContain("has no capacity for more vpcs now");
    }
    expect((await api.create(`${paths.vpcs}/availability`, { ...requests.vpc, region: "us-wdc-1" })).status).toBe(204);
    // An update that needs no additional quota is accepted.
    expect((await api.call("PATCH", `${paths.vpcs}/${api.vpcId}`, { body: { name: "x" } })).status).toBe(202);
    await api.control("POST", "/capacity", {});
    expect((await api.create(paths.vpcs, requests.vpc)).status).toBe(202);
  });

  it("a request that needs no capacity is accepted", async () => {
    await api.control("POST", "/capacity", { [api.region]: ["networking.public_ips"] });
    const ask = async (public_ip_enabled: boolean): Promise<number> =>
      (await api.create(`${paths.vms}/availability`, { ...requests.vm, public_ip_enabled })).status;
    expect([await ask(true), await ask(false)]).toEqual([409, 204]);
  });

  it("a reset restores the capacity", async () => {
    await api.control("POST", "/capacity", { [api.region]: ["networking.vpcs"] });
    api.reset();
    expect((await api.control("GET", "/capacity")).body).toEqual({});
  });
});
