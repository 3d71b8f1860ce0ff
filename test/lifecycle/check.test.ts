import { UNKNOWN } from "../../src/engine/values";
import { sent, startRun, urnOf } from "../support/lifecycle";
import { otherProtocol, protocol } from "../kinds/firewall-rule";

const rule = {
  vpcId: "v-1",
  protocol,
  sourceAddress: "0.0.0.0/0",
  destinationAddress: "10.0.0.0/25",
  destinationPorts: ["443", "80"],
};

async function inputsOf(
  olds: Readonly<Record<string, unknown>>,
  news: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { inputs, failures } = await startRun().of("FirewallRule").check(olds, news);
  expect(failures).toEqual([]);
  return inputs;
}

describe("the name", () => {
  it("a name is the logical name with seven hex characters", async () => {
    const preview = await inputsOf({}, sent("FirewallRule", "allow-https", rule, true));
    const update = await inputsOf({}, sent("FirewallRule", "allow-https", rule, false));
    expect(preview["name"]).toMatch(/^allow-https-[0-9a-f]{7}$/);
    expect(update).toEqual(preview); // All of it, because an update plan compares every input.
  });

  it("keeps the name under another URN", async () => {
    const olds = await inputsOf({}, sent("FirewallRule", "allow-https", rule));
    const renamed = await inputsOf(olds, sent("FirewallRule", "web", rule));
    expect(renamed["name"]).toBe(olds["name"]);
    const again = await inputsOf(renamed, sent("FirewallRule", "web", rule));
    expect(again["name"]).toBe(olds["name"]);
  });

  it("chooses another name for each replacement", async () => {
    const names = new Set<unknown>();
    let olds = await inputsOf({}, sent("FirewallRule", "r", rule));
    for (let generation = 1; generation <= 3; generation += 1) {
      names.add(olds["name"]);
      const news = sent("FirewallRule", "r", rule);
      const lifecycle = startRun().of("FirewallRule");
      await lifecycle.check(olds, news);
      olds = (await lifecycle.check({}, news)).inputs;
    }
    names.add(olds["name"]);
    expect(names.size).toBe(4);
  });

  it("a replacement with ignoreChanges has another name", async () => {
    const olds = await inputsOf({}, sent("FirewallRule", "r", rule));
    const news = { ...sent("FirewallRule", "r", rule), name: olds["name"] };
    const lifecycle = startRun().of("FirewallRule");
    expect((await lifecycle.check(olds, news)).inputs).toMatchObject({ name: olds["name"] });
    const replacement = (await lifecycle.check({}, news)).inputs;
    expect(replacement["name"]).toMatch(/^r-[0-9a-f]{7}$/);
    expect(replacement["name"]).not.toBe(olds["name"]);
  });

  it("a replacement of a renamed object has the program's name", async () => {
    const chosen = await inputsOf({}, sent("FirewallRule", "r", rule));
    const news = sent("FirewallRule", "r", { ...rule, name: "mine" });
    const lifecycle = startRun().of("FirewallRule");
    await lifecycle.check({ ...chosen, name: "mine" }, news); // as a refresh has read it
    expect((await lifecycle.check({}, news)).inputs).toMatchObject({ name: "mine" });
  });

  it("chooses a name when the program stops giving one", async () => {
    const olds = await inputsOf({}, sent("FirewallRule", "r", { ...rule, name: "mine" }));
    expect(olds["name"]).toBe("mine");
    const news = await inputsOf(olds, sent("FirewallRule", "r", rule));
    expect(news["name"]).toMatch(/^r-[0-9a-f]{7}$/);
  });

  it("shortens the name of an API key to fit", async () => {
    const long = "k".repeat(300);
    const permissions = [{ resourceType: "vm", permission: "edit" }];
    const args = { permissions, expiresAt: UNKNOWN, projectIds: UNKNOWN };
    const { inputs } = await startRun()
      .of("ApiKey")
      .check({}, sent("ApiKey", long, args));
    expect(inputs["name"]).toHaveLength(255);
  });
});

describe("a value with the same meaning", () => {
  it.each([
    ["reordered ports", { destinationPorts: ["80", "443"] }],
    ["tags: [] for none", { tags: [] }],
  ])("%s is no change", async (_, args) => {
    const olds = await inputsOf({}, sent("FirewallRule", "r", rule));
    const lifecycle = startRun().of("FirewallRule");
    const { inputs } = await lifecycle.check(olds, sent("FirewallRule", "r", { ...rule, ...args }));
    expect(inputs).toEqual(olds);
    expect(await lifecycle.diff("id", { ...olds, tags: [] }, inputs)).toEqual({ changes: false });
  });

  it("ignores other spelling and order in a key's arguments", async () => {
    const [vm, vpc] = [
      { resourceType: "vm", permission: "edit" },
      { permission: "read", resourceType: "vpc" },
    ];
    const key = { projectIds: ["a", "b"], permissions: [vm, vpc], expiresAt: "2026-06-01T00:00:00Z", name: "k" };
    const spelledOtherwise = {
      ...key,
      ...{ projectIds: ["b", "a"], permissions: [vpc, { permission: "edit", resourceType: "vm" }] },
      ...{ expiresAt: "2026-06-01T02:00:00.000+02:00", sourceIpRule: { allowed: [], blocked: [] } },
    };
    const lifecycle = startRun().of("ApiKey");
    const olds = (await lifecycle.check({}, sent("ApiKey", "k", key))).inputs;
    const { inputs } = await lifecycle.check(olds, sent("ApiKey", "k", spelledOtherwise));
    expect(inputs).toEqual(olds);
    expect(await lifecycle.diff("id", olds, inputs)).toEqual({ changes: false });
  });
});

describe("a changed field", () => {
  it.each([
    ["FirewallRule", rule, { vpcId: "v-2" }, ["vpcId"]],
    ["FirewallRule", rule, { protocol: otherProtocol, tags: ["a"], name: "n" }, []],
    ["FirewallRule", rule, { vpcId: UNKNOWN }, ["vpcId"]],
  ])("a change of %s from %j by %j replaces %j", async (type, args, change, replaces) => {
    const olds = await inputsOf({}, sent(type, "r", args));
    const lifecycle = startRun().of(type);
    const { inputs } = await lifecycle.check(olds, sent(type, "r", { ...args, ...change }));
    expect(await lifecycle.diff("id", olds, inputs)).toEqual({ replaces, deleteBeforeReplace: false });
  });

  it("reports a difference of the API alone to the engine", async () => {
    const olds = await inputsOf({}, sent("FirewallRule", "r", rule));
    const lifecycle = startRun().of("FirewallRule");
    const { inputs } = await lifecycle.check(olds, sent("FirewallRule", "r", rule));
    const diff = await lifecycle.diff("id", { ...olds, protocol: otherProtocol }, inputs);
    expect(diff).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
  });
});

it("removes the program's marker, and adds the URN", async () => {
  const inputs = await inputsOf({}, sent("FirewallRule", "r", rule, true));
  expect(inputs).not.toHaveProperty("__program");
  expect(inputs["__urn"]).toBe(urnOf("FirewallRule", "r"));
});
