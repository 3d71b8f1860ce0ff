import { counts, rowOf, succeeded } from "./support/output";
import { declare, inDays, program } from "./support/programs";
import { Session } from "./support/session";
import { paths, type WireObject } from "./support/simulated-api";
import { otherProtocol, protocol } from "../kinds/firewall-rule";

/** One resource for each kind of change. `test/lifecycle/drift.test.ts` has every field of every kind. */
const text = program(
  declare("ApiKey", "edited", { tags: ["ours"] }),
  declare("ApiKey", "ending"),
  declare("ApiKey", "expired", { expiresAt: undefined, lifetime: "1d" }),
  declare("ConnectConnection", "renamed"),
  declare("ConnectConnection", "rerouted"),
  declare("ConnectConnection", "broken"),
  declare("FirewallRule", "opened", { tags: ["ours"] }),
  declare("FirewallRule", "deleted"),
  declare("FirewallRule", "remade"),
  `exports.edited = edited.key; exports.expired = expired.key;`,
);

let session: Session;
/** The objects before anybody changed them, by logical name. */
let ours: Record<string, WireObject>;
let theirs: WireObject;
let secret: unknown;

async function objects(): Promise<Record<string, WireObject>> {
  const { apiKeys, connections, firewallRules } = await session.api.held();
  const all = new Map([...apiKeys, ...connections, ...firewallRules].map((object) => [object.id, object]));
  return Object.fromEntries(session.kept().map(({ urn, id = "" }) => [urn.split("::").at(-1)!, all.get(id)!]));
}

async function drift(): Promise<void> {
  const { edited, ending, renamed, rerouted, broken, opened, deleted, remade } = ours;
  await session.api.place("apiKeys", [
    {
      ...edited,
      ...{ permissions: [{ resource_type: "vpc", permission: "read" }], tags: ["theirs"], name: "theirs" },
      source_ip_rule: { allowed: ["127.0.0.0/8"], blocked: [] },
    },
    { ...ending, expires_at: inDays(45) },
  ]);
  await session.api.place("connections", [
    { ...renamed, name: "theirs", tags: ["theirs"] },
    { ...rerouted, bandwidth_mbps: 2000, cidrs: ["10.9.0.0/16"] },
    { ...broken, status: "error" },
  ]);
  theirs = { ...remade!, id: "00000000-0000-4000-8000-0000000000bb" };
  for (const object of [deleted, remade]) await session.api.call("DELETE", `${session.api.rules}/${object!.id}`);
  await session.api.place("firewallRules", [
    {
      ...opened,
      ...{ protocol: otherProtocol, source_address: "192.0.2.0/24", destination_address: "10.0.0.7/32" },
      ...{ destination_ports: ["443", "8443"], tags: ["theirs"] },
    },
    theirs,
  ]);
  await session.api.advance("2d"); // the key of a day has expired
}

beforeAll(async () => {
  session = await Session.start(text);
  succeeded(await session.up());
  secret = session.shownOutputs()["edited"];
  ours = await objects();
  await drift();
});

describe("a refresh, when somebody has changed, deleted and remade objects, and a key has expired", () => {
  let output: string;

  beforeAll(async () => {
    output = succeeded(await session.refresh(["--diff"]));
  });

  /** The refresh's lines about one resource, without its head. */
  const shown = (name: string): string[] => {
    const after = output.split(`::${name}]\n`)[1] ?? "";
    return after
      .split(/\n {4}\S|\nResources:/)[0]!
      .split("\n")
      .map((line) => line.trim().replaceAll(/ +:/g, ":"))
      .filter((line) => /^[-+~]/.test(line));
  };

  it("counts the changes, and warns of deleted objects", () => {
    expect(counts(output)).toEqual(["~ 5 updated", "- 2 deleted", "7 changes. 3 unchanged"]);
    expect(output).toMatch(/- .*FirewallRule: \(delete\)\n.*\n.*::deleted\]/);
    expect(output).toMatch(/- .*FirewallRule: \(delete\)\n.*\n.*::remade\]/);
    expect(output).toMatch(/warning: The API no longer has 2 objects of the state: .*If nobody deleted them/);
  });

  it.each([
    [
      "edited",
      [
        `~ name: "NAME" => "theirs"`,
        ...["~ permissions: [", "~ [0]: {", `~ permission: "edit" => "read"`, `~ resourceType: "vm" => "vpc"`],
        ...["~ sourceIpRule: {", "~ allowed: [", `+ [0]: "127.0.0.0/8"`],
        ...["~ tags: [", `~ [0]: "ours" => "theirs"`],
      ],
    ],
    ["ending", [`~ expiresAt: "${inDays(90)}" => "${inDays(45)}"`]],
    ["renamed", [`~ name: "NAME" => "theirs"`, "~ tags: [", `+ [0]: "theirs"`]],
    [
      "rerouted",
      [
        "~ bandwidthMbps: 50 => 2000",
        ...["~ cidrs: [", `~ [0]: "10.0.0.0/25" => "10.9.0.0/16"`],
        ...["~ cost: {", `~ monthlyTotal: "78.125" => "3125.00"`, "~ usageDimensions: [", "~ [0]: {"],
        ...[`~ monthlyAmount: "78.125" => "3125.00"`, "~ quantity: 50 => 2000"],
      ],
    ],
    [
      "opened",
      [
        `~ destinationAddress: "10.0.0.0/25" => "10.0.0.7/32"`,
        ...["~ destinationPorts: [", `+ [1]: "8443"`],
        `~ protocol: "${protocol}" => "${otherProtocol}"`,
        `~ sourceAddress: "0.0.0.0/0" => "192.0.2.0/24"`,
        ...["~ tags: [", `~ [0]: "ours" => "theirs"`],
      ],
    ],
  ])("shows the changed fields of %s only", (name, lines) => {
    expect(shown(name)).toEqual(lines.map((line) => line.replace("NAME", ours[name]!.name)));
  });

  it("takes the values into outputs and inputs", () => {
    expect(session.one("renamed").outputs).toMatchObject({ name: "theirs", tags: ["theirs"] });
    for (const props of ["inputs", "outputs"] as const)
      expect(session.one("opened")[props]).toMatchObject({ destinationPorts: ["443", "8443"], tags: ["theirs"] });
  });

  it.each([
    ["expired", "status: active → expired"],
    ["broken", "status: ready → error"],
  ])("shows the new status of %s", (name, line) => {
    expect(output).toContain(line);
    expect(session.one(name).outputs["status"]).toBe(line.split(" ").at(-1));
  });
});

describe("the next preview", () => {
  let output: string;

  beforeAll(async () => {
    output = succeeded(await session.stack.preview());
  });

  it("plans only what restores the objects", () => {
    expect(counts(output)).toEqual(["+ 2 to create", "~ 3 to update", "+-3 to replace", "8 changes. 2 unchanged"]);
  });

  it.each([
    ["edited", "update [diff: ~name,permissions,sourceIpRule,tags]"],
    ["ending", "[diff: ~expiresAt]"],
    ["expired", "[diff: ~expiresAt,rotatesAt]; rotates: expired"],
    ["renamed", "update [diff: ~name,tags]"],
    ["rerouted", "[diff: ~bandwidthMbps,cidrs,cost]; $3,125.00/mo → $78.13/mo (-$3,046.88/mo)"],
    ["opened", "update [diff: ~destinationAddress,destinationPorts,protocol,sourceAddress,tags]"],
    ["deleted", "create"],
    ["remade", "create"],
  ])("shows for %s: %s", (name, message) => {
    expect(rowOf(output, name)).toContain(message);
  });
});

describe("the next up", () => {
  /** The parts of an object that the program sets. A new object has another id, name, time and addresses. */
  const own = ["id", "name", "created_at", "updated_at", "asn", "provider_asn", "router_ip", "provider_router_ip"];
  const wanted = (object: object): object =>
    Object.fromEntries(Object.entries(object).filter(([member]) => !own.includes(member)));

  beforeAll(async () => {
    succeeded(await session.up());
  });

  it("restores everything, in place if possible", async () => {
    const now = await objects();
    const { expired, ...others } = ours;
    for (const [name, object] of Object.entries(others))
      expect(wanted(now[name]!)).toEqual({ ...wanted(object), ...(name === "broken" && { status: "error" }) });
    for (const name of ["edited", "renamed", "opened"])
      expect(now[name]).toMatchObject({ id: ours[name]!.id, name: ours[name]!.name });
    expect(now["expired"]).toMatchObject({ status: "active" });
    expect(now["expired"]!.id).not.toBe(expired!.id);
  });

  it("does not touch another object of the same name", async () => {
    const { firewallRules } = await session.api.held();
    expect(firewallRules.find(({ id }) => id === theirs.id)).toEqual(theirs);
  });

  it("keeps a changed key's secret, and renews an expired key", async () => {
    const { edited, expired } = session.shownOutputs();
    expect(edited).toBe(secret);
    expect(await session.api.signIn(String(expired))).toBe(200);
  });

  it("leaves nothing to do", async () => {
    const { result, requests } = await session.api.during(() => session.up());
    expect(counts(succeeded(result))).toEqual(["10 unchanged"]);
    expect(requests).toEqual(["GET regions", "GET regions"]); // twice, because the API's clock is ahead
  });
});

it("a destroy succeeds without objects that somebody has deleted", async () => {
  for (const path of [
    `${paths.apiKeys}/${session.one("edited").id}`,
    `${paths.connections}/${session.one("renamed").id}`,
    `${session.api.rules}/${session.one("opened").id}`,
  ])
    await session.api.call("DELETE", path);
  expect(counts(succeeded(await session.destroy()))).toEqual(["- 10 deleted"]);
  expect(session.kept()).toEqual([]);
});
