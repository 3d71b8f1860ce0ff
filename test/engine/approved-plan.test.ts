import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { forSuite } from "../support/suite";
import { cloudinfra } from "./support/command";
import { failed, succeeded } from "./support/output";
import { declare, FRONTS, NATIVE, programOf, type Front } from "./support/programs";
import { Session } from "./support/session";

const PLAN = "plan.json";

const volumeAndLink = (front: Front, size = 100): string =>
  programOf(front, declare("Volume", "data", { size }), declare("ConnectConnection", "link", { bandwidthMbps: 50 }));

describe.each(FRONTS)("an update by an approved plan of %s", (front) => {
  it("touches nothing if a price or the capacity has changed", async () => {
    const session = await Session.start(volumeAndLink(front), { config: { "cloudinfra:preflight": "strict" } });
    succeeded(await session.stack.preview(["--save-plan", PLAN]));

    await session.api.setPrices({ storage_abs_gb: "0.50" });
    const moved = failed(await session.stack.up(["--plan", PLAN]));
    expect(moved).toMatch(/Volume data +\+\$50\.00\/mo/);
    expect(moved).toContain("violates plan: properties changed: ++cost[");
    expect(await session.api.heldIds()).toEqual([]);

    await session.api.setPrices({ storage_abs_gb: "0.10" });
    await session.api.runOut({ "us-sva-2": ["storage.abs"] });
    const full = failed(await session.stack.up(["--plan", PLAN]));
    expect(full).toMatch(/error: .*no capacity in us-sva-2 now: update later, or choose another region or type/);
    expect(await session.api.heldIds()).toEqual([]);

    await session.api.runOut({});
    succeeded(await session.stack.up(["--plan", PLAN]));
    expect(await session.api.heldIds()).toHaveLength(2);
  });

  it("--refresh touches nothing after an outside change", async () => {
    const session = await Session.startUp(volumeAndLink(front));
    session.stack.write(volumeAndLink(front, 200));
    succeeded(await session.stack.preview(["--refresh", "--save-plan", PLAN]));

    const [volume] = (await session.api.held())["volumes"]!;
    await session.api.place("volumes", { ...volume!, tags: ["theirs"] });
    const refused = failed(await session.stack.up(["--refresh", "--plan", PLAN]));
    expect(refused).toContain("violates plan: properties changed: =~tags[");
    expect((await session.api.held())["volumes"]).toMatchObject([{ size: 100, tags: ["theirs"] }]);

    await session.api.place("volumes", volume!);
    await session.api.setPrices({ storage_abs_gb: "0.50" });
    expect(failed(await session.stack.up(["--refresh", "--plan", PLAN]))).toMatch(/violates plan: .*cost/);
    expect((await session.api.held())["volumes"]).toMatchObject([{ size: 100 }]);

    await session.api.setPrices({ storage_abs_gb: "0.10" });
    succeeded(await session.stack.up(["--refresh", "--plan", PLAN]));
    expect((await session.api.held())["volumes"]).toMatchObject([{ size: 200 }]);
  });
});

it("refuses an approved creation that another machine has made", async () => {
  const config = { "cloudinfra:stackId": "0d8e6a52" };
  const session = await Session.start(volumeAndLink(NATIVE), { config });
  succeeded(await session.stack.preview(["--save-plan", PLAN]));
  await Session.startUp(volumeAndLink(NATIVE), { config, api: session.api });
  const before = await session.api.held();
  expect(failed(await session.stack.up(["--plan", PLAN]))).toMatch(/ is taken by .*, which this program made on /);
  expect(await session.api.held()).toEqual(before);
});

describe("an approved change of an object", () => {
  const session = forSuite(() => Session.startUp(volumeAndLink("pulumi-cloudinfra")));
  beforeAll(() => session.stack.write(volumeAndLink("pulumi-cloudinfra", 200)));

  const cost = (...flags: string[]): ReturnType<typeof cloudinfra> => cloudinfra(session, ["cost", ...flags]);

  it("an approved change is refused if the object has changed", async () => {
    const { stdout } = await cost("--format", "json");
    writeFileSync(join(session.stack.folder, "approved.json"), stdout);
    expect((await cost("--approved", "approved.json", "--", "--refresh")).code).toBe(0);

    const [volume] = (await session.api.held())["volumes"]!;
    await session.api.place("volumes", { ...volume!, size: 150 });
    const refused = await cost("--approved", "approved.json", "--", "--refresh");
    expect(refused.code).toBe(5);
    expect(refused.stdout).toContain(
      "not approved: 1 resource differs from the approved report: Volume data updated $15.00/mo → $20.00/mo, approved updated $10.00/mo → $20.00/mo (--approved)",
    );
  });

  it("an approved change is refused if the object is deleted", async () => {
    succeeded(await session.stack.preview(["--save-plan", PLAN]));
    await session.api.takeAway("volumes", session.one("data").id);
    const before = await session.api.held();
    const refused = failed(await session.stack.up(["--plan", PLAN]));
    expect(refused).toContain("error: the API refuses it: the object no longer exists");
    expect(await session.api.held()).toEqual(before);
  });
});
