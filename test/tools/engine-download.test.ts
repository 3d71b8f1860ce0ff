import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EngineSandbox } from "./engine-sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new EngineSandbox());

/** A stand-in for the installer: an engine with these files. */
const release = (...names: readonly string[]) => `mkdir -p "$root/bin"
  for name in ${names.join(" ")}; do
    printf "#!/bin/sh\\necho v$version\\n" > "$root/bin/$name"; chmod +x "$root/bin/$name"
  done`;
const WHOLE = ["pulumi", "pulumi-language-nodejs", "pulumi-language-yaml", "pulumi-resource-pulumi-nodejs"];

describe("the official release of the engine", () => {
  it("downloads the engine into the cache, and reuses it", async () => {
    sandbox.addGo();
    sandbox.addNetwork(`${release(...WHOLE)}; echo half > "$TMPDIR/left"`);
    const first = await sandbox.ensure();
    expect(first.stdout).toBe(`${sandbox.engineFolder}/bin\n`);
    expect(first.stderr).toMatch(/downloading the official release[^]*Pulumi 3\.230\.0 downloaded/);
    expect(readdirSync(join(sandbox.engineFolder, "bin"))).toEqual(WHOLE);
    expect(sandbox.leftInCache()).toHaveLength(1);
    expect(readdirSync(sandbox.home)).toEqual([".cache"]);
    rmSync(join(sandbox.root, "install.sh"));
    expect((await sandbox.ensure()).stderr).toContain("Pulumi 3.230.0 in the cache");
    expect(sandbox.lines("go.log")).toEqual([]);
  });

  it.each([
    ["fails", `${release(...WHOLE)}; echo "the connection broke" >&2; exit 1`, "the connection broke"],
    ["is not complete", release("pulumi"), "has no pulumi-language-nodejs"],
  ])("builds with Go after a download that %s", async (_how, installer, reason) => {
    sandbox.addGo();
    sandbox.addNetwork(installer);
    const { stderr } = await sandbox.ensure();
    expect(stderr).toMatch(new RegExp(`cannot be downloaded: .*${reason}[^]*compiling[^]*Pulumi 3\\.230\\.0 built`));
    expect(sandbox.leftInCache()).toHaveLength(1);
    expect(readdirSync(join(sandbox.engineFolder, "bin"))).toContain("pulumi-analyzer-policy-nodelegacy");
  });

  it("gives up a stalled download, and leaves nothing", async () => {
    sandbox.addNetwork(`echo $$ > ${sandbox.root}/pid; exec tail -f /dev/null`);
    const folder = JSON.stringify(sandbox.engineFolder);
    const { stderr } = await sandbox.evaluate(
      'import { downloadEngine } from "@/engine/download-engine.mjs"; import { silentStep } from "@/setup/progress.mjs";',
      `await downloadEngine({ version: "3.230.0", folder: ${folder}, step: silentStep, stallTimeoutMs: 4000 });`,
      sandbox.network(),
    );
    expect(stderr).toContain("nothing came for 4 s");
    expect(sandbox.leftInCache()).toEqual([]);
    // Linux keeps a process that nobody has waited for, without its command line.
    const commandLine = `/proc/${sandbox.lines("pid").join()}/cmdline`;
    expect(existsSync(commandLine) && readFileSync(commandLine, "utf8")).toBeFalsy();
  });
});
