import { after, RotateBench } from "./rotate-bench";

const bench = RotateBench.forSuite();

const keepKey = () => bench.keepKey();

describe("a check in a table", () => {
  it("says why keys are due, and what to do", async () => {
    const { secret } = await keepKey();
    await bench.keep((await bench.makeKey(90)).id, { name: "old", rotatesAt: after(10) });
    await bench.keep((await bench.makeKey(19)).id, { name: "fixed" });
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

  it("several due keys: says that each is replaced", async () => {
    for (const name of ["ci-a", "ci-b"]) await bench.keep((await bench.makeKey(90)).id, { name, rotatesAt: after(10) });
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
    await bench.keep((await bench.makeKey(90)).id, { name: "a\u001b[2Jb" });

    expect((await bench.rotate(["--check"])).stdout).not.toContain("\u001b");
  });
});

describe("secrets", () => {
  it.each([["table"], ["json"]])("shows no secret of the state in the %s", async (format) => {
    const { id, secret } = await keepKey();
    bench.keepAsIs({
      urn: "urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:ApiKey::shown",
      type: "pulumi-nodejs:dynamic/cloudinfra:ApiKey",
      id,
      outputs: { key: "canary-plain", expiresAt: { plaintext: "canary-expiry" }, rotatesAt: { plaintext: "canary" } },
    });

    const { stdout, stderr } = await bench.rotate(["--check", "--format", format]);

    expect(stdout).toContain("shown");
    expect(stdout + stderr).not.toContain("canary");
    expect(stdout + stderr).not.toContain(secret);
  });
});
