import { existsSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Sandbox, TOOLS } from "./sandbox";

const ENGINE = join(TOOLS, "engine", "engine.mjs");

let sandbox: Sandbox;
beforeEach(() => (sandbox = new Sandbox()));
afterEach(() => sandbox.remove());

function addEngine(folder: string, version = "3.300.0", neighbours = ["language-nodejs", "resource-pulumi-nodejs"]) {
  sandbox.script(join(folder, "pulumi"), `echo v${version}`);
  for (const name of neighbours) sandbox.script(join(folder, `pulumi-${name}`), "");
}

/** A Go whose builds give a pulumi that runs; `onHost` is what it does when the language host is to be built. */
function addGo({ version = "1.26.0", onHost = "" } = {}) {
  const sdk = sandbox.folder("sdk");
  for (const name of ["pulumi-resource-pulumi-nodejs", "pulumi-analyzer-policy"]) {
    sandbox.write(`sdk/nodejs/dist/${name}`, "#!/bin/sh\n");
  }
  const log = join(sandbox.root, "go.log");
  return sandbox.script(
    join(sandbox.bin, "go"),
    `echo "$1 GOOS=$GOOS GOTOOLCHAIN=$GOTOOLCHAIN GOPATH=$GOPATH" >> ${log}
    for last; do :; done
    case "$*" in
      env*) echo go${version};;
      *" -m "*) echo ${sdk};;
      list*) printf 'one\\ntwo\\n';;
      build*)
        case "$last" in *language*) ${onHost || ":"};; esac
        while [ "$1" != -o ]; do shift; done
        printf '#!/bin/sh\\necho v3.230.0\\n' > "$2"; chmod +x "$2";;
    esac`,
  );
}

const leftInCache = () => {
  const parent = dirname(sandbox.engineFolder);
  return existsSync(parent) ? readdirSync(parent) : [];
};
const ensure = (env?: Record<string, string | undefined>) => sandbox.run([ENGINE], env);

describe("where the engine is looked for", () => {
  it("when one is on PATH, it is taken before that of the cache", async () => {
    addEngine(sandbox.bin, "3.301.0");
    addEngine(join(sandbox.engineFolder, "bin"));
    const { code, stdout, stderr } = await ensure();
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${sandbox.bin}\n` });
    expect(stderr).toContain("Pulumi 3.301.0 on PATH");
  });

  it("when none is on PATH, that of the cache is taken, and Go is not asked", async () => {
    addEngine(join(sandbox.engineFolder, "bin"));
    addGo();
    const { stdout, stderr } = await ensure();
    expect(stdout).toBe(`${sandbox.engineFolder}/bin\n`);
    expect(stderr).toContain("in the cache");
    expect(sandbox.lines("go.log")).toEqual([]);
  });

  it.each([
    ["has no language host beside it", () => addEngine(sandbox.bin, "3.300.0", ["resource-pulumi-nodejs"])],
    ["is of another major version", () => addEngine(sandbox.bin, "2.25.0")],
    [
      "does not run",
      () => {
        addEngine(sandbox.bin);
        sandbox.script(join(sandbox.bin, "pulumi"), "exit 1");
      },
    ],
  ])("when the one on PATH %s, it is passed over with the reason", async (_what, arrange) => {
    arrange();
    addEngine(join(sandbox.engineFolder, "bin"));
    const { stdout, stderr } = await ensure();
    expect(stdout).toBe(`${sandbox.engineFolder}/bin\n`);
    expect(stderr).toContain(`passed over: ${sandbox.bin}/pulumi`);
  });

  it("when the one on PATH is a link, the folder it leads to is taken, where its plugins are", async () => {
    const real = sandbox.folder("opt/pulumi");
    addEngine(real);
    symlinkSync(join(real, "pulumi"), join(sandbox.bin, "pulumi"));
    expect((await ensure()).stdout).toBe(`${real}\n`);
  });

  it("when npm has put a pulumi on PATH, it does not count: its binary would be fetched at first use", async () => {
    const npmBin = sandbox.folder("node_modules/.bin");
    addEngine(npmBin);
    addEngine(join(sandbox.engineFolder, "bin"));
    expect((await ensure({ PATH: npmBin })).stdout).toBe(`${sandbox.engineFolder}/bin\n`);
  });
});

describe("when there is no engine", () => {
  it("it is built from Go modules into the cache, and the next run takes it from there", async () => {
    addGo();
    const first = await ensure();
    expect(first.stdout).toBe(`${sandbox.engineFolder}/bin\n`);
    expect(first.stderr).toMatch(/compiling[^]*Pulumi 3\.230\.0 built/);
    expect(readdirSync(join(sandbox.engineFolder, "bin"))).toEqual([
      "pulumi",
      "pulumi-analyzer-policy-nodelegacy",
      "pulumi-language-nodejs",
      "pulumi-resource-pulumi-nodejs",
    ]);
    const calls = sandbox.lines("go.log").length;
    expect((await ensure()).stderr).toContain("in the cache");
    expect(sandbox.lines("go.log")).toHaveLength(calls);
  });

  it("the build is for this machine, with this Go, whatever the user builds for otherwise", async () => {
    addGo();
    await ensure({ GOOS: "plan9", GOTOOLCHAIN: "go1.99.0" });
    const environments = sandbox.lines("go.log").map((line) => line.replace(/^\w+ /, ""));
    expect(new Set(environments)).toEqual(new Set(["GOOS= GOTOOLCHAIN=local GOPATH="]));
  });

  it("and no home, Go's own caches go into the folder of the build, and with it", async () => {
    addGo();
    const { code } = await ensure({ HOME: undefined });
    expect(code).toBe(0);
    expect(sandbox.lines("go.log").at(-1)).toContain(`${dirname(sandbox.engineFolder)}/.building-`);
    expect(leftInCache()).toHaveLength(1);
  });

  it("and no Go, the error names the three ways to get one, and what was passed over", async () => {
    addEngine(sandbox.bin, "3.300.0", []);
    const { code, stdout, stderr } = await ensure();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`${sandbox.bin}/pulumi has no pulumi-language-nodejs`);
    expect(stderr).toContain("there is no Go on PATH");
    expect(stderr).toMatch(/1\. Install Pulumi.*PATH/);
    expect(stderr).toMatch(/2\. Install Go 1\.25\.8 or newer/);
    expect(stderr).toContain(`${sandbox.engineFolder}/bin`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("and the Go is too old, the error says which it is", async () => {
    addGo({ version: "1.22.3" });
    const { code, stderr } = await ensure();
    expect(code).toBe(1);
    expect(stderr).toContain("is Go 1.22.3, and 1.25.8 is needed");
  });

  it("and the build fails, what Go said is shown with the three ways, and nothing is left", async () => {
    addGo({ onHost: "echo 'no such module' >&2; exit 1" });
    const { code, stderr } = await ensure();
    expect(code).toBe(1);
    expect(stderr).toMatch(/no such module[^]*three ways/);
    expect(leftInCache()).toEqual([]);
  });

  it("--print builds nothing and says how to get one", async () => {
    addGo();
    const { code, stderr } = await sandbox.run([ENGINE, "--print"]);
    expect(code).toBe(1);
    expect(stderr).toContain("node tools/engine/engine.mjs");
    expect(sandbox.lines("go.log")).toEqual([]);
  });
});

describe("when a build is cut short", () => {
  it("by a kill, no engine is in the cache, and the next run builds one", async () => {
    addGo({ onHost: "kill -KILL $PPID; exit" });
    expect((await ensure()).signal).toBe("SIGKILL");
    expect(existsSync(sandbox.engineFolder)).toBe(false);
    addGo();
    expect((await ensure()).stderr).toContain("built");
  });

  it.each(["INT", "TERM"])(
    "by SIG%s, it ends what it started, leaves nothing and dies of that signal",
    async (name) => {
      addGo({ onHost: `kill -${name} $PPID; exec tail -f /dev/null` });
      expect((await ensure()).signal).toBe(`SIG${name}`);
      expect(leftInCache()).toEqual([]);
    },
  );

  it("and half an engine stands in the cache, it is replaced by a whole one", async () => {
    sandbox.script(join(sandbox.engineFolder, "bin", "pulumi"), "exit 1");
    addGo();
    const { code, stderr } = await ensure();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("built") as string });
    expect(readFileSync(join(sandbox.engineFolder, "bin", "pulumi"), "utf8")).toContain("3.230.0");
    expect(leftInCache()).toHaveLength(1);
  });

  it("or two run at once, both end with the same whole engine", async () => {
    addGo();
    const both = await Promise.all([ensure(), ensure()]);
    expect(both.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      Array(2).fill({ code: 0, stdout: `${sandbox.engineFolder}/bin\n` }),
    );
    expect(leftInCache()).toHaveLength(1);
  });
});
