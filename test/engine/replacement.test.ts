import { counts, rowOf, succeeded } from "./support/output";
import { declare, inDays, oneOf, program } from "./support/programs";
import { Session } from "./support/session";

let session: Session;
let before: Record<"deployer" | "link" | "https", { id: string; name: unknown }>;
let preview: { output: string; requests: string[] };
let up: { output: string; requests: string[] };
let secondVpc: string;

const dependent = declare("FirewallRule", "after", { tags: ["=link.id"] });

beforeAll(async () => {
  session = await Session.start(program(oneOf({ ApiKey: {}, ConnectConnection: {}, FirewallRule: {} }), dependent));
  const { projectId, region } = session.api.simulator;
  const vpc = { name: "second", project_id: projectId, region, subnet_name: "second" };
  secondVpc = String((await session.api.call("POST", "/v1/networking/vpcs", vpc))["resource_id"]);
  session.api.others.add(secondVpc);
  const { subnet } = await session.api.call("GET", `/v1/networking/vpcs/${secondVpc}`);
  succeeded(await session.up());
  const idAndName = (name: string) => ({ id: session.one(name).id, name: session.one(name).outputs["name"] });
  before = { deployer: idAndName("deployer"), link: idAndName("link"), https: idAndName("https") };

  session.stack.write(
    program(
      oneOf({
        ApiKey: { expiresAt: inDays(120) },
        ConnectConnection: { bandwidthMbps: 500 },
        FirewallRule: { vpcId: secondVpc, destinationAddress: (subnet as { cidr: string }).cidr },
      }),
      dependent,
    ),
  );
  const previewed = await session.api.during(() => session.stack.preview());
  preview = { output: succeeded(previewed.result), requests: previewed.requests };
  const updated = await session.api.during(() => session.up());
  up = { output: succeeded(updated.result), requests: updated.requests };
});

describe("when a field changes that the API cannot change", () => {
  it.each([
    ["deployer", "expiresAt", "]"],
    ["link", "bandwidthMbps", "$78.13/mo → $781.25/mo (+$703.13/mo)"],
    ["https", "vpcId", "]"],
  ])(
    "the preview replaces %s and says the cost of the old one, of the new one, and the difference",
    (name, field, cost) => {
      const create = preview.output.split("\n").find((line) => line.includes(`${name} create replacement`));
      expect(create).toMatch(new RegExp(`\\[diff: [^\\]]*${field}`));
      expect(rowOf(preview.output, name).endsWith(cost)).toBe(true);
    },
  );

  it("the preview asks for each price once, and changes nothing", () => {
    expect(preview.requests.filter((request) => !request.startsWith("PATCH firewall_rules")).sort()).toEqual([
      "GET routes", // where the region of the other side is looked for
      "POST api_keys/cost",
      "POST connections/cost",
      "POST firewall_rules/cost",
      "POST firewall_rules/cost", // of the rule that stays: it has another VPC, so another price
    ]);
  });

  it.each(["api_keys", "connections", "firewall_rules"])(
    "the new one of %s is made before the old one goes",
    (kind) => {
      const own = up.requests.filter((request) => /^(POST|DELETE)/.test(request) && !request.endsWith("/cost"));
      expect(own.filter((request) => request.includes(kind))).toEqual([`POST ${kind}`, `DELETE ${kind}/:id`]);
    },
  );

  it("what depends on it is updated between the two", async () => {
    const order = ["POST connections", "PATCH firewall_rules/:id", "DELETE connections/:id"];
    expect(up.requests.filter((request) => order.includes(request))).toEqual(order);
    const after = (await session.api.held()).firewallRules.find(({ id }) => id === session.one("after").id);
    expect(after!["tags"]).toEqual([session.one("link").id]);
  });

  it("state and API hold the new ones, with the new values and names of their own", async () => {
    expect(counts(up.output)).toContain("+-3 replaced");
    await session.expectAgreement();
    const { apiKeys, connections, firewallRules } = await session.api.held();
    expect(connections).toEqual([expect.objectContaining({ bandwidth_mbps: 500 })]);
    expect(Date.parse(String(apiKeys[0]!["expires_at"]))).toBe(Date.parse(inDays(120)));
    expect(firewallRules.map((rule) => rule["vpc_id"])).toContain(secondVpc);
    for (const name of ["deployer", "link", "https"] as const) {
      expect(session.one(name).id).not.toBe(before[name].id);
      expect(session.one(name).outputs["name"]).toMatch(new RegExp(`^${name}-[0-9a-f]{7}$`));
      expect(session.one(name).outputs["name"]).not.toBe(before[name].name);
    }
  });
});

it("when the same program is previewed after a replacement, it shows no change and calls the API not once", async () => {
  const { result, requests } = await session.api.during(() => session.stack.preview());
  expect(counts(succeeded(result))).toEqual(["5 unchanged"]);
  expect(requests).toEqual([]);
});

it("when --target-replace asks for new ones directly after the creation, each is replaced, and the old one is gone", async () => {
  const fresh = await Session.start(program(oneOf({ ApiKey: {}, FirewallRule: {} })));
  succeeded(await fresh.up());
  const old = await fresh.api.heldIds();
  const targets = fresh.kept().flatMap(({ urn }) => ["--target-replace", urn]);
  expect(counts(succeeded(await fresh.up(targets)))).toContain("+-2 replaced");
  await fresh.expectAgreement();
  expect((await fresh.api.heldIds()).filter((id) => old.includes(id))).toEqual([]);
});

it("when everything is destroyed, nothing is left in the state or at the API", async () => {
  const output = succeeded(await session.destroy());
  expect(counts(output)).toEqual(["- 5 deleted"]);
  expect(await session.api.heldIds()).toEqual([]);
  expect(session.kept()).toEqual([]);
});
