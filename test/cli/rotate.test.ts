import { randomUUID } from "node:crypto";
import { after, OWNER_KEY, RotateBench } from "./rotate-fixture";

const bench = RotateBench.forSuite();

describe("a check in JSON", () => {
  it("exits with 0 if no key is due", async () => {
    const { id, secret } = await bench.keepKey();
    bench.advance(3);
    await bench.use(secret);

    const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:ApiKey::deployer";
    const times = { expiresAt: after(90), rotatesAt: after(76), lastUsedAt: after(3) };
    const keys = [{ urn, name: "deployer", id, status: "active", due: false, ...times }];
    expect(await bench.check()).toEqual({ code: 0, stderr: "", version: "1", keys, waiting: [] });
  });

  it.each([
    [75.999, 0, "active"],
    [76, 7, "active"],
    [90, 7, "expired"],
  ])("a check after %d days ends with code %d, %s", async (days, code, status) => {
    await bench.keepKey();
    bench.advance(days);
    expect(await bench.check()).toMatchObject({ code, keys: [{ status, due: code === 7 }] });
  });

  it.each([
    ["14d", 75, 7],
    ["P2W", 76, 7],
    ["12d", 76, 0],
  ])("with --within %s, a fixed expiry after %d days: code %d", async (within, days, code) => {
    await bench.keepNew({}, 89);
    bench.advance(days);
    const keys = [{ due: code === 7, rotatesAt: null }];
    expect(await bench.check(["--within", within])).toMatchObject({ code, keys });
  });

  it("a key before its start is inactive", async () => {
    await bench.keepNew({}, 90, { starts_at: after(5) });
    expect(await bench.check()).toMatchObject({ keys: [{ status: "inactive", due: false }] });
  });

  describe("of a pair", () => {
    const parent = "urn:pulumi:dev::test::cloudinfra:index:RotatingApiKey::pair";
    const slot = { renewals: 0, madeAt: "2026-03-01T00:00:00Z", expiresAt: after(90), rotatesAt: after(27) };

    async function keepPair(slotB: object = slot): Promise<void> {
      bench.keepAsIs({
        urn: "urn:pulumi:dev::test::cloudinfra:index:RotatingApiKey$cloudinfra:index:RotationSchedule::pair-schedule",
        type: "cloudinfra:index:RotationSchedule",
        parent,
        inputs: { period: "30d", slotA: slot, slotB, current: "a" },
      });
      for (const name of ["pair-a", "pair-b"]) await bench.keepNew({ name, parent, rotatesAt: after(27) });
    }

    it("reports a late key of a pair as due", async () => {
      await keepPair();
      bench.advance(52);
      const { keys } = await bench.check();
      expect(keys).toMatchObject([{ due: false }, { due: true, rotatesAt: "2026-03-28T00:00:00Z" }]);
      expect(Date.parse(keys[0]!.rotatesAt!)).toBeGreaterThan(Date.parse(after(52)));
    });

    it("reports a key as due if its renewal failed", async () => {
      await keepPair({ ...slot, renewals: 1, madeAt: "2026-03-28T00:00:00Z", expiresAt: after(117) });
      bench.advance(28);
      const keys = [{ due: false }, { due: true, rotatesAt: "2026-03-28T00:00:00Z" }];
      expect(await bench.check()).toMatchObject({ code: 7, keys });
    });
  });

  it("a replaced key before its deletion is due", async () => {
    await bench.keepNew({ delete: true });
    expect(await bench.check()).toMatchObject({ code: 7, keys: [{ status: "active", due: true }] });
    const { stdout } = await bench.rotate(["--check"]);
    expect(stdout).toContain("the run that replaced it has failed. `pulumi up` goes on");
  });

  it("reports no rotation if expiresAt is in ignoreChanges", async () => {
    await bench.keepNew({ rotatesAt: after(76), ignoreChanges: ["expiresAt"] });
    bench.advance(80);
    expect(await bench.check()).toMatchObject({ code: 0, keys: [{ due: false, rotatesAt: null }] });
    expect((await bench.rotate(["--check", "--within", "30d"])).stdout).toContain(
      "deployer: give a later `expiresAt`, or a `lifetime` instead, and remove any `ignoreChanges`.",
    );
  });

  it("leaves out references and other resources", async () => {
    await bench.keepNew({ external: true }, 1);
    bench.keepAsIs({ urn: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev", type: "pulumi:pulumi:Stack" });
    const type = "pulumi-nodejs:dynamic/cloudinfra:FirewallRule";
    bench.keepAsIs({ urn: `urn:pulumi:dev::test::${type}::web`, type, id: "rule" });
    expect(await bench.check()).toEqual({ code: 0, stderr: "", version: "1", keys: [], waiting: [] });
  });
});

describe("a check without permissions", () => {
  it("uses the state's dates, and warns", async () => {
    await bench.keepKey();
    const { secret } = await bench.makeKey(365);
    bench.advance(80);
    const environment = { ...bench.environment, CLOUDINFRA_API_KEY: secret };
    const { code, keys, stderr } = await bench.check([], { environment });
    expect(code).toBe(7);
    expect(keys).toMatchObject([{ status: "active", due: true, lastUsedAt: null }]);
    expect(stderr).toMatch(/^warning: .* may not read deployer: .*api_key:read\.$/m);
    expect(stderr).toMatch(/^warning: .* may not read the audit log\..*audit_log:read\.$/m);
  });
});

describe("the audit log of a check", () => {
  it("stops reading the log at each key's last use", async () => {
    const { secret } = await bench.keepKey();
    for (let count = 0; count < 250; count += 1)
      await bench.send("PATCH", `/v1/networking/vpcs/${bench.api.vpcId}`, { tags: [] });
    bench.advance(1);
    await bench.use(secret);
    bench.advance(1);
    await bench.use(OWNER_KEY);
    expect(await bench.check()).toMatchObject({ keys: [{ lastUsedAt: after(1) }] });
    expect(await bench.pagesRead()).toBe(1);
  });

  it("reads no further back than --days", async () => {
    const { secret } = await bench.keepKey();
    await bench.use(secret);
    bench.advance(10);
    expect(await bench.check(["--days", "9"])).toMatchObject({ keys: [{ lastUsedAt: null }] });
    expect(await bench.check(["--days", "11"])).toMatchObject({ keys: [{ lastUsedAt: after(0) }] });
  });
});

describe("a check in a table", () => {
  it("says why keys are due, and what to do", async () => {
    const { secret } = await bench.keepKey();
    await bench.keepNew({ name: "old", rotatesAt: after(10) });
    await bench.keepNew({ name: "fixed" }, 19);
    const lost = await bench.makeKey(90);
    await bench.keep(lost.id, { name: "lost" });
    await bench.send("DELETE", `/v1/api_keys/${lost.id}`);
    bench.advance(20);
    await bench.use(secret);

    const { code, stdout } = await bench.rotate(["--check"]);

    expect(code).toBe(7);
    expect(stdout).toBe(
      [
        "name      status   expires (UTC)     rotates (UTC)     due           last seen (UTC)",
        "deployer  active   2026-05-30 12:00  2026-05-16 12:00  no            2026-03-21 12:00",
        "old       active   2026-05-30 12:00  2026-03-11 12:00  yes: rotates  -",
        "fixed     expired  2026-03-20 12:00  -                 yes: expired  -",
        "lost      missing  2026-05-30 12:00  -                 yes: missing  -",
        "",
        "3 of 4 API keys are due.",
        "old: `pulumi up` makes a new key.",
        "lost: `pulumi up --refresh` makes a new key.",
        "fixed: give a later `expiresAt`, or a `lifetime` instead, and remove any `ignoreChanges`. `pulumi up` then makes a new key.",
        "",
        "The audit log has audited requests only. A key that makes only other requests is in use, but not seen.",
        "",
      ].join("\n"),
    );
  });

  it("calls no key due if the API shows none, because the account may be another one", async () => {
    const type = "pulumi-nodejs:dynamic/cloudinfra:ApiKey";
    bench.keepAsIs({ urn: `urn:pulumi:dev::test::${type}::deployer`, type, custom: true, id: randomUUID() });
    const { code, stdout, stderr } = await bench.rotate(["--check"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: The API does not show the keys of the state \(deployer\): .*another account/);
  });

  it("calls the only key due if the audit log shows its deletion", async () => {
    const { id } = await bench.keepKey();
    await bench.send("DELETE", `/v1/api_keys/${id}`);
    expect(await bench.check()).toMatchObject({ code: 7, keys: [{ status: "missing", due: true }] });
  });

  it("says that `pulumi up` replaces each due key", async () => {
    for (const name of ["ci-a", "ci-b"]) await bench.keepNew({ name, rotatesAt: after(10) });
    bench.advance(20);
    const { stdout } = await bench.rotate(["--check"]);
    expect(stdout).toContain("2 of 2 API keys are due.\nci-a, ci-b: `pulumi up` makes a new key for each.\n");
  });

  it.each([[], undefined])("sends no request for a stack with the resources %j", async (resources) => {
    const stdin = JSON.stringify({ version: 3, deployment: { manifest: {}, resources } });
    const result = await bench.rotate(["--check"], { environment: {}, stdin });
    expect(result).toEqual({ code: 0, stdout: "The stack has no API keys.\n", stderr: "" });
  });

  it("the table prints no control characters of names", async () => {
    await bench.keepNew({ name: "a\u001b[2Jb" });
    expect((await bench.rotate(["--check"])).stdout).not.toContain("\u001b");
  });
});

describe("secrets", () => {
  it.each([["table"], ["json"]])("shows no secret of the state in the %s", async (format) => {
    const { id, secret } = await bench.keepKey();
    const type = "pulumi-nodejs:dynamic/cloudinfra:ApiKey";
    const times = { expiresAt: { plaintext: "canary-expiry" }, rotatesAt: { plaintext: "canary" } };
    bench.keepAsIs({
      urn: `urn:pulumi:dev::test::${type}::shown`,
      type,
      id,
      outputs: { key: "canary-plain", ...times },
    });
    const { stdout, stderr } = await bench.rotate(["--check", "--format", format]);
    expect(stdout).toContain("shown");
    expect(stdout + stderr).not.toContain("canary");
    expect(stdout + stderr).not.toContain(secret);
  });
});
