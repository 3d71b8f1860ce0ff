import { DAY_MS, OWNER_KEY, RotateBench, START } from "./rotate-bench";
import { outputSchema } from "./rotate-schema";
import type { CliResult } from "./support";

interface ShownKey {
  readonly name: string;
  readonly status: string;
  readonly due: boolean;
  readonly lastUsedAt: string | null;
}

let bench: RotateBench;

beforeAll(async () => {
  bench = await RotateBench.start();
});
afterAll(() => bench.api.close());
beforeEach(() => bench.reset());

const after = (days: number): string => new Date(START + days * DAY_MS).toISOString().replace(".000Z", "Z");
const shown = ({ stdout }: CliResult): readonly ShownKey[] => (JSON.parse(stdout) as { keys: ShownKey[] }).keys;
const json = ["--check", "--format", "json"];

/** A key of 90 days, to be rotated 14 days before its end. */
async function keepKey(name = "deployer"): Promise<{ readonly id: string; readonly secret: string }> {
  const key = await bench.makeKey(90);
  await bench.keep(key.id, { name, rotatesAt: after(76) });
  return key;
}

describe("a check in JSON", () => {
  it("when no key is due, it ends with 0 and says of each key what the schema promises", async () => {
    const { id, secret } = await keepKey();
    bench.advance(3);
    await bench.use(secret);

    const result = await bench.rotate(json);

    expect([result.code, result.stderr]).toEqual([0, ""]);
    expect(JSON.parse(result.stdout)).toEqual({
      version: "1",
      keys: [
        {
          urn: "urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:ApiKey::deployer",
          name: "deployer",
          id,
          status: "active",
          expiresAt: after(90),
          rotatesAt: after(76),
          due: false,
          lastUsedAt: after(3),
        },
      ],
    });
    expect(outputSchema("check").safeParse(JSON.parse(result.stdout)).error).toBeUndefined();
  });

  it.each([
    [75.999, 0, "active"],
    [76, 7, "active"],
    [90, 7, "expired"],
  ])("when %d days have passed by the API's clock, it ends with %d, and the key is %s", async (days, code, status) => {
    await keepKey();
    bench.advance(days);

    const result = await bench.rotate(json);

    expect(result.code).toBe(code);
    expect(shown(result)).toMatchObject([{ status, due: code === 7 }]);
  });

  it.each([
    ["14d", 75, 7],
    ["P2W", 76, 7],
    ["12d", 76, 0],
  ])("when asked within %s, a key with a fixed end is due after %d days: %d", async (within, days, code) => {
    await bench.keep((await bench.makeKey(89)).id);
    bench.advance(days);

    const result = await bench.rotate([...json, "--within", within]);

    expect(result.code).toBe(code);
    expect(shown(result)).toMatchObject([{ due: code === 7, rotatesAt: null }]);
  });

  it("when a key was deleted behind Pulumi's back, it is gone, and due", async () => {
    const { id } = await keepKey();
    await bench.send("DELETE", `/v1/api_keys/${id}`);

    const result = await bench.rotate(json);

    expect(result.code).toBe(7);
    expect(shown(result)).toMatchObject([{ status: "gone", due: true }]);
  });

  it("when a key's start has not come, it is inactive", async () => {
    await bench.keep((await bench.makeKey(90, { starts_at: after(5) })).id);

    expect(shown(await bench.rotate(json))).toMatchObject([{ status: "inactive", due: false }]);
  });

  it("when a replaced key waits for its deletion, it is not due", async () => {
    const { id } = await bench.makeKey(1);
    await bench.keep(id, { delete: true, rotatesAt: after(0.5) });
    bench.advance(2);

    const result = await bench.rotate(json);

    expect(result.code).toBe(0);
    expect(shown(result)).toMatchObject([{ status: "expired", due: false }]);
  });

  it("when the stack only reads a key, or has other resources, they are left out", async () => {
    await bench.keep((await bench.makeKey(1)).id, { external: true });
    bench.keepAsIs({ urn: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev", type: "pulumi:pulumi:Stack" });
    bench.keepAsIs({
      urn: "urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:FirewallRule::web",
      type: "pulumi-nodejs:dynamic/cloudinfra:FirewallRule",
      id: "rule",
    });

    const result = await bench.rotate(json);

    expect(result).toEqual({ code: 0, stdout: '{\n  "version": "1",\n  "keys": []\n}\n', stderr: "" });
  });

  it("when there are several keys, one that is due is enough for 7", async () => {
    await keepKey("fresh");
    await bench.keep((await bench.makeKey(90)).id, { name: "late", rotatesAt: after(-1) });

    const result = await bench.rotate(json);

    expect(result.code).toBe(7);
    expect(shown(result).map(({ name, due }) => [name, due])).toEqual([
      ["fresh", false],
      ["late", true],
    ]);
  });
});

describe("a check by a key that may little", () => {
  it("when it may read neither keys nor the audit log, it goes by the dates, and says so", async () => {
    await keepKey();
    const { secret } = await bench.makeKey(365);
    bench.advance(80);

    const result = await bench.rotate(json, { environment: { ...bench.environment, CLOUDINFRA_API_KEY: secret } });

    expect(result.code).toBe(7);
    expect(shown(result)).toMatchObject([{ status: "active", due: true, lastUsedAt: null }]);
    expect(result.stderr).toMatch(/^warning: .* may not read deployer: .*api_key:read\.$/m);
    expect(result.stderr).toMatch(/^warning: .* may not read the audit log\..*audit_log:read\.$/m);
  });
});

describe("the audit log of a check", () => {
  it("when there are many entries, it reads no further than to the last use of each key", async () => {
    const { secret } = await keepKey();
    for (let count = 0; count < 250; count += 1)
      await bench.send("PATCH", `/v1/networking/vpcs/${bench.api.vpcId}`, { tags: [] });
    bench.advance(1);
    await bench.use(secret);
    bench.advance(1);
    await bench.use(OWNER_KEY);

    const result = await bench.rotate(json);

    expect(shown(result)).toMatchObject([{ lastUsedAt: after(1) }]);
    expect(await bench.pagesRead()).toBe(1);
  });

  it("when told how many days, it reads no further back", async () => {
    const { secret } = await keepKey();
    await bench.use(secret);
    bench.advance(10);

    expect(shown(await bench.rotate([...json, "--days", "9"]))).toMatchObject([{ lastUsedAt: null }]);
    expect(shown(await bench.rotate([...json, "--days", "11"]))).toMatchObject([{ lastUsedAt: after(0) }]);
  });
});

describe("a check in a table", () => {
  it("when some keys are due, it says why, what to do, and what the audit log counts", async () => {
    const { secret } = await keepKey();
    await bench.keep((await bench.makeKey(90)).id, { name: "old", rotatesAt: after(10) });
    await bench.keep((await bench.makeKey(19)).id, { name: "fixed" });
    const gone = await bench.makeKey(90);
    await bench.keep(gone.id, { name: "lost" });
    await bench.send("DELETE", `/v1/api_keys/${gone.id}`);
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
        "lost      gone     2026-05-30 12:00  -                 yes: gone     -",
        "",
        "3 of 4 API keys are due.",
        "old: `pulumi up` makes a new key.",
        "lost: `pulumi up --refresh` makes a new key.",
        "fixed: give a later `expiresAt`, or a `lifetime` in its place, and `pulumi up` makes a new key.",
        "",
        "The audit log has audited requests only: a key that is used for nothing else is in use, and yet not seen.",
        "",
      ].join("\n"),
    );
  });

  it("when the stack has no keys, it says so and asks nobody", async () => {
    const result = await bench.rotate(["--check"], { environment: {} });

    expect(result).toEqual({ code: 0, stdout: "The stack has no API keys.\n", stderr: "" });
  });

  it.each([
    ["on a terminal, it is coloured", true, {}, true],
    ["on a terminal with NO_COLOR, it is plain", true, { NO_COLOR: "1" }, false],
    ["in CI, it is plain", true, { CI: "true" }, false],
    ["in a file, it is plain", false, {}, false],
  ])("when shown %s", async (_, isTTY, more, isColoured) => {
    await keepKey();

    const { stdout } = await bench.rotate(["--check"], { isTTY, environment: { ...bench.environment, ...more } });

    expect(stdout.includes("\u001b[32m")).toBe(isColoured);
    expect(stdout.includes("\u001b")).toBe(isColoured);
  });

  it("when a name holds control characters, they do not reach the terminal", async () => {
    await bench.keep((await bench.makeKey(90)).id, { name: "a\u001b[2Jb" });

    expect((await bench.rotate(["--check"])).stdout).not.toContain("\u001b");
  });
});

describe("secrets", () => {
  it.each([["table"], ["json"]])("when the state holds some, none is in a %s", async (format) => {
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
