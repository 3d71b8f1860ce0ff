import { checkNew, sent, startRun, type TestRun } from "../support/lifecycle";
import { VirtualClock } from "../support/virtual-clock";

const key = { projectIds: ["p-1"], permissions: [{ resourceType: "vm", permission: "edit" }], name: "deployer" };
const window = { startsAt: "2026-03-01T00:00:00Z", expiresAt: "2026-06-01T00:00:00Z" };
const args = (change: object = {}): Record<string, unknown> => sent("ApiKey", "k", { ...key, ...window, ...change });

function at(now: string): TestRun {
  return startRun({}, new VirtualClock(Date.parse(now)));
}

describe("the validity window of an existing key", () => {
  const MAY = "2026-05-01T00:00:00Z";
  const EXPIRED = "expiresAt: the key expired on 2026-06-01T00:00:00Z: give a later expiresAt to rotate it";
  const NOT_YET = expect.stringContaining(`the new key does not work before ${MAY}`) as string;

  it.each([
    ["a start that has passed meanwhile", "2026-04-01T00:00:00Z", {}, []],
    ["an unchanged expiry that has passed, with a warning", "2026-06-02T00:00:00Z", {}, [EXPIRED]],
    ["a replacement with a later start, with a warning", "2026-04-01T00:00:00Z", { startsAt: MAY }, [NOT_YET]],
  ])("accepts %s", async (_case, now, change, warnings) => {
    const run = at(now);
    const { failures, inputs } = await run.of("ApiKey").check(args(), args(change));
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ ...window, ...change });
    expect([run.texts(), run.warnings()]).toEqual([warnings, warnings]);
  });

  it("accepts a passed start if only the expiry moves", async () => {
    const lifecycle = at("2026-05-20T00:00:00Z").of("ApiKey");
    const news = args({ expiresAt: "2026-09-01T00:00:00Z" });
    expect((await lifecycle.check(args(), news)).failures).toEqual([]);
    const diff = await lifecycle.diff("key-1", args(), news);
    expect(diff.replaces).toEqual(["expiresAt"]);
    // the check of the new object has no old inputs, and the API would refuse the start
    expect((await lifecycle.check({}, news)).failures).toEqual([]);
  });

  it("refuses a replacement whose expiry has passed", async () => {
    const lifecycle = at("2026-06-02T00:00:00Z").of("ApiKey");
    await lifecycle.check(args(), args());
    const { failures } = await lifecycle.check({}, args());
    expect(failures.map(({ reason }) => reason)).toEqual([
      "expiresAt: must be in the future (is 2026-06-01T00:00:00Z, and now it is 2026-06-02T00:00:00Z)",
    ]);
  });

  it("limits a key of 29 February to 28 February", async () => {
    const run = at("2028-02-29T00:00:00Z");
    const check = async (expiresAt: string): Promise<number> =>
      (await checkNew(run, "ApiKey", { ...key, expiresAt })).failures.length;
    expect(await check("2029-02-28T00:00:00Z")).toBe(0);
    expect(await check("2029-02-28T00:00:01Z")).toBe(1);
  });
});
