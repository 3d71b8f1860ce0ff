import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";
import { Sandbox } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

/**
 * Runs `.ci/run` with a node and an npm that record their arguments and environment. The last call is that of the
 * tests: a command of the shell.
 */
async function ciRun(env: Record<string, string>, tests = "exit 0") {
  mkdirSync(join(sandbox.root, ".ci"));
  copyFileSync(join(ROOT, ".ci", "run"), join(sandbox.root, ".ci", "run"));
  const log = join(sandbox.root, "calls.log");
  const write = `{ echo "$0 $*"; env; ls -A "$HOME" "$HOME/.cache"; } >> ${log}`;
  sandbox.script(join(sandbox.bin, "node"), write);
  sandbox.script(join(sandbox.bin, "npm"), `${write}\ncase "$*" in *test:all) ${tests};; esac`);
  const ended = await sandbox.evaluate(
    'import { spawnSync } from "node:child_process";',
    'return spawnSync("bash", [".ci/run"], { stdio: ["ignore", "ignore", "inherit"] }).status;',
    { PATH: `${sandbox.bin}:/usr/bin:/bin`, ...env },
  );
  return { ...ended, calls: readFileSync(log, "utf8") };
}

describe(".ci/run", () => {
  it("runs in another home, time zone and language", async () => {
    sandbox.write("home/.npmrc", "fund=false");
    const { code, calls } = await ciRun({ LANG: "C", TZ: "UTC", PULUMI_HOME: "/p", npm_config_registry: "https://r" });
    expect(code).toBe(0);
    expect(calls).toContain("npm run test:all");
    expect(calls).toContain("npm_config_registry=https://r");
    const values = (name: string) =>
      Array.from(calls.matchAll(new RegExp(`^${name}=(.*)$`, "gm")), ([, value = ""]) => value);
    expect(new Set(values("TZ"))).toEqual(new Set(["Pacific/Apia"]));
    expect(new Set(values("LANG"))).toEqual(new Set(["tr_TR.UTF-8"]));
    expect(calls).not.toContain("PULUMI_HOME");
    const homes = new Set(values("HOME"));
    expect(homes.size).toBe(1);
    expect(homes).not.toContain(sandbox.home);
    // It keeps the user's registry settings, and its folder is deleted afterwards.
    expect(calls).toMatch(/^\.npmrc$/m);
    expect(calls).toMatch(/^pulumi-cloudinfra$/m);
    expect([...homes].filter(existsSync)).toEqual([]);
  });

  it(".ci/run exits with the code of the tests", async () => {
    expect((await ciRun({}, "exit 7")).code).toBe(7);
  });

  it("names files that the tests leave in the checkout", async () => {
    const { code, stderr } = await ciRun({}, "mkdir -p dist && touch dist/built test.json");
    expect([code, stderr]).toEqual([1, "The tests have left files in the checkout:\n./test.json\n"]);
  });
});
