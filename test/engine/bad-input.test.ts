import { failed, saidOf } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

let session: Session;

beforeAll(async () => {
  session = await Session.start("");
});
afterAll(() => Session.closeAll());

/** Previews a resource with wrong arguments: nothing is asked of the API for it. What was said on its row. */
async function refusal(...declaration: Parameters<typeof declare>): Promise<string> {
  session.stack.write(program(declare(...declaration)));
  const { result, requests } = await session.api.during(() => session.stack.preview());
  expect(requests).toEqual([]);
  return saidOf(failed(result), declaration[1]);
}

describe("when several arguments are wrong", () => {
  it("the preview fails on a connection and says all of them, each with its path and limit", async () => {
    const said = await refusal("ConnectConnection", "link", {
      bandwidthMbps: 100,
      cidrs: ["10.0.0.1/25"],
      providerCidrs: [],
      externalProvider: { accountId: "12345", region: "us-west-2" },
      tags: Array.from({ length: 51 }, (_, index) => `t${index}`),
    });
    expect(said).toContain("bandwidthMbps: must be one of 50, 200, 500, 1000, 2000");
    expect(said).toContain("cidrs[0]: must be network-aligned and in canonical form: 10.0.0.0/25");
    expect(said).toContain("providerCidrs: must have at least 1 item");
    expect(said).toContain("externalProvider.accountId: must have exactly 12 characters (has 5)");
    expect(said).toContain("tags: must have at most 50 items (has 51)");
  });

  it("the preview fails on a key and says all of them", async () => {
    const said = await refusal("ApiKey", "deployer", {
      permissions: [{ resourceType: "vm", permission: "write" }],
      expiresAt: "2020-01-01T00:00:00Z",
      name: "",
    });
    expect(said).toContain("permissions[0].permission: must be one of read, edit");
    expect(said).toContain("expiresAt: must be in the future");
    expect(said).toContain("name: must have 1 to 255 characters (has 0)");
  });

  it("the preview fails on a rule and says all of them", async () => {
    const said = await refusal("FirewallRule", "https", {
      protocol: "icmp",
      sourceAddress: "0.0.0.0/8",
      destinationPorts: "443",
    });
    expect(said).toContain("protocol: must be one of tcp, udp");
    expect(said).toContain("sourceAddress: 0.0.0.0 is allowed with mask 0 only");
    expect(said).toContain("destinationPorts: must be a list");
  });
});

it("when the API refuses what only it can judge, the update says which argument, and nothing is made", async () => {
  session.stack.write(program(declare("FirewallRule", "https", { destinationAddress: "192.0.2.0/24" })));
  const said = saidOf(failed(await session.up()), "https");
  expect(said).toMatch(/create firewall rule "https".*was answered 400 VALIDATION_ERROR/);
  expect(said).toContain("destination_address");
  await session.expectAgreement();
});
