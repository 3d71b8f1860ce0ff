import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../src";
import { asSecret } from "../../src/engine/values";
import * as native from "../../src/native/program";

const permissions: dynamic.ApiKeyArgs["permissions"] = [{ resourceType: "vm", permission: "edit" }];
const slots = {
  slotA: { expiresAt: "2026-09-14T00:00:00Z", rotatesAt: "2026-07-12T00:00:00Z" },
  slotB: { expiresAt: "2026-10-14T00:00:00Z", rotatesAt: "2026-08-12T00:00:00Z" },
};
let made = new Map<string, pulumi.runtime.MockResourceArgs>();
let currentKey: "a" | "b" = "a";
/** What the state of a key has instead of the values of its slot. */
let stale: Readonly<Record<string, object>> = {};

// Once for all tests: the SDK tells a component's outputs late, perhaps during the next test.
beforeAll(() => {
  const newResource = (args: pulumi.runtime.MockResourceArgs): pulumi.runtime.MockResourceResult => {
    made.set(args.name, args);
    const { name } = args;
    const inputs = args.inputs as object;
    if (name !== "ci-schedule")
      return { id: `id of ${name}`, state: { ...inputs, key: `secret of ${name}`, ...stale[name] } };
    const plan = { ...slots, current: currentKey, nextRotation: "2026-07-12T00:00:00Z" };
    return { id: "schedule", state: { ...inputs, ...plan } };
  };
  return pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", false);
});

/** A program in a unit test. Its schedule has this key as the current one. */
function mocked(current: "a" | "b", stateOf: typeof stale = {}): void {
  made = new Map();
  currentKey = current;
  stale = stateOf;
}

const valueOf = <T>(value: pulumi.Input<T>): Promise<unknown> =>
  new Promise((resolve) => pulumi.output(value).apply(resolve));

describe.each([
  ["dynamic", dynamic.RotatingApiKey, "pulumi-nodejs:dynamic/cloudinfra:"],
  ["first-class", native.RotatingApiKey, "cloudinfra:index:"],
])("when a program has a RotatingApiKey of the %s provider", (_front, RotatingApiKey, prefix) => {
  it.each([
    [{ perod: "30d" }, "perod: is no argument of RotatingApiKey. Did you mean period?"],
    [{ lifetime: "30d" }, "lifetime: is no argument of RotatingApiKey. It takes projectIds, "],
    [{ slotA: { aliases: [], expiresAt: "", aliass: [] } }, "Did you mean slotA.aliases?"],
    [{ toString: 1 }, "toString: is no argument"],
    [
      { slotA: { aliases: [], expiresAt: "2026-09-14T00:00:00Z" } },
      "slotA.aliases must be a list with the former name and parent",
    ],
  ])("a pair of keys refuses %j", (args, text) => {
    mocked("a");
    const given = { period: "30d", permissions, ...args };
    expect(() => new RotatingApiKey("ci", given)).toThrow(text);
    expect([...made.keys()].filter((name) => name.startsWith("ci-"))).toEqual([]);
  });

  it("refuses a missing arguments object", () => {
    expect(() => new RotatingApiKey("ci", undefined as unknown as dynamic.RotatingApiKeyArgs)).toThrow(
      'RotatingApiKey "ci" takes its arguments in an object, and was given undefined',
    );
  });

  it.each(["a", "b"] as const)("returns the current key %s and the previous", async (current) => {
    mocked(current);
    const pair = new RotatingApiKey("ci", { period: "30d", permissions });
    const keyOf = (letter: "a" | "b"): object => ({
      id: `id of ci-${letter}`,
      key: `secret of ci-${letter}`,
      expiresAt: slots[letter === "a" ? "slotA" : "slotB"].expiresAt,
    });
    expect(await valueOf(pair.current as never)).toEqual(keyOf(current));
    expect(await valueOf(pair.previous as never)).toEqual(keyOf(current === "a" ? "b" : "a"));
    expect(await valueOf(pair.nextRotation)).toBe("2026-07-12T00:00:00Z");
    expect([...made.values()].map(({ type }) => type).filter((type) => type.startsWith(prefix))).toEqual(
      expect.arrayContaining([`${prefix}RotationSchedule`, `${prefix}ApiKey`]),
    );
  });

  it.each(["a", "b"] as const)("a key %s that was not renewed stays the previous", async (planned) => {
    const older = { expiresAt: "2026-06-14T00:00:00Z" };
    mocked(planned, { [`ci-${planned}`]: older });
    const pair = new RotatingApiKey("ci", { period: "30d", permissions });
    expect(await valueOf(pair.current as never)).toMatchObject({ id: `id of ci-${planned === "a" ? "b" : "a"}` });
    expect(await valueOf(pair.previous as never)).toMatchObject({ id: `id of ci-${planned}`, ...older });
  });

  it("gives the schedule the times, and each key its slot", async () => {
    mocked("a");
    const slotA = { aliases: [{ name: "deployer" }], expiresAt: "2026-08-01T00:00:00Z" };
    const shared = { period: "30d", retirePrevious: 1 };
    const pair = new RotatingApiKey("ci", { ...shared, permissions, tags: ["t"], slotA });
    await valueOf(pair.current as never);
    await valueOf(pair.previous as never);
    expect(made.get("ci-schedule")?.inputs).toMatchObject({ ...shared, movedIn: slotA.expiresAt });
    expect(made.get("ci-a")?.inputs).toMatchObject({ permissions, tags: ["t"], ...slots.slotA });
    expect(made.get("ci-b")?.inputs).toMatchObject({ permissions, tags: ["t"], ...slots.slotB });
    for (const name of ["ci-a", "ci-b"]) expect(made.get(name)?.inputs).not.toHaveProperty("period");
  });

  it("sends only the given arguments", async () => {
    mocked("a");
    const pair = new RotatingApiKey("ci", { period: "30d", permissions });
    await valueOf(pair.current as never);
    expect(made.get("ci-schedule")?.inputs).not.toHaveProperty("retirePrevious");
    expect(made.get("ci-schedule")?.inputs).not.toHaveProperty("movedIn");
  });
});

it("sends an explicit provider's settings, the key as secret", async () => {
  mocked("a");
  const provider = new native.Provider("other", { apiKey: "hidden", region: "us-sva-2" });
  await valueOf(provider.urn);
  const other = made.get("other");
  expect(other?.type).toBe("pulumi:providers:cloudinfra");
  expect(other?.inputs).toMatchObject({ apiKey: asSecret("hidden"), region: "us-sva-2" });
  await valueOf(new native.Provider("keyless", { region: "us-sva-2" }).urn);
  expect(made.get("keyless")?.inputs).not.toHaveProperty("apiKey");
});
