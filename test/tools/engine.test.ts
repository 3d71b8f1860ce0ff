import { existsSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { ENGINE, EngineSandbox } from "./engine-sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new EngineSandbox());

describe("the search for the engine", () => {
  it("prefers the engine on PATH", async () => {
    sandbox.addEngine(sandbox.bin, "3.301.0");
    sandbox.addEngine(join(sandbox.engineFolder, "bin"));
    const { code, stdout, stderr } = await sandbox.ensure();
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${sandbox.bin}\n` });
    expect(stderr).toContain("Pulumi 3.301.0 on PATH");
  });

  it("uses the cached engine without Go", async () => {
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
  ])("skips an engine that %s, with the reason", async (_case, arrange) => {
    arrange();
    sandbox.addEngine(join(sandbox.engineFolder, "bin"));
    const { stdout, stderr } = await sandbox.ensure();
    expect(stdout).toBe(`${sandbox.engineFolder}/bin\n`);
    expect(stderr).toContain(`passed over: ${sandbox.bin}/pulumi`);
  });

  it("follows a link on PATH to the plugins", async () => {
    const real = sandbox.folder("opt/pulumi");
    sandbox.addEngine(real);
    symlinkSync(join(real, "pulumi"), join(sandbox.bin, "pulumi"));
    expect((await sandbox.ensure()).stdout).toBe(`${real}\n`);
  });

  it("ignores a pulumi that npm has installed", async () => {
    const npmBin = sandbox.folder("node_modules/.bin");
    sandbox.addEngine(npmBin);
    sandbox.addEngine(join(sandbox.engineFolder, "bin"));
    expect((await sandbox.ensure({ PATH: npmBin })).stdout).toBe(`${sandbox.engineFolder}/bin\n`);
  });
});

describe("without an engine", () => {
  it("builds once into the cache if there is no network", async () => {
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

  it("builds for this machine, whatever the user's settings", async () => {
    sandbox.addGo();
    await sandbox.ensure({ GOOS: "plan9", GOTOOLCHAIN: "go1.99.0" });
    const environments = sandbox.lines("go.log").map((line) => line.replace(/^\w+ /, ""));
    expect(new Set(environments)).toEqual(new Set(["GOOS= GOTOOLCHAIN=local GOPATH="]));
  });

  it("keeps Go's caches in the build's folder without a home", async () => {
    sandbox.addGo();
    const { code } = await sandbox.ensure({ HOME: undefined });
    expect(code).toBe(0);
    expect(sandbox.lines("go.log").at(-1)).toContain(`${dirname(sandbox.engineFolder)}/.building-`);
    expect(sandbox.leftInCache()).toHaveLength(1);
  });

  it("lists four ways to get an engine without network and Go", async () => {
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

  it("names the required version if Go is too old", async () => {
    sandbox.addGo({ version: "1.22.3" });
    const { code, stderr } = await sandbox.ensure();
    expect(code).toBe(1);
    expect(stderr).toContain("is Go 1.22.3, and 1.25.8 is needed");
  });

  it("shows Go's output if the build fails, leaving nothing", async () => {
    sandbox.addGo({ onHost: "echo 'no such module' >&2; exit 1" });
    const { code, stderr } = await sandbox.ensure();
    expect(code).toBe(1);
    expect(stderr).toMatch(/no such module[^]*four ways/);
    expect(sandbox.leftInCache()).toEqual([]);
  });

  it("builds nothing if a module is not pinned in go.sum", async () => {
    sandbox.addGo({ onList: "echo 'example.com/unpinned v1.0.0 h1:AAAA=' >> go.sum" });
    const { code, stderr } = await sandbox.ensure();
    expect(code).toBe(1);
    expect(stderr).toContain("building it failed: go.sum of cli-3.230.0 does not pin all modules");
    expect(sandbox.lines("go.log").join("\n")).not.toContain("build");
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

describe("a required engine version", () => {
  const askFor = (version: string) =>
    sandbox.value('import { otherEngine } from "@/engine/engine.mjs";', `otherEngine("${version}")`, sandbox.network());

  it("builds once into the cache, whatever is on PATH", async () => {
    sandbox.addEngine(sandbox.bin);
    sandbox.addGo();
    const binDir = join(sandbox.engineFolder.replace("3.230.0", "3.259.0"), "bin");
    expect(await askFor("3.259.0")).toEqual({ engine: { source: "built", binDir, version: "3.259.0" } });
    expect(await askFor("3.259.0")).toEqual({ engine: { source: "cache", binDir, version: "3.259.0" } });
  });

  it("explains the failure without network and Go", async () => {
    sandbox.addEngine(sandbox.bin);
    expect(await askFor("3.200.0")).toEqual({
      reasons: [expect.stringMatching(/cannot be downloaded: .*fetch failed/), "there is no Go on PATH"],
    });
  });
});

describe("when a build is interrupted", () => {
  it("builds again after a killed build", async () => {
    sandbox.addGo({ onHost: "kill -KILL $PPID; exit" });
    expect((await sandbox.ensure()).signal).toBe("SIGKILL");
    expect(existsSync(sandbox.engineFolder)).toBe(false);
    sandbox.addGo();
    expect((await sandbox.ensure()).stderr).toContain("built");
  });

  it.each(["INT", "TERM"])("SIG%s ends the build with its children", async (name) => {
    sandbox.addGo({ onHost: `kill -${name} $PPID; exec tail -f /dev/null` });
    expect((await sandbox.ensure()).signal).toBe(`SIG${name}`);
    expect(sandbox.leftInCache()).toEqual([]);
  });

  it("replaces an incomplete engine", async () => {
    sandbox.script(join(sandbox.engineFolder, "bin", "pulumi"), "exit 1");
    sandbox.addGo();
    const { code, stderr } = await sandbox.ensure();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("built") as string });
    expect(readFileSync(join(sandbox.engineFolder, "bin", "pulumi"), "utf8")).toContain("3.230.0");
    expect(sandbox.leftInCache()).toHaveLength(1);
  });

  it("two builds at once end with one engine", async () => {
    sandbox.addGo();
    const both = await Promise.all([sandbox.ensure(), sandbox.ensure()]);
    const failed = both.filter(({ stdout }) => stdout !== `${sandbox.engineFolder}/bin\n`);
    expect(failed).toEqual([]);
    expect(sandbox.leftInCache()).toHaveLength(1);
  });
});
