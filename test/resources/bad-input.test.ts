import { defaultsOf } from "../../src/lifecycle/kind/kind";
import { readSettings } from "../../src/settings/config";
import { UNKNOWN } from "../../src/engine/values";
import { definitions, kinds } from "../../src/resources/registry";
import { descriptorOf } from "../kinds";
import { limitsOf } from "../kinds/derived-limits";
import { tags } from "../kinds/descriptor";
import { checkNew, sent, startRun } from "../support/lifecycle";
import { VirtualClock } from "../support/virtual-clock";
import { storage } from "../kinds/volume";

const NOW = "2026-06-15T12:00:00Z";

const surroundings = { projectId: "p-1", region: "us-sva-2", vpcId: "v-1" };

/** Valid arguments of a kind, including those that the configuration gives. */
function good(type: string): Record<string, unknown> {
  const kind = kinds.find((candidate) => candidate.type === type)!;
  const settings = {
    ...readSettings(() => undefined, { CLOUDINFRA_BASE_URL: "http://127.0.0.1:9", CLOUDINFRA_API_KEY: "k" }),
    ...surroundings,
  };
  // Values that are found at the API cannot be looked up here.
  const nowhere = kind.discovery
    ? Object.fromEntries(kind.pathFields.map((field) => [field, UNKNOWN]))
    : { name: "sample" };
  return { ...defaultsOf(kind, settings), ...descriptorOf(type).args(surroundings), ...nowhere };
}

async function reasonsFor(type: string, args: object, before?: object): Promise<string[]> {
  const run = startRun({}, new VirtualClock(Date.parse(NOW)));
  const olds = before ? sent(type, "x", { ...good(type), ...before }) : {};
  const { failures } = await run.of(type).check(olds, sent(type, "x", { ...good(type), ...args }));
  // If an error names a property, the engine prints its value.
  expect(failures.every(({ property }) => property === "")).toBe(true);
  return failures.map(({ reason }) => reason);
}

/**
 * Specification, sections 2, 5.6 and 8: the resource, the arguments, the expected message (empty if they are valid).
 */
const table = definitions.flatMap((definition) => {
  const { type } = definition;
  const limits = [[{}] as const, ...limitsOf(definition, good(type)), ...(descriptorOf(type).limits ?? [])];
  return limits.map(([args, reason, before]) => [type, args, reason, before] as const);
});

it.each(definitions.filter((each) => "rules" in each))("has test cases for the rules of $type", ({ type }) => {
  const refused = (descriptorOf(type).limits ?? []).filter(([, reason]) => reason !== undefined);
  if (refused.length === 0) throw new Error(`add what the rules of ${type} refuse to limits in its descriptor`);
});

describe("wrong arguments", () => {
  it.each(table)("checks %s with %j", async (type, args, reason, before) => {
    expect(await reasonsFor(type, args, before)).toEqual(reason === undefined ? [] : expect.arrayContaining([reason]));
  });

  it("names all faults at once", async () => {
    const reasons = await reasonsFor("FirewallRule", { protocol: "icmp", sourceAddress: "0.0.0.0/8", tags: tags(51) });
    expect(reasons).toHaveLength(3);
  });

  it("reports a wrong name of a subnet once", async () => {
    expect(await reasonsFor("Vpc", { name: 5, subnetName: undefined })).toEqual([expect.stringMatching(/^name: /)]);
  });

  it.each(kinds.map(({ type }) => type))("refuses an unknown name in every object of %s", async (type) => {
    const given = { ...descriptorOf(type).others, ...good(type), lifetime: undefined, rotateBefore: undefined };
    expect(await reasonsFor(type, given)).toEqual([]);
    for (const name of ["strange", "constructor", "toString", "__proto__"]) {
      const wrong = [...withOneMore(given, name)];
      expect(wrong.map(({ path }) => path)).toContain(name);
      for (const { path, args } of wrong) {
        expect(await reasonsFor(type, args)).toEqual([expect.stringContaining(`${path}: is no argument of ${type}. `)]);
      }
    }
  });

  it.each([
    ["Vm", { oSImageName: "x" }, "oSImageName: is no argument of Vm. Did you mean osImageName?"],
    ["Vm", { bootVolume: { size: 1, type: storage, encrypted: true } }, "bootVolume takes size, type, tags."],
    ["ApiKey", { sourceIpRule: { alowed: [] } }, "Did you mean sourceIpRule.allowed?"],
    ["ApiKey", { permissions: [{ resource_type: "vm" }] }, "Did you mean permissions[0].resourceType?"],
    ["Vm", { publicKey: "" }, "publicKey: is no argument of Vm. Did you mean sshKey.publicKey?"],
    ["Vm", { type: storage }, "type: is no argument of Vm. Did you mean bootVolume.type?"],
    ["ApiKey", { resourceType: "vm" }, "resourceType: is no argument of ApiKey. It takes projectIds, "],
    ["ApiKey", { strange: 1 }, "deleteOld, sourceIpRule, tags, name, adopt."],
    ["ConnectConnection", { aws: {} }, "aws: is no argument of ConnectConnection. It takes projectId, "],
    ["ApiKey", { adopt: { id: UNKNOWN, kye: "x" } }, "adopt.kye: is no argument of ApiKey. Did you mean adopt.key?"],
  ])("suggests the right name in %s: %j", async (type, args, text) => {
    expect((await reasonsFor(type, args)).join("\n")).toContain(text);
  });

  it.each([
    [{ bugdet: {} }, "bugdet: is no argument of CostSummary. Did you mean budget?"],
    [{ budget: { yearly: "1" } }, "budget.yearly: is no argument of CostSummary. budget takes monthlyTotal, monthly"],
    [{ budget: { constructor: "1" } }, "budget.constructor: is no argument of CostSummary. budget takes "],
    [{ budget: { monthlyTotal: "1x" } }, "budget.monthlyTotal: must be an amount in dollars"],
  ])("refuses %j for a CostSummary, and prints no table", async (args, reason) => {
    const run = startRun();
    const { failures } = await checkNew(run, "CostSummary", { ...args, resources: [] }, "cost");
    expect(failures.map((failure) => failure.reason)).toEqual([expect.stringContaining(reason)]);
    expect(run.texts()).toEqual([]);
  });

  it("warns of a firewall rule that matches no traffic", async () => {
    const run = startRun({}, new VirtualClock(Date.parse(NOW)));
    const args = { ...good("FirewallRule"), sourceAddress: "::/0", destinationPorts: [] };
    expect((await checkNew(run, "FirewallRule", args)).failures).toEqual([]);
    expect(run.texts()).toEqual([
      expect.stringMatching(/^sourceAddress: is IPv6 and the destination is IPv4/),
      expect.stringMatching(/^destinationPorts: is empty, so the rule names no port/),
    ]);
  });

  it("ignores an output given as an argument, and warns", async () => {
    const run = startRun({}, new VirtualClock(Date.parse(NOW)));
    const args = { ...good("Volume"), vmName: "x", cost: { currency: "USD" } };
    expect((await checkNew(run, "Volume", args)).failures).toEqual([]);
    expect(run.texts()).toContain("vmName: is an output of Volume, and is ignored: remove it");
  });

  it.each(kinds.map(({ type }) => type))("accepts unknown values of %s", async (type) => {
    for (const field of Object.keys(good(type))) {
      expect(await reasonsFor(type, { [field]: UNKNOWN })).toEqual([]);
    }
    const everything = Object.fromEntries(Object.keys(good(type)).map((field) => [field, UNKNOWN]));
    expect(await reasonsFor(type, everything)).toEqual([]);
  });

  it("checks known values beside unknown ones", async () => {
    expect(await reasonsFor("ConnectConnection", { cidrs: [UNKNOWN, "10.0.0.1/16"] })).toEqual([
      "cidrs[1]: must be network-aligned and in canonical form (is 10.0.0.1/16): write 10.0.0.0/16",
    ]);
    expect(await reasonsFor("ApiKey", { tags: [...tags(50), UNKNOWN] })).toEqual([
      "tags: must have at most 50 items (has 51)",
    ]);
  });
});

/** The same values with one additional member, once in each object. */
function* withOneMore(
  value: unknown,
  name: string,
  at = "",
): Iterable<{ readonly path: string; readonly args: object }> {
  if (typeof value !== "object" || value === null) return;
  const entries: [string, unknown][] = Object.entries(value);
  const isList = Array.isArray(value);
  const pathOf = (key: string): string => (isList ? `${at}[${key}]` : at === "" ? key : `${at}.${key}`);
  if (!isList) yield { path: pathOf(name), args: Object.fromEntries([...entries, [name, 1]]) };
  for (const [key, inner] of entries) {
    for (const { path, args } of withOneMore(inner, name, pathOf(key))) {
      const changed = entries.map(([other, old]): [string, unknown] => [other, other === key ? args : old]);
      yield { path, args: isList ? changed.map(([, item]) => item) : Object.fromEntries(changed) };
    }
  }
}
