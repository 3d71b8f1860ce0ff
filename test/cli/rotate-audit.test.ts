import { RotateBench } from "./rotate-fixture";

describe.each(["spec", "nirvana"] as const)("an audit in the dialect %s", (dialect) => {
  const bench = RotateBench.forSuite({ dialect });

  const audit = (...flags: string[]): ReturnType<typeof bench.audit> =>
    bench.audit(flags, { environment: { ...bench.environment, CLOUDINFRA_DIALECT: dialect } });

  /** Made on the first day, replaced on the third, and then left to expire. */
  async function replaceKey(name = "deployer"): ReturnType<typeof bench.makeKey> {
    const old = await bench.makeKey(90, { name: `${name}-0000000` });
    bench.advance(2);
    await bench.keepNew({ name, replacedId: old.id });
    return old;
  }

  it("shows user, address, count and last use", async () => {
    const old = await bench.makeKey(90, { name: "old-one" });
    await bench.use(old.secret);
    bench.advance(2);
    const { secret } = await bench.keepNew({ replacedId: old.id });
    await bench.use(secret);
    bench.advance(1);
    await bench.use(old.secret);
    bench.advance(1);
    await bench.use(old.secret, "backup/2");

    const actor = { id: old.id, name: "old-one", type: "api_key" };
    const use = { actor, address: "127.0.0.1", lastUsedAt: "2026-03-04T12:00:00Z" };
    const uses = [
      { ...use, userAgent: "backup/2", count: 1, countSinceReplaced: 1, lastUsedAt: "2026-03-05T12:00:00Z" },
      { ...use, userAgent: "deployer/1", count: 2, countSinceReplaced: 1 },
    ];
    const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:ApiKey::deployer";
    const key = { urn, name: "deployer", replacedId: old.id, replacedAt: "2026-03-03T12:00:00Z", uses };
    const since = "2026-02-26T12:00:00Z";
    expect(await audit()).toEqual({ code: 0, stderr: "", version: "1", since, keys: [key] });
  });

  it("ignores uses from before --days", async () => {
    const { secret } = await replaceKey();
    await bench.use(secret);
    bench.advance(8);
    await bench.use(secret);
    expect(await audit()).toMatchObject({ keys: [{ uses: [{ count: 1 }] }] });
    expect(await audit("--days", "9")).toMatchObject({ keys: [{ uses: [{ count: 2 }] }] });
  });

  it("reads no older pages of the log", async () => {
    await replaceKey();
    for (let count = 0; count < 150; count += 1) {
      await bench.send("PATCH", `/v1/networking/vpcs/${bench.api.vpcId}`, { tags: [] });
    }
    bench.advance(30);
    await bench.use(bench.api.apiKey);
    await audit();
    expect(await bench.pagesRead()).toBe(1);
  });

  it("audits each replaced key of several generations", async () => {
    const first = await replaceKey();
    const second = await bench.keepNew({ name: "other", delete: true });
    await bench.use(first.secret);
    await bench.use(second.secret);
    const { keys } = await audit();
    expect(keys.map(({ replacedId, uses }) => [replacedId, uses.length])).toEqual([
      [first.id, 1],
      [second.id, 1],
    ]);
  });
});

describe("an audit in a table", () => {
  const bench = RotateBench.forSuite();

  it("shows the use, and the log's limits", async () => {
    const old = await bench.makeKey(90, { name: "deployer-0000000" });
    await bench.keepNew({ replacedId: old.id });
    bench.advance(1);
    await bench.use(old.secret);

    const { code, stdout } = await bench.rotate(["--audit"]);

    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "name      replaced (UTC)    actor             address    user agent  uses  since replaced  last (UTC)",
        "deployer  2026-03-01 12:00  deployer-0000000  127.0.0.1  deployer/1     1               1  2026-03-02 12:00",
        "",
        "The replaced API key was used in the last 7 days.",
        "",
        "The audit log has audited requests only. A key that makes only other requests is in use, but not seen.",
        "",
      ].join("\n"),
    );
    expect(stdout).not.toContain(old.secret);
  });

  it("says if the key was not used", async () => {
    const old = await bench.makeKey(90);
    await bench.keepNew({ replacedId: old.id });
    const { code, stdout } = await bench.rotate(["--audit", "--days", "1"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^The audit log shows no client of the replaced key in the last day\.\n\nThe audit log has audited /,
    );
  });

  it("fails with the key of another account", async () => {
    await bench.keepNew({ replacedId: (await bench.makeKey(90)).id });
    bench.api.reset(); // no longer has the keys
    const { code, stdout, stderr } = await bench.rotate(["--audit"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("does not show the keys of the state (deployer): they may be in another account");
  });

  it("sends no request if no key was replaced", async () => {
    await bench.keepNew();
    const result = await bench.rotate(["--audit"], { environment: {} });
    const stdout = "No API key of the stack is known to have replaced another.\n";
    expect(result).toEqual({ code: 0, stdout, stderr: "" });
  });

  it("names a missing audit_log:read", async () => {
    const { secret } = await bench.keepNew({ replacedId: "before" });
    const environment = { ...bench.environment, CLOUDINFRA_API_KEY: secret };
    const result = await bench.rotate(["--audit"], { environment });
    expect([result.code, result.stdout]).toEqual([1, ""]);
    expect(result.stderr).toMatch(/^error: read the audit log .* lacks the permission audit_log:read/);
  });
});
