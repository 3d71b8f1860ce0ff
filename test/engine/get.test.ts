import { succeeded } from "./support/output";
import { basicsOf, inDays, oneOf, program, VPC_ID } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

let owner: Session;
let ids: { key: string; link: string; rule: string };

/** A stack that makes the objects; references to them stand in a program of their own, in the same project at the API. */
beforeAll(async () => {
  owner = await Session.start(
    program(oneOf({ ApiKey: {}, ConnectConnection: { tags: ["shared"] }, FirewallRule: {} })),
  );
  succeeded(await owner.up());
  ids = { key: owner.one("deployer").id, link: owner.one("link").id, rule: owner.one("https").id };
  await owner.api.call("PATCH", `${paths.apiKeys}/${ids.key}`, { tags: ["shared"] });
  owner.stack.write(
    program(
      oneOf({ ApiKey: {}, ConnectConnection: { tags: ["shared"] }, FirewallRule: {} }),
      `const key = cloudinfra.ApiKey.get("key", "${ids.key}");`,
      `const conn = cloudinfra.ConnectConnection.get("conn", "${ids.link}");`,
      `const rule = cloudinfra.FirewallRule.get("rule", "${ids.rule}", { vpcId: "${VPC_ID}" });`,
      `const both = cloudinfra.FirewallRule.get("both", "${VPC_ID}/${ids.rule}");`,
      `exports.conn = conn.bandwidthMbps; exports.key = key.permissions; exports.secret = key.key;`,
      `exports.rule = rule.destinationPorts; exports.both = both.id;`,
    ),
  );
});

describe("when existing objects are referred to by get", () => {
  let preview: { output: string; requests: string[] };

  beforeAll(async () => {
    const run = await owner.api.during(() => owner.stack.preview());
    preview = { output: succeeded(run.result), requests: run.requests };
    succeeded(await owner.up());
  });

  it("the preview reads each, and knows the outputs", () => {
    expect(preview.requests).toHaveLength(4);
    expect(preview.requests.every((request) => request.startsWith("GET"))).toBe(true);
    expect(preview.output).toMatch(/conn *: 50/);
  });

  it("the outputs are what the API shows", () => {
    expect(owner.outputs()).toMatchObject({
      conn: basicsOf("ConnectConnection")["bandwidthMbps"],
      key: basicsOf("ApiKey")["permissions"],
      rule: ["443"],
      both: ids.rule,
    });
    expect(owner.outputs()).not.toHaveProperty("secret");
    expect(owner.one("key").outputs).toMatchObject({ tags: ["shared"], status: "active" });
  });

  it("they stand in the state as external: Pulumi does not manage them", () => {
    for (const name of ["key", "conn", "rule", "both"]) expect(owner.one(name).external).toBe(true);
  });
});

it("when the object of a get changes, an up shows the change and changes nothing; a destroy leaves what it only refers to", async () => {
  const { projectId } = owner.api.simulator;
  const key = await owner.api.call("POST", paths.apiKeys, {
    name: "elsewhere",
    project_ids: [projectId],
    permissions: [{ resource_type: "vm", permission: "edit" }],
    expires_at: inDays(30),
  });
  owner.stack.write(program(`exports.tags = cloudinfra.ApiKey.get("key", "${key.id}").tags;`));
  succeeded(await owner.up());
  await owner.api.call("PATCH", `${paths.apiKeys}/${key.id}`, { tags: ["theirs"] });
  const { result, requests } = await owner.api.during(() => owner.up());
  succeeded(result);
  expect(owner.outputs()["tags"]).toEqual(["theirs"]);
  expect(requests.every((request) => request.startsWith("GET"))).toBe(true);

  expect(await owner.api.heldIds()).toEqual([key.id]);
  const destroyed = await owner.api.during(() => owner.destroy());
  succeeded(destroyed.result);
  expect([owner.kept(), destroyed.requests]).toEqual([[], []]);
  expect(await owner.api.heldIds()).toEqual([key.id]);
});
