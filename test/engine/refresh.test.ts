import { counts, rowOf, succeeded } from "./support/output";
import { declare, oneOf, program } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

let session: Session;

beforeAll(async () => {
  session = await Session.start(
    program(
      oneOf({
        ApiKey: { tags: ["ours"] },
        ConnectConnection: { name: "link", tags: ["ours"] },
        FirewallRule: { tags: ["ours"] },
      }),
    ),
  );
  succeeded(await session.up());
});
afterAll(() => Session.closeAll());

describe("when somebody changes objects at the API", () => {
  let refreshed: string;
  let previewed: { output: string; requests: string[] };

  beforeAll(async () => {
    await session.api.call("PATCH", `${paths.apiKeys}/${session.one("deployer").id}`, {
      permissions: [{ resource_type: "vpc", permission: "read" }],
    });
    await session.api.call("PATCH", `${paths.connections}/${session.one("link").id}`, { name: "theirs" });
    await session.api.call("PATCH", `${session.api.rules}/${session.one("https").id}`, {
      destination_ports: ["8443"],
      tags: ["theirs"],
    });
    refreshed = succeeded(await session.refresh(["--diff"]));
    const preview = await session.api.during(() => session.stack.preview());
    previewed = { output: succeeded(preview.result), requests: preview.requests };
  });

  it("a refresh says which fields, from what to what", () => {
    expect(counts(refreshed)).toEqual(["~ 3 updated", "1 unchanged"]);
    expect(refreshed).toMatch(/~ name *: "link" => "theirs"/);
    expect(refreshed).toMatch(/~ \[0\]: "443" => "8443"/);
    expect(refreshed).toMatch(/~ \[0\]: "ours" => "theirs"/);
    expect(refreshed).toMatch(/~ resourceType: "vm" => "vpc"/);
  });

  it("a refresh takes the values into the state, outputs and inputs alike", () => {
    expect(session.one("link").outputs).toMatchObject({ name: "theirs", tags: ["ours"] });
    expect(session.one("https").outputs).toMatchObject({ destinationPorts: ["8443"], tags: ["theirs"] });
    expect(session.one("https").inputs).toMatchObject({ destinationPorts: ["8443"], tags: ["theirs"] });
  });

  it.each([
    ["deployer", ["permissions"]],
    ["link", ["name"]],
    ["https", ["destinationPorts", "tags"]],
  ])("the next preview wants exactly that back for %s", (name, fields) => {
    const row = rowOf(previewed.output, name);
    const shown = /update \[diff: ~([^\]]*)\]/.exec(row)?.[1];
    expect(shown?.split(",").sort()).toEqual(fields);
  });

  it("the next up puts it back, and then there is nothing more to do", async () => {
    succeeded(await session.up());
    const { apiKeys, connections, firewallRules } = await session.api.held();
    expect(apiKeys[0]).toMatchObject({ permissions: [{ resource_type: "vm", permission: "edit" }], tags: ["ours"] });
    expect(connections[0]).toMatchObject({ name: "link", tags: ["ours"] });
    expect(firewallRules[0]).toMatchObject({ destination_ports: ["443"], tags: ["ours"] });
    expect(counts(succeeded(await session.stack.preview()))).toEqual(["4 unchanged"]);
  });
});

async function deleteAll(): Promise<void> {
  await session.api.call("DELETE", `${paths.apiKeys}/${session.one("deployer").id}`);
  await session.api.call("DELETE", `${paths.connections}/${session.one("link").id}`);
  await session.api.call("DELETE", `${session.api.rules}/${session.one("https").id}`);
}

describe("when somebody deletes objects at the API", () => {
  let refreshed: string;

  beforeAll(async () => {
    await deleteAll();
    refreshed = succeeded(await session.refresh());
  });

  it("a refresh drops them from the state", () => {
    expect(counts(refreshed)).toEqual(["- 3 deleted", "1 unchanged"]);
    expect(session.kept()).toEqual([]);
  });

  it("as they are several, a warning says how many", () => {
    expect(refreshed).toMatch(/warning: The API no longer has 3 objects of the state: .*If nobody deleted them/);
  });

  it("the next up makes them anew", async () => {
    expect(counts(succeeded(await session.up()))).toContain("+ 3 created");
    await session.expectAgreement();
    expect(await session.api.heldIds()).toHaveLength(3);
  });
});

it("when somebody has deleted objects and nobody has refreshed, a destroy succeeds", async () => {
  await deleteAll();
  expect(counts(succeeded(await session.destroy()))).toEqual(["- 4 deleted"]);
  expect(session.kept()).toEqual([]);
});

it("when the prices of several may have changed with a field, one list is asked for, and each price once", async () => {
  const links = ["a", "b", "c"].map((name) => declare("ConnectConnection", name));
  const priced = await Session.start(program(...links));
  succeeded(await priced.up());
  const { connections } = await priced.api.held();
  await priced.api.place(
    "connections",
    connections.map((link) => ({ ...link, bandwidth_mbps: 500 })),
  );
  const { result, requests } = await priced.api.during(() => priced.refresh());
  succeeded(result);
  expect(requests).toEqual(["GET connections", "POST connections/cost"]);
  for (const name of ["a", "b", "c"]) {
    expect(priced.one(name).outputs).toMatchObject({ bandwidthMbps: 500, cost: { monthlyTotal: "781.25" } });
  }
});
