import { counts, failed, partsOf, rowOf, saidOf, succeeded } from "./support/output";
import { declare, inDays, program } from "./support/programs";
import { Session } from "./support/session";

/** Two connections and a key in one component. */
const component = (name: string, aliases = "[]"): string => `
  class Site extends pulumi.ComponentResource {
    constructor(name, options) {
      super("test:index:Site", name, {}, options);
      ${declare("ConnectConnection", "east", {}, "{ parent: this }")}
      ${declare("ConnectConnection", "west", {}, "{ parent: this }")}
      ${declare("ApiKey", "siteKey", {}, "{ parent: this }")}
      this.registerOutputs({ links: [east.id, west.id] });
    }
  }
  new Site("${name}", { aliases: ${aliases} });`;

describe("when resources stand in a component", () => {
  let session: Session;
  let created: string;

  beforeAll(async () => {
    session = await Session.start(program(component("site"), declare("FirewallRule", "https")));
    created = succeeded(await session.up());
  });

  it("two of a kind are made side by side, each with a name and cost of its own", async () => {
    expect(counts(created)).toEqual(["+ 6 created"]);
    await session.expectAgreement();
    const { connections } = await session.api.held();
    expect(new Set(connections.map(({ name }) => name)).size).toBe(2);
    expect(session.one("east").urn).toContain("test:index:Site$pulumi-nodejs:dynamic/cloudinfra:ConnectConnection");
  });

  it("an alias carries a renamed component over without a change at the API", async () => {
    session.stack.write(program(component("place", `[{ name: "site" }]`), declare("FirewallRule", "https")));
    const held = await session.api.held();
    const { result, requests } = await session.api.during(() => session.up());
    expect(counts(succeeded(result))).toEqual(["6 unchanged"]);
    expect(requests).toEqual([]);
    expect(await session.api.held()).toEqual(held);
  });

  it("an alias carries a renamed resource over, and keeps its name at the API", async () => {
    const renamed = declare("FirewallRule", "web", {}, `{ aliases: [{ name: "https" }] }`);
    session.stack.write(program(component("place", `[{ name: "site" }]`), renamed));
    const { result, requests } = await session.api.during(() => session.up());
    expect(counts(succeeded(result))).toEqual(["6 unchanged"]);
    expect(requests).toEqual([]);
    expect(session.one("web").outputs["name"]).toMatch(/^https-/);
    await session.expectAgreement();
  });

  it("what is renamed can still be updated and priced on its row", async () => {
    const renamed = declare("FirewallRule", "web", { tags: ["new"] }, `{ aliases: [{ name: "https" }] }`);
    session.stack.write(program(component("place", `[{ name: "site" }]`), renamed));
    const output = succeeded(await session.stack.up());
    expect(rowOf(partsOf(output).preview, "web")).toMatch(/ update \[diff: [^\]]*tags[^\]]*\]$/);
    expect((await session.api.held()).firewallRules[0]).toMatchObject({ tags: ["new"] });
  });
});

describe("when a resource says ignoreChanges", () => {
  const options = `{ ignoreChanges: ["tags", "bandwidthMbps", "expiresAt", "name"] }`;
  const text = (args: { bandwidthMbps: number; days: number; tags: string[] }): string =>
    program(
      declare("ConnectConnection", "link", { bandwidthMbps: args.bandwidthMbps, tags: args.tags }, options),
      declare("ApiKey", "deployer", { expiresAt: inDays(args.days), tags: args.tags }, options),
    );

  it("changes of those fields are no changes, whether they would update or replace", async () => {
    const session = await Session.start(text({ bandwidthMbps: 50, days: 30, tags: ["a"] }));
    succeeded(await session.up());
    const held = await session.api.held();
    session.stack.write(text({ bandwidthMbps: 500, days: 60, tags: ["b"] }));
    const { result, requests } = await session.api.during(() => session.stack.up());
    expect(counts(succeeded(result))).toContain("3 unchanged");
    expect(requests).toEqual([]);
    expect(await session.api.held()).toEqual(held);
  });
});

describe("when the engine's own options are used", () => {
  let session: Session;
  const urnOf = (name: string): string => session.one(name).urn;

  beforeAll(async () => {
    session = await Session.start(program(declare("ConnectConnection", "link", {}, "{ protect: true }")));
    succeeded(await session.up());
  });

  it("a protected resource is not destroyed, and nothing is asked of the API", async () => {
    const { result, requests } = await session.api.during(() => session.destroy());
    expect(failed(result)).toContain("protected");
    expect(requests).toEqual([]);
    await session.expectAgreement();
  });

  it("deleteBeforeReplace deletes the old one first", async () => {
    const change = { bandwidthMbps: 200, name: "fixed" };
    session.stack.write(program(declare("ConnectConnection", "link", change, "{ deleteBeforeReplace: true }")));
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    expect(requests.filter((request) => /^(POST|DELETE) connections(\/:id)?$/.test(request))).toEqual([
      "DELETE connections/:id",
      "POST connections",
    ]);
    await session.expectAgreement();
  });

  it("--target-replace makes a new one that the program did not ask for", async () => {
    const { id } = session.one("link");
    succeeded(await session.up(["--target-replace", urnOf("link")]));
    expect(session.one("link").id).not.toBe(id);
    await session.expectAgreement();
  });

  it("replaceOnChanges replaces what would be updated, and says the cost once", async () => {
    const { id } = session.one("link");
    const change = { bandwidthMbps: 200, name: "fixed", tags: ["new"] };
    session.stack.write(program(declare("ConnectConnection", "link", change, `{ replaceOnChanges: ["tags"] }`)));
    const output = succeeded(await session.stack.up());
    expect(saidOf(partsOf(output).preview, "link")).toBe("$312.50/mo → $312.50/mo (+$0.00/mo)");
    expect(session.one("link").id).not.toBe(id);
    await session.expectAgreement();
  });

  it("retainOnDelete leaves the object at the API", async () => {
    session.stack.write(program(declare("ConnectConnection", "link", { name: "fixed" }, "{ retainOnDelete: true }")));
    succeeded(await session.up());
    const [id] = await session.api.heldIds();
    session.stack.write(program());
    succeeded(await session.up());
    expect(session.kept()).toEqual([]);
    expect(await session.api.heldIds()).toContain(id);
  });
});
