import { dirname, join } from "node:path";
import { Sandbox } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

const time = expect.any(Number) as number;

describe("npm run bench -- start", () => {
  it("measures a process for each way to load modules", async () => {
    const { stdout, stderr } = await sandbox.evaluate(
      `import { measureImports } from "@/bench/start/imports.mjs"; import { measurePlugin } from "@/bench/start/plugin.mjs";`,
      "console.log(JSON.stringify([await measureImports(1), await measurePlugin(1)]));",
    );
    expect(stderr).toBe("");
    const process = { wallMs: time, cpuMs: time };
    expect(JSON.parse(stdout)).toEqual([
      { alone: process, withPackage: process },
      { beforeMs: time, duringMs: time },
    ]);
  });

  it("starts the language host with -typescript=false", async () => {
    const host = sandbox.script(join(sandbox.bin, "pulumi-language-nodejs"), 'echo "host $*"');
    const { stdout } = await sandbox.evaluate(
      `import { execFileSync } from "node:child_process";
       import { pathWithoutTypeScript } from "@/bench/start/language-host.mjs";`,
      `const PATH = pathWithoutTypeScript(${JSON.stringify(sandbox.root)}, ${JSON.stringify(dirname(host))});
       console.log(execFileSync("pulumi-language-nodejs", ["-root=.", "127.0.0.1:1"], { env: { PATH }, encoding: "utf8" }));`,
    );
    expect(stdout.trim()).toBe("host -typescript=false -root=. 127.0.0.1:1");
  });
});
