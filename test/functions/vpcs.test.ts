import { NotFoundError } from "../../src/api/errors";
import * as cloudinfra from "../../src";
import * as does from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { configure, post, refusalOf, requestsOf, startApi } from "./support";
import { forSuite } from "../support/suite";
import { protocol } from "../kinds/firewall-rule";

const api = forSuite(
  () => startApi(),
  (started) => configure(started),
);

async function makeVpc(name: string): Promise<string> {
  const body = { name, project_id: api.projectId, region: api.region, subnet_name: "sub" };
  return (await post(api, "/v1/networking/vpcs", body))["resource_id"] as string;
}

describe("getVpcs", () => {
  it("lists the configured project by default", async () => {
    configure(api, { projectId: api.projectId });
    const second = await makeVpc("second");

    const vpcs = await cloudinfra.getVpcs();

    expect(vpcs.map(({ id }) => id).sort()).toEqual([api.vpcId, second].sort());
    expect(vpcs.find(({ id }) => id === second)).toMatchObject({ name: "second", subnet: { name: "sub" } });
  });
});

describe("getVpc", () => {
  it("gets only the VPC with the given id", async () => {
    const rule = await post(api, `/v1/networking/vpcs/${api.vpcId}/firewall_rules`, {
      name: "https",
      protocol,
      source_address: "0.0.0.0/0",
      destination_address: "10.0.0.0/25",
      destination_ports: ["443"],
    });

    expect(await cloudinfra.getVpc({ id: api.vpcId })).toEqual({
      id: api.vpcId,
      name: "default",
      projectId: api.projectId,
      region: "us-sva-2",
      status: "ready",
      subnet: { id: expect.any(String) as string, name: "default", cidr: "10.0.0.0/25" },
      firewallRuleIds: [rule["resource_id"]],
      tags: [],
      createdAt: expect.stringMatching(/Z$/) as string,
      updatedAt: expect.stringMatching(/Z$/) as string,
    });
    expect((await requestsOf(api)).slice(1)).toEqual([
      { method: "GET", path: `/v1/networking/vpcs/${api.vpcId}`, status: 200 },
    ]);
  });

  it("finds the one VPC of exactly this name", async () => {
    await makeVpc("default-2");

    expect((await cloudinfra.getVpc({ name: "default", projectId: api.projectId })).id).toBe(api.vpcId);
    expect((await requestsOf(api)).slice(1)).toEqual([{ method: "GET", path: "/v1/networking/vpcs", status: 200 }]);
  });

  it("names the ids if two VPCs have the name", async () => {
    const twins = [await makeVpc("twin"), await makeVpc("twin")];

    const { message } = await refusalOf(cloudinfra.getVpc({ name: "twin", projectId: api.projectId }));

    expect(message).toContain(`2 VPCs of the project ${api.projectId} are named "twin". Give an id: `);
    for (const id of twins) expect(message).toContain(id);
  });

  it("finds a VPC that two pages contain", async () => {
    const proxy = await FaultProxy.start(api.url);
    proxy.on({ path: /vpcs$/ }, does.onTwoPages);
    configure(api, { baseUrl: proxy.url });

    expect((await cloudinfra.getVpc({ name: "default", projectId: api.projectId })).id).toBe(api.vpcId);
    expect(proxy.requests).toHaveLength(2);
    await proxy.close();
  });

  it("fails with the client's error for an unknown id", async () => {
    const refusal = await refusalOf(cloudinfra.getVpc({ id: "gone" }));

    expect(refusal.message).toMatch(
      /^getVpc: the API has nothing with the id "gone" \(404 NOT_FOUND_ERROR: .*\(request id .*\)\)\. Correct it\.$/,
    );
    expect(refusal.cause).toMatchObject({ code: "LOOKUP_FAILED", faults: [{ field: "id" }] });
    expect((refusal.cause as Error).cause).toBeInstanceOf(NotFoundError);
    expect(refusal.stack).toBe(refusal.message);
  });
});
