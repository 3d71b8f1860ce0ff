import { counts, rowOf, succeeded } from "./support/output";
import { oneOf, program } from "./support/programs";
import { Session } from "./support/session";

let session: Session;

/** Brings the first program up, previews the second, and brings it up. */
interface Change {
  readonly preview: { readonly output: string; readonly requests: string[] };
  readonly up: { readonly output: string; readonly requests: string[] };
}

async function change(text: string): Promise<Change> {
  session.stack.write(text);
  const preview = await session.api.during(() => session.stack.preview());
  const up = await session.api.during(() => session.up());
  return {
    preview: { output: succeeded(preview.result), requests: preview.requests },
    up: { output: succeeded(up.result), requests: up.requests },
  };
}

beforeAll(async () => {
  session = await Session.start(program(oneOf({ ApiKey: {}, ConnectConnection: {}, FirewallRule: {} })));
  succeeded(await session.up());
});

describe("when fields change that the API changes in place", () => {
  let idsBefore: string[];
  let done: Change;

  beforeAll(async () => {
    idsBefore = await session.api.heldIds();
    done = await change(
      program(
        oneOf({
          ApiKey: {
            name: "renamed-key",
            permissions: [{ resourceType: "vpc", permission: "read" }],
            sourceIpRule: { allowed: ["192.0.2.0/24"], blocked: [] },
            tags: ["x"],
          },
          ConnectConnection: { name: "renamed-link", tags: ["y"] },
          FirewallRule: {
            name: "renamed-rule",
            protocol: "udp",
            sourceAddress: "192.0.2.0/24",
            destinationAddress: "10.0.0.4/32",
            destinationPorts: ["53"],
            tags: ["z"],
          },
        }),
      ),
    );
  });

  it.each([
    ["deployer", "permissions", "]"],
    ["link", "tags", "$78.13/mo → $78.13/mo (+$0.00/mo)"],
    ["https", "protocol", "]"],
  ])(
    "the preview's row of %s is an update, with the cost before, after and the difference, unless it costs nothing",
    (name, field, cost) => {
      const row = rowOf(done.preview.output, name);
      expect(row).toMatch(new RegExp(`^~ .* ${name} update \\[diff: [^\\]]*${field}`));
      expect(row.endsWith(cost)).toBe(true);
    },
  );

  it("the preview asks for each price, shows each update to the API once, and changes nothing", () => {
    expect([...done.preview.requests].sort()).toEqual([
      "PATCH api_keys/:id/cost",
      "PATCH connections/:id/cost",
      "PATCH firewall_rules/:id/cost",
      "POST api_keys/cost",
      "POST connections/cost",
      "POST firewall_rules/cost",
    ]);
  });

  it("the update sends one PATCH each, and asks for each price once", () => {
    expect(done.up.requests.filter((request) => !request.startsWith("GET")).sort()).toEqual([
      "PATCH api_keys/:id",
      "PATCH connections/:id",
      "PATCH firewall_rules/:id",
      "POST api_keys/cost",
      "POST connections/cost",
      "POST firewall_rules/cost",
    ]);
    expect(counts(done.up.output)).toEqual(["~ 3 updated", "1 unchanged"]);
  });

  it("the same objects have the new values", async () => {
    expect(await session.api.heldIds()).toEqual(idsBefore);
    const { apiKeys, connections, firewallRules } = await session.api.held();
    expect(apiKeys[0]).toMatchObject({
      name: "renamed-key",
      permissions: [{ resource_type: "vpc", permission: "read" }],
      source_ip_rule: { allowed: ["192.0.2.0/24"], blocked: [] },
      tags: ["x"],
    });
    expect(connections[0]).toMatchObject({ name: "renamed-link", tags: ["y"] });
    expect(firewallRules[0]).toMatchObject({
      name: "renamed-rule",
      protocol: "udp",
      source_address: "192.0.2.0/24",
      destination_address: "10.0.0.4/32",
      destination_ports: ["53"],
      tags: ["z"],
    });
    expect(session.one("https").outputs).toMatchObject({ protocol: "udp", destinationPorts: ["53"], tags: ["z"] });
  });
});

describe("when one field changes, and somebody has changed another at the API", () => {
  beforeAll(async () => {
    await session.api.call("PATCH", `/v1/api_keys/${session.one("deployer").id}`, { tags: ["by-hand"] });
    await session.api.call("PATCH", `/v1/networking/connect/connections/${session.one("link").id}`, {
      name: "by-hand",
    });
    await session.api.call("PATCH", `${session.api.rules}/${session.one("https").id}`, { protocol: "tcp" });
    session.stack.write(
      program(
        oneOf({
          ApiKey: {
            name: "again-key",
            permissions: [{ resourceType: "vpc", permission: "read" }],
            sourceIpRule: { allowed: ["192.0.2.0/24"], blocked: [] },
            tags: ["x"],
          },
          ConnectConnection: { name: "renamed-link", tags: ["y", "again"] },
          FirewallRule: {
            name: "renamed-rule",
            protocol: "udp",
            sourceAddress: "198.51.100.0/24",
            destinationAddress: "10.0.0.4/32",
            destinationPorts: ["53"],
            tags: ["z"],
          },
        }),
      ),
    );
    succeeded(await session.up());
  });

  it("the PATCH carries the changed field alone: the other stays as it was set by hand", async () => {
    const { apiKeys, connections, firewallRules } = await session.api.held();
    expect(apiKeys[0]).toMatchObject({ name: "again-key", tags: ["by-hand"] });
    expect(connections[0]).toMatchObject({ name: "by-hand", tags: ["y", "again"] });
    expect(firewallRules[0]).toMatchObject({ source_address: "198.51.100.0/24", protocol: "tcp" });
  });
});

describe("when optional fields are taken away", () => {
  beforeAll(async () => {
    await change(program(oneOf({ ApiKey: {}, ConnectConnection: {}, FirewallRule: {} })));
  });

  it("tags and the source IP rule are cleared at the API and in the state", async () => {
    const { apiKeys, connections, firewallRules } = await session.api.held();
    expect(apiKeys[0]).toMatchObject({ tags: [], source_ip_rule: { allowed: [], blocked: [] } });
    expect(connections[0]).toMatchObject({ tags: [] });
    expect(firewallRules[0]).toMatchObject({ tags: [] });
    expect(session.one("link").outputs["tags"] ?? []).toEqual([]);
  });

  it("the names are chosen again, and stay chosen", async () => {
    const { apiKeys } = await session.api.held();
    expect(apiKeys[0]!.name).toMatch(/^deployer-[0-9a-f]{7}$/);
    const { result, requests } = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(result))).toEqual(["4 unchanged"]);
    expect(requests).toEqual([]);
  });
});
