import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { runCli } from "./support";

const scratch = mkdtempSync(join(tmpdir(), "cloudinfra-plugin-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const name = `resource-cloudinfra-v${version}`;

describe("cloudinfra plugin install", () => {
  it("when Pulumi's folder is named, it puts a script there that runs this package, and says so", async () => {
    const home = join(scratch, "new");
    const folder = join(home, "plugins", name);
    const { code, stdout, stderr } = await runCli(["plugin", "install"], { environment: { PULUMI_HOME: home } });

    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Installed the plugin cloudinfra ${version} in ${folder}.`);
    expect(statSync(join(folder, "pulumi-resource-cloudinfra")).mode & 0o755).toBe(0o755);
    expect(readFileSync(join(folder, "pulumi-resource-cloudinfra"), "utf8")).toContain("native/server.js");
  });

  it("when this version is there already, it replaces it and leaves nothing else behind", async () => {
    const home = join(scratch, "old");
    mkdirSync(join(home, "plugins", name), { recursive: true });
    writeFileSync(join(home, "plugins", name, "left over"), "");
    await runCli(["plugin", "install"], { environment: { PULUMI_HOME: home } });

    expect(readdirSync(join(home, "plugins"))).toEqual([name]);
    expect(readdirSync(join(home, "plugins", name))).toEqual(["pulumi-resource-cloudinfra"]);
  });

  it("when the folder cannot be written, it ends with 1 and says what to do", async () => {
    const home = join(scratch, "file");
    writeFileSync(home, "");
    const { code, stdout, stderr } = await runCli(["plugin", "install"], { environment: { PULUMI_HOME: home } });

    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/could not be installed in .*Name another folder in PULUMI_HOME\./);
  });
});
