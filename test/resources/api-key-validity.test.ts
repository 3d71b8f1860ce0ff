import { sent, startRun, urnOf, type TestRun } from "../support/lifecycle";
import { VirtualClock } from "../support/virtual-clock";

const key = { projectIds: ["p-1"], permissions: [{ resourceType: "vm", permission: "edit" }], name: "deployer" };

function at(now: string): TestRun {
  return startRun({}, new VirtualClock(Date.parse(now)));
}

describe("the validity window of an existing key", () => {
  const window = { startsAt: "2026-03-01T00:00:00Z", expiresAt: "2026-06-01T00:00:00Z" };

  it("accepts a start that has passed meanwhile", async () => {
    const run = at("2026-04-01T00:00:00Z");
    const args = sent("ApiKey", "k", { ...key, ...window });
    const { failures, inputs } = await run.of("ApiKey").check(args, args);
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject(window);
    expect(run.lines).toEqual([]);
  });

  it("warns of an unchanged expiry that has passed", async () => {
    const run = at("2026-06-02T00:00:00Z");
    const args = sent("ApiKey", "k", { ...key, ...window });
    const { failures } = await run.of("ApiKey").check(args, args);
    expect(failures).toEqual([]);
    expect(run.lines).toEqual([
      {
        urn: urnOf("ApiKey", "k"),
        severity: "warning",
        text: "expiresAt: the key expired on 2026-06-01T00:00:00Z: give a later expiresAt to rotate it",
      },
    ]);
  });

  it("accepts a passed start if only the expiry moves", async () => {
    const run = at("2026-05-20T00:00:00Z");
    const olds = sent("ApiKey", "k", { ...key, ...window });
    const news = sent("ApiKey", "k", { ...key, ...window, expiresAt: "2026-09-01T00:00:00Z" });
    const lifecycle = run.of("ApiKey");
    expect((await lifecycle.check(olds, news)).failures).toEqual([]);
    const diff = await lifecycle.diff("key-1", { ...olds }, news);
    expect(diff.replaces).toEqual(["expiresAt"]);
    // the check of the new half has no old inputs, and the API would refuse the start
    expect((await lifecycle.check({}, news)).failures).toEqual([]);
  });

  it("warns of a replacement whose start is in the future", async () => {
    const run = at("2026-04-01T00:00:00Z");
    const news = sent("ApiKey", "k", { ...key, ...window, startsAt: "2026-05-01T00:00:00Z" });
    expect((await run.of("ApiKey").check(sent("ApiKey", "k", { ...key, ...window }), news)).failures).toEqual([]);
    expect(run.warnings()).toEqual([expect.stringContaining("the new key does not work before 2026-05-01T00:00:00Z")]);
  });

  it("refuses a replacement whose expiry has passed", async () => {
    const run = at("2026-06-02T00:00:00Z");
    const args = sent("ApiKey", "k", { ...key, ...window });
    const lifecycle = run.of("ApiKey");
    await lifecycle.check(args, args);
    const { failures } = await lifecycle.check({}, args);
    expect(failures.map(({ reason }) => reason)).toEqual([
      "expiresAt: must be in the future (is 2026-06-01T00:00:00Z, and now it is 2026-06-02T00:00:00Z)",
    ]);
  });

  it("limits a key of 29 February to 28 February", async () => {
    const run = at("2028-02-29T00:00:00Z");
    const check = async (expiresAt: string): Promise<number> =>
      (await run.of("ApiKey").check({}, sent("ApiKey", "k", { ...key, expiresAt }))).failures.length;
    expect(await check("2029-02-28T00:00:00Z")).toBe(0);
    expect(await check("2029-02-28T00:00:01Z")).toBe(1);
  });
});
