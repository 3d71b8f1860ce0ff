import { type Json, expectRejected, harnessForSuite, ruleRequest, vpcRequest } from "./support/harness";
import { firewallRulesOf, path, vpcs } from "./support/paths";

const api = harnessForSuite();

const rules = (): string => firewallRulesOf(api.vpcId);

describe("VPCs", () => {
  it("a new VPC gets its own subnet", async () => {
    const created = await api.call("POST", vpcs, { body: vpcRequest(api.projectId, api.region) });
    await api.advance("8s");
    const { body } = await api.call("GET", path(vpcs, created.body));
    expect(body).toMatchObject({
      name: "net",
      status: "ready",
      subnet: { name: "subnet" },
      firewall_rule_ids: [],
      tags: [],
    });
    const subnets = ((await api.state())["vpcs"] ?? []).map(({ subnet }) => (subnet as Json)["cidr"]);
    expect(subnets).toEqual(["10.0.0.0/25", "10.0.0.128/25"]);
  });

  it.each<[string, Json, string]>([
    ["nothing", {}, "name project_id region subnet_name"],
    [
      "an unknown project and region",
      { name: "x", subnet_name: "y", project_id: "nowhere", region: "nowhere" },
      "project_id region",
    ],
    [
      "a CIDR",
      { name: "x", subnet_name: "y", region: "us-sva-2", project_id: "?", cidr: "10.0.0.0/8" },
      "cidr project_id",
    ],
  ])("refuses a VPC with %s", async (_name, body, bad) => {
    await expectRejected(api, "POST", [vpcs, `${vpcs}/cost`], body, bad);
    expect((await api.state())["vpcs"]).toHaveLength(1);
  });

  it("changed names and tags show after the operation", async () => {
    const at = `${vpcs}/${api.vpcId}`;
    const body = { name: "main", subnet_name: "inner", tags: ["x"] };
    const reply = await api.call("PATCH", at, { body });
    expect(reply.status).toBe(202);
    expect(reply.body["details"]).toEqual({
      changes: {
        name: { from: "default", to: "main" },
        subnet_name: { from: "default", to: "inner" },
        tags: { from: [], to: ["x"] },
      },
    });
    expect((await api.call("GET", at)).body).toMatchObject({ name: "default", status: "updating" });
    await api.advance("8s");
    expect((await api.call("GET", at)).body).toMatchObject({
      name: "main",
      subnet: { name: "inner", cidr: "10.0.0.0/25" },
      tags: ["x"],
      status: "ready",
    });
  });

  it("a VPC with firewall rules cannot be deleted", async () => {
    const rule = await api.call("POST", rules(), { body: ruleRequest });
    const refused = await api.call("DELETE", `${vpcs}/${api.vpcId}`);
    expect([refused.status, refused.body["type"], refused.headers["x-should-retry"]]).toEqual([
      409,
      "CONFLICT_ERROR",
      "false",
    ]);
    await api.advance("8s");
    await api.call("DELETE", path(rules(), rule.body));
    await api.advance("8s");
    expect((await api.call("DELETE", `${vpcs}/${api.vpcId}`)).status).toBe(202);
    const late = await api.call("POST", rules(), { body: ruleRequest });
    expect([late.status, late.body["type"]]).toEqual([409, "CONFLICT_ERROR"]);
    await api.advance("8s");
    expect((await api.call("GET", `${vpcs}/${api.vpcId}`)).status).toBe(404);
    expect((await api.state())["vpcs"]).toEqual([]);
  });
});
