import { forSuite } from "../support/suite";
import { counts, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import type { WireObject } from "../support/simulator-client";

/** `test/lifecycle/drift.test.ts` has every field of every kind, and `fronts/scenarios/life` a refresh of both providers. */
const text = program(
  declare("ApiKey", "edited", { tags: ["ours"] }),
  declare("ApiKey", "expired", { expiresAt: undefined, lifetime: "1d" }),
  declare("ConnectConnection", "rerouted"),
  declare("FirewallRule", "deleted"),
  declare("FirewallRule", "remade"),
  `exports.edited = edited.key; exports.expired = expired.key;`,
);

describe("when objects were changed, deleted and recreated outside, and a key expired", () => {
  const session = forSuite(() => Session.start(text));
  /** The objects before anybody changed them, by logical name. */
  let ours: Readonly<Record<string, WireObject>>;
  let theirs: WireObject;
  let secret: unknown;

  async function objects(): Promise<Readonly<Record<string, WireObject>>> {
    const { apiKeys, connections, firewallRules } = await session.api.held();
    const all = new Map([...apiKeys, ...connections, ...firewallRules].map((object) => [object.id, object]));
    return Object.fromEntries(session.kept().map(({ urn, id = "" }) => [urn.split("::").at(-1)!, all.get(id)!]));
  }

  beforeAll(async () => {
    succeeded(await session.up());
    secret = session.shownOutputs()["edited"];
    ours = await objects();
    const { edited, rerouted, deleted, remade } = ours;
    const permissions = [{ resource_type: "vpc", permission: "read" }];
    await session.api.place("apiKeys", { ...edited, permissions, tags: ["theirs"], name: "theirs" });
    await session.api.place("connections", { ...rerouted, bandwidth_mbps: 2000, cidrs: ["10.9.0.0/16"] });
    theirs = { ...remade!, id: "00000000-0000-4000-8000-0000000000bb" };
    for (const object of [deleted, remade]) await session.api.call("DELETE", `${session.api.rules}/${object!.id}`);
    await session.api.place("firewallRules", theirs);
    await session.api.advance("2d"); // the key of a day has expired
  });

  it("a refresh shows changes only, and warns of deleted objects", async () => {
    const output = succeeded(await session.refresh(["--diff"]));
    expect(counts(output)).toEqual(["~ 2 updated", "- 2 deleted", "4 changes. 2 unchanged"]);
    const [, after = ""] = output.split("::rerouted]\n");
    const lines = after.split(/\n {4}\S|\nResources:/)[0]!.split("\n");
    expect(lines.map((line) => line.trim().replaceAll(/ +:/g, ":")).filter((line) => /^[-+~]/.test(line))).toEqual([
      "~ bandwidthMbps: 50 => 2000",
      ...["~ cidrs: [", `~ [0]: "10.0.0.0/25" => "10.9.0.0/16"`],
      ...["~ cost: {", `~ monthlyTotal: "78.125" => "3125.00"`, "~ usageDimensions: [", "~ [0]: {"],
      ...[`~ monthlyAmount: "78.125" => "3125.00"`, "~ quantity: 50 => 2000"],
    ]);
    expect(output).toMatch(/warning: The API no longer has 2 objects of the state: .*If nobody deleted them/);
    expect(output).toContain("status: active → expired");
  });

  it("a preview plans only what restores the objects", async () => {
    const output = succeeded(await session.stack.preview());
    expect(counts(output)).toEqual(["+ 2 to create", "~ 1 to update", "+-2 to replace", "5 changes. 1 unchanged"]);
    expect(output).toContain("update [diff: ~name,permissions,tags]");
    expect(output).toContain("[diff: ~expiresAt,rotatesAt]; rotates: expired");
  });

  it("an up restores everything, in place if possible", async () => {
    succeeded(await session.up());
    const now = await objects();
    const { name, permissions, tags, id } = ours["edited"]!;
    expect(now["edited"]).toMatchObject({ name, permissions, tags, id });
    expect(now["rerouted"]).toMatchObject({ bandwidth_mbps: 50, cidrs: ours["rerouted"]!["cidrs"] });
    expect(now["expired"]).toMatchObject({ status: "active" });
    const { firewallRules } = await session.api.held();
    expect(firewallRules.find((rule) => rule.id === theirs.id)).toEqual(theirs);
    const { edited, expired } = session.shownOutputs();
    expect(edited).toBe(secret);
    expect(await session.api.signIn(String(expired))).toBe(200);
    const { result, requests } = await session.api.during(() => session.up());
    expect(counts(succeeded(result))).toEqual(["6 unchanged"]);
    expect(requests).toEqual(["GET regions", "GET regions"]); // twice, because the API's clock is ahead
  });

  it("destroys a stack although some objects are already deleted", async () => {
    await session.api.call("DELETE", `${session.api.rules}/${session.one("remade").id}`);
    expect(counts(succeeded(await session.destroy()))).toEqual(["- 6 deleted"]);
    expect(session.kept()).toEqual([]);
  });
});
