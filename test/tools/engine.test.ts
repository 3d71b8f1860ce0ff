import { existsSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { ENGINE, EngineSandbox } from "./engine-sandbox";

let sandbox: EngineSandbox;
beforeEach(() => (sandbox = new EngineSandbox()));
afterEach(() => sandbox.remove());

describe("where the engine is looked for", () => {
  it("when one is on PATH, it is taken before that of the cache", async () => {
    sandbox.addEngine(sandbox.bin, "3.301.0");
    sandbox.addEngine(join(sandbox.engineFolder, "bin"));
    const { code, stdout, stderr } = await sandbox.ensure();
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${sandbox.bin}\n` });
    expect(stderr).toContain("Pulumi 3.301.0 on PATH");
  });

  it("when none is on PATH, that of the cache is taken, and Go is not asked", async () => {
    sandbox.addEngine(join(sandbox.engineFolder, "bin"));
    sandbox.addGo();
    const { stdout, stderr } = await sandbox.ensure();
    expect(stdout).toBe(`${sandbox.engineFolder}/bin\n`);
    expect(stderr).toContain("in the cache");
    expect(sandbox.lines("go.log")).toEqual([]);
  });

  it.each([
    ["has no language host beside it", () => sandbox.addEngine(sandbox.bin, "3.300.0", ["resource-pulumi-nodejs"])],
    ["is of another major version", () => sandbox.addEngine(sandbox.bin, "2.25.0")],
    ["is too old", () => sandbox.addEngine(sandbox.bin, "3.199.0")],
    [
      "does not run",
      () => {
        sandbox.addEngine(sandbox.bin);
        sandbox.script(join(sandbox.bin, "pulumi"), "exit 1");
      },
    ],
  ])("when the one on PATH %s, it is passed over with the reason", async (_what, arrange) => {
    arrange();
    sandbox.addEngine(join(sandbox.engineFolder, "bin"));
    const { stdout, stderr } = await sandbox.ensure();
    expect(stdout).toBe(`${sandbox.engineFolder}/bin\n`);
    expect(stderr).toContain(`passed over: ${sandbox.bin}/pulumi`);
  });

  it("when the one on PATH is a link, the folder it leads to is taken, where its plugins are", async () => {
    const real = sandbox.folder("opt/pulumi");
    sandbox.addEngine(real);
    symlinkSync(join(real, "pulumi"), join(sandbox.bin, "pulumi"));
    expect((await sandbox.ensure()).stdout).toBe(`${real}\n`);
  });

  it("when npm has put a pulumi on PATH, it does not count: its binary would be fetched at first use", async () => {
    const npmBin = sandbox.folder("node_modules/.bin");
    sandbox.addEngine(npmBin);
    sandbox.addEngine(join(sandbox.engineFolder, "bin"));
    expect((await sandbox.ensure({ PATH: npmBin })).stdout).toBe(`${sandbox.engineFolder}/bin\n`);
  });
});

describe("when there is no engine", () => {
  it("and no network, it is built from Go modules into the cache, and the next run takes it from there", async () => {
    sandbox.addGo();
    const first = await sandbox.ensure();
    expect(first.stdout).toBe(`${sandbox.engineFolder}/bin\n`);
    expect(first.stderr).toMatch(/cannot be downloaded: .*fetch failed[^]*compiling[^]*Pulumi 3\.230\.0 built/);
    expect(readdirSync(join(sandbox.engineFolder, "bin"))).toEqual([
      "pulumi",
      "pulumi-analyzer-policy-nodelegacy",
      "pulumi-language-nodejs",
      "pulumi-resource-pulumi-nodejs",
    ]);
    const calls = sandbox.lines("go.log").length;
    expect((await sandbox.ensure()).stderr).toContain("in the cache");
    expect(sandbox.lines("go.log")).toHaveLength(calls);
  });

  it("the build is for this machine, with this Go, whatever the user builds for otherwise", async () => {
    sandbox.addGo();
    await sandbox.ensure({ GOOS: "plan9", GOTOOLCHAIN: "go1.99.0" });
    const environments = sandbox.lines("go.log").map((line) => line.replace(/^\w+ /, ""));
    expect(new Set(environments)).toEqual(new Set(["GOOS= GOTOOLCHAIN=local GOPATH="]));
  });

  it("and no home, Go's own caches go into the folder of the build, and with it", async () => {
    sandbox.addGo();
    const { code } = await sandbox.ensure({ HOME: undefined });
    expect(code).toBe(0);
    expect(sandbox.lines("go.log").at(-1)).toContain(`${dirname(sandbox.engineFolder)}/.building-`);
    expect(sandbox.leftInCache()).toHaveLength(1);
  });

  it("and no network and no Go, the error names the four ways to get one, and what was passed over", async () => {
    sandbox.addEngine(sandbox.bin, "3.300.0", []);
    const { code, stdout, stderr } = await sandbox.ensure();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`${sandbox.bin}/pulumi has no pulumi-language-nodejs`);
    expect(stderr).toContain("there is no Go on PATH");
    expect(stderr).toMatch(/cannot be downloaded: .*fetch failed/);
    expect(stderr).toMatch(/1\. .* reach https:\/\/get\.pulumi\.com/);
    expect(stderr).toMatch(/2\. Install Pulumi.*PATH/);
    expect(stderr).toMatch(/3\. Install Go 1\.25\.8 or newer/);
    expect(stderr).toContain(`${sandbox.engineFolder}/bin`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("and the Go is too old, the error says which it is", async () => {
    sandbox.addGo({ version: "1.22.3" });
    const { code, stderr } = await sandbox.ensure();
    expect(code).toBe(1);
    expect(stderr).toContain("is Go 1.22.3, and 1.25.8 is needed");
  });

  it("and the build fails, what Go said is shown with the four ways, and nothing is left", async () => {
    sandbox.addGo({ onHost: "echo 'no such module' >&2; exit 1" });
    const { code, stderr } = await sandbox.ensure();
    expect(code).toBe(1);
    expect(stderr).toMatch(/no such module[^]*four ways/);
    expect(sandbox.leftInCache()).toEqual([]);
  });

  it("--print builds nothing and says how to get one", async () => {
    sandbox.addGo();
    const { code, stderr } = await sandbox.run([ENGINE, "--print"]);
    expect(code).toBe(1);
    expect(stderr).toContain("node tools/engine/engine.mjs");
    expect(sandbox.lines("go.log")).toEqual([]);
  });
});

describe("an engine of another version", () => {
  const askFor = (version: string) =>
    sandbox.value('import { otherEngine } from "@/engine/engine.mjs";', `otherEngine("${version}")`, sandbox.network());

  it("is built into the cache, whatever is on PATH, and taken from there the next time", async () => {
    sandbox.addEngine(sandbox.bin);
    sandbox.addGo();
    const binDir = join(sandbox.engineFolder.replace("3.230.0", "3.259.0"), "bin");
    expect(await askFor("3.259.0")).toEqual({ engine: { source: "built", binDir, version: "3.259.0" } });
    expect(await askFor("3.259.0")).toEqual({ engine: { source: "cache", binDir, version: "3.259.0" } });
  });

  it("without a network and Go, is not to be had for these reasons", async () => {
    sandbox.addEngine(sandbox.bin);
    expect(await askFor("3.200.0")).toEqual({
      reasons: [expect.stringMatching(/cannot be downloaded: .*fetch failed/), "there is no Go on PATH"],
    });
  });
});

describe("when a build is cut short", () => {
  it("by a kill, no engine is in the cache, and the next run builds one", async () => {
    sandbox.addGo({ onHost: "kill -KILL $PPID; exit" });
    expect((await sandbox.ensure()).signal).toBe("SIGKILL");
    expect(existsSync(sandbox.engineFolder)).toBe(false);
    sandbox.addGo();
    expect((await sandbox.ensure()).stderr).toContain("built");
  });

  it.each(["INT", "TERM"])(
    "by SIG%s, it ends what it started, leaves nothing and dies of that signal",
    async (name) => {
      sandbox.addGo({ onHost: `kill -${name} $PPID; exec tail -f /dev/null` });
      expect((await sandbox.ensure()).signal).toBe(`SIG${name}`);
      expect(sandbox.leftInCache()).toEqual([]);
    },
  );

  it("and half an engine stands in the cache, it is replaced by a whole one", async () => {
    sandbox.script(join(sandbox.engineFolder, "bin", "pulumi"), "exit 1");
    sandbox.addGo();
    const { code, stderr } = await sandbox.ensure();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("built") as string });
    expect(readFileSync(join(sandbox.engineFolder, "bin", "pulumi"), "utf8")).toContain("3.230.0");
    expect(sandbox.leftInCache()).toHaveLength(1);
  });

  it("or two run at once, both end with the same whole engine", async () => {
    sandbox.addGo();
    const both = await Promise.all([sandbox.ensure(), sandbox.ensure()]);
    expect(both.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      Array(2).fill({ code: 0, stdout: `${sandbox.engineFolder}/bin\n` }),
    );
    expect(sandbox.leftInCache()).toHaveLength(1);
  });
});
