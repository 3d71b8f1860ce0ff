import fs, { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { PulumiProject, runCli } from "./support";
import { folderForSuite } from "../support/suite";

const scratch = folderForSuite("plugin-test");

const name = `resource-cloudinfra-v${version}`;

describe("cloudinfra plugin install", () => {
  it("installs a script that runs this package", async () => {
    const home = join(scratch, "new");
    const folder = join(home, "plugins", name);
    const { code, stdout, stderr } = await runCli(["plugin", "install"], { environment: { PULUMI_HOME: home } });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Installed the plugin cloudinfra ${version} in ${folder}.`);
    expect(statSync(join(folder, "pulumi-resource-cloudinfra")).mode & 0o755).toBe(0o755);
    const script = readFileSync(join(folder, "pulumi-resource-cloudinfra"), "utf8");
    expect(script).toContain("plugin/pulumi-resource-cloudinfra");
  });

  it("replaces an installed version", async () => {
    const home = join(scratch, "old");
    mkdirSync(join(home, "plugins", name), { recursive: true });
    writeFileSync(join(home, "plugins", name, "left over"), "");
    await runCli(["plugin", "install"], { environment: { PULUMI_HOME: home } });
    expect(readdirSync(join(home, "plugins"))).toEqual([name]);
    expect(readdirSync(join(home, "plugins", name))).toEqual(["pulumi-resource-cloudinfra"]);
  });

  it("says what to do if the folder is read-only", async () => {
    const home = join(scratch, "file");
    writeFileSync(home, "");
    const { code, stdout, stderr } = await runCli(["plugin", "install"], { environment: { PULUMI_HOME: home } });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `error: The plugin could not be installed: ${join(home, "plugins")} cannot be written: ` +
        "it, or a part of its path, is a file, not a folder. Correct that, or name another folder of Pulumi in PULUMI_HOME.\n",
    );
  });

  it("says what to do if there is no folder for temporary files", async () => {
    const file = join(scratch, "no-folder");
    writeFileSync(file, "");
    jest.spyOn(os, "tmpdir").mockReturnValue(file);
    const { code, stderr } = await runCli(["plugin", "install"], { cwd: scratch });
    jest.restoreAllMocks();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The plugin could not be installed: .* Name a folder .* in TMPDIR\.\n$/);
  });

  it("keeps an installed version that it cannot replace", async () => {
    const home = join(scratch, "kept");
    mkdirSync(join(home, "plugins", name), { recursive: true });
    jest.spyOn(fs, "rmSync").mockImplementationOnce(() => {
      throw Object.assign(new Error("no"), { code: "EACCES" });
    });
    const { stderr } = await runCli(["plugin", "install"], { environment: { PULUMI_HOME: home } });
    jest.restoreAllMocks();
    expect(stderr).toContain(`${join(home, "plugins", name)} cannot be written: permission denied`);
    expect(readdirSync(join(home, "plugins"))).toEqual([name]);
  });

  describe("with a pulumi on PATH and an unusual PULUMI_HOME", () => {
    const project = new PulumiProject();
    afterAll(() => project.remove());
    const home = join(scratch, "not Pulumi's");
    const install = (): ReturnType<typeof runCli> =>
      runCli(["plugin", "install"], { environment: { ...project.environment, PULUMI_HOME: home } });

    it("lets Pulumi install it, and asks whether Pulumi finds it", async () => {
      project.plugins([{ name: "cloudinfra", kind: "resource", version }]);
      const { code, stdout, stderr } = await install();
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`Installed the plugin cloudinfra ${version} where Pulumi finds it`);
      expect(project.commands).toEqual([
        expect.stringMatching(`^plugin install resource cloudinfra ${version} --file \\S+ --reinstall`),
        expect.stringMatching("^plugin ls --json"),
      ]);
      expect(existsSync(home)).toBe(false);
    });

    const other = [{ name: "cloudinfra", version: "0.0.1" }];
    it("says that pulumi cannot be run", async () => {
      project.plugins(other);
      chmodSync(join(project.folder, "pulumi"), 0o644);
      expect((await install()).stderr).toContain("could not be installed: pulumi cannot be run: permission denied.");
    });

    it.each<[string, object, number, string]>([
      ["refuses", other, 1, "could not be installed: no room. Run this again"],
      ["does not find it", other, 0, "`pulumi plugin ls` does not show it"],
      ["lists something else", { plugins: [null] }, 0, "`pulumi plugin ls` does not show it"],
    ])("plugin install ends with 1 if Pulumi %s", async (_case, listed, pulumiCode, message) => {
      project.plugins(listed, pulumiCode);
      const { code, stderr } = await install();
      expect(code).toBe(1);
      expect(stderr).toContain(message);
    });
  });
});
