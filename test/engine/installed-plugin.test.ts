import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { version } from "../../package.json";
import { ROOT } from "../docs/support/markdown";
import { counts, succeeded } from "./support/output";
import { Session } from "./support/session";
import { describeYaml, yaml } from "./support/yaml";
import { basicsOf } from "./support/programs";
import { folderForSuite } from "../support/suite";

const path = (process.env["PATH"] ?? "").split(delimiter);
const folderWith = (command: string): string | undefined => path.find((folder) => existsSync(join(folder, command)));

const scratch = folderForSuite("installed");

/** A YAML program that does not say where the plugin is. */
async function session(env: Readonly<Record<string, string>> = {}): Promise<Session> {
  const started = await Session.start({ resources: {} }, { env });
  const permissions = [{ resourceType: "vm", permission: "edit" }];
  const resources = {
    data: yaml("Volume", basicsOf("Volume")),
    // A component needs more of Pulumi's SDK.
    ci: yaml("RotatingApiKey", { permissions, period: "30d" }),
  };
  started.stack.write({ plugins: undefined, resources });
  return started;
}

async function expectItWorks({ stack, api }: Session): Promise<void> {
  const output = succeeded(await stack.preview());
  expect(counts(output)).toEqual(["+ 6 to create"]);
  expect(output).toContain("+$10.00/mo");
  expect(output).not.toContain("using pulumi-resource-cloudinfra from $PATH");
  succeeded(await stack.up());
  succeeded(await stack.destroy());
  expect(await api.heldIds()).toEqual([]);
}

describeYaml("a YAML program that does not say where the plugin is", () => {
  it("finds the plugin after `cloudinfra plugin install`", async () => {
    const started = await session();
    const { stack } = started;
    const command = [join(ROOT, "bin", "cloudinfra.js"), "plugin", "install"];
    await promisify(execFile)(process.execPath, command, { env: stack.env });
    expect(succeeded(await stack.pulumi(["package", "add", "cloudinfra"]))).toContain("generated an SDK");
    expect(readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8")).toContain(`cloudinfra: cloudinfra@${version}`);
    await expectItWorks(started);
  });

  it("finds the plugin after `pulumi package add` of its folder", async () => {
    const started = await session();
    const { stack } = started;
    const folder = "./node_modules/pulumi-cloudinfra/plugin";
    // The engine keeps the plugin's schema beside its folder, so the package is not the checkout itself.
    rmSync(join(stack.folder, "node_modules"));
    mkdirSync(join(stack.folder, "node_modules", "pulumi-cloudinfra"), { recursive: true });
    symlinkSync(join(ROOT, "plugin"), join(stack.folder, folder));
    succeeded(await stack.pulumi(["package", "add", folder]));
    expect(readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8")).toContain(`cloudinfra: ${folder}`);
    await expectItWorks(started);
  });

  const executable = process.platform === "linux" ? it : it.skip;
  executable("needs no Node with the executable", async () => {
    const command = [join(ROOT, "tools", "plugin", "plugin.mjs"), "--out", scratch];
    await promisify(execFile)(process.execPath, command, { env: { ...process.env, TMPDIR: scratch } });
    const [tarball = ""] = readdirSync(scratch);
    // It needs nothing from the system's folders.
    const started = await session({ PATH: [folderWith("pulumi"), folderWith("pulumi-language-yaml")].join(delimiter) });
    const { stack } = started;
    expect(
      String(stack.env["PATH"])
        .split(delimiter)
        .some((folder) => existsSync(join(folder, "node"))),
    ).toBe(false);
    const install = ["plugin", "install", "resource", "cloudinfra", version, "--file", join(scratch, tarball)];
    succeeded(await stack.pulumi(install));
    await expectItWorks(started);
  });
});
