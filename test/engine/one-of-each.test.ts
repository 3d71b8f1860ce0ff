import { readdirSync } from "node:fs";
import { join } from "node:path";
import { descriptorOf } from "../kinds";
import { forSuite } from "../support/suite";
import { fastStart } from "./support/fast-start";
import { counts, partsOf, rowOf, succeeded } from "./support/output";
import { ALL, inDays, names, oneOfEach, program, types } from "./support/programs";
import { Session } from "./support/session";
import { shortCollections } from "./support/simulated-api";

const PERMISSIONS = [
  { resourceType: "vm", permission: "edit" },
  { resourceType: "vpc", permission: "read" },
];
const first = program(
  oneOfEach({
    ApiKey: { permissions: PERMISSIONS },
    ConnectConnection: { tags: ["a", "b"], cidrs: ["10.0.0.0/25", "10.1.0.0/25"] },
    FirewallRule: { destinationPorts: ["80", "443"] },
  }),
);

// Without the compile cache that the tests' processes share.
const env = { PULUMI_EXPERIMENTAL: "1", NODE_COMPILE_CACHE: undefined, NODE_OPTIONS: undefined };
const session = forSuite(() => Session.start(first, { env }));

/** The requests of a run, except those for operations, and its output. */
async function ran(run: () => ReturnType<Session["up"]>): Promise<{ output: string; requests: readonly string[] }> {
  const { result, requests } = await session.api.during(run);
  return {
    output: succeeded(result),
    requests: requests.filter((request) => !request.startsWith("GET operations")).sort(),
  };
}

/** Expects that neither Pulumi nor the API has seen a difference. */
async function expectNoChange(run: () => ReturnType<Session["up"]>): Promise<void> {
  const before = await session.api.held();
  const { output, requests } = await ran(run);
  expect([counts(output), requests]).toEqual([[`${ALL} unchanged`], []]);
  expect(await session.api.held()).toEqual(before);
}

/** Expects one request for each collection: for its object, or for its list if it has many objects. */
function expectOneReadOfEach(requests: readonly string[]): void {
  const collections = requests.map((request) => request.replace(/^GET /, "").replace(/\/:id$/, ""));
  expect(collections.sort()).toEqual(shortCollections());
}

describe("a stack with one resource of each kind", () => {
  it("asks for one quote of each in a preview", async () => {
    const { output, requests } = await ran(() => session.stack.preview(["--save-plan", "plan.json"]));
    for (const type of types)
      expect(rowOf(output, descriptorOf(type).name)).toMatch(new RegExp(`:${type} \\w+ create`));
    expect(requests.filter((request) => request.endsWith("/cost"))).toEqual(
      shortCollections({ areQuoted: true })
        .map((collection) => `POST ${collection}/cost`)
        .sort(),
    );
    const others = requests.filter((request) => !/^GET |\/(cost|availability)$/.test(request));
    expect(others.filter((request) => !request.endsWith("/:none"))).toEqual([]);
    expect(new Set(others).size).toBe(others.length); // each permission is asked for once
    expect(await session.api.heldIds()).toEqual([]);
  });

  it("creates each resource by one quote, POST and GET", async () => {
    const { output, requests } = await ran(() => session.up(["--plan", "plan.json"]));
    expect(counts(output)).toEqual([`+ ${ALL} created`]);
    await session.expectOneOfEach();
    // That of the VM is read, too.
    expect(requests.filter((request) => request === "GET volumes/:id")).toHaveLength(2);
    for (const collection of ["connections", "firewall_rules", "volumes", "vpcs"])
      expect([...new Set(requests)].filter((request) => request.includes(` ${collection}`))).toEqual([
        `GET ${collection}/:id`,
        `POST ${collection}`,
        `POST ${collection}/cost`,
      ]);
    // A key is complete at once.
    expect(requests.filter((request) => request.includes("api_keys"))).toEqual(["POST api_keys", "POST api_keys/cost"]);
  });

  it("stores at most 4,000 bytes of state per resource", () => {
    for (const name of names)
      expect([name, Buffer.byteLength(JSON.stringify(session.one(name))) <= 4_000]).toEqual([name, true]);
  });

  it("sends no request without a change, and reuses compiled modules", async () => {
    const folder = join(session.stack.folder, "xdg-cache", "pulumi-cloudinfra", "compile-cache");
    const compiled = (): readonly string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    await expectNoChange(() => session.up());
    const before = compiled();
    // The provider, the schemas and the HTTP client are about three hundred files.
    expect(before.length).toBeGreaterThan(200);
    await expectNoChange(() => session.stack.preview());
    expect(compiled()).toEqual(before);
    session.stack.env["NODE_OPTIONS"] = fastStart.NODE_OPTIONS;
  });

  it("shows no difference in a preview that refreshes", async () => {
    const { output, requests } = await ran(() => session.stack.preview(["--refresh"]));
    expect(counts(output)).toEqual([`${ALL} unchanged`]);
    expect(output).not.toContain("[diff");
    expectOneReadOfEach(requests);
  });

  it("shows no difference after a refresh", async () => {
    const { output, requests } = await ran(() => session.refresh());
    expect(counts(output)).toEqual([`${ALL} unchanged`]);
    expectOneReadOfEach(requests);
    await expectNoChange(() => session.stack.preview());
    expect(session.one("link").outputs["externalProvider"]).toEqual({ accountId: "123456789012", region: "us-west-2" });
  });

  it("updates under --strict without violating the plan", async () => {
    const changed = { ApiKey: { expiresAt: inDays(110), tags: ["t"] }, ConnectConnection: { bandwidthMbps: 500 } };
    session.stack.write(program(oneOfEach({ ...changed, FirewallRule: { tags: ["new"] } })));
    const output = succeeded(await session.stack.up(["--strict"]));
    expect(counts(partsOf(output).update)).toContain("+-2 replaced");
    expect(output).not.toContain("violates plan");
    expect((await session.api.held()).connections).toEqual([expect.objectContaining({ bandwidth_mbps: 500 })]);
    await session.expectOneOfEach();
  });
});
