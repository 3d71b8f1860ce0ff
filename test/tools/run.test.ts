import { join, resolve } from "node:path";
import { Sandbox, TOOLS } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

/** The node arguments that make a script believe that it runs on this Node. */
function onNode(version: string): string[] {
  const versions = `{ ...process.versions, node: "${version}" }`;
  const pretence = sandbox.write("old.cjs", `Object.defineProperty(process, "versions", { value: ${versions} });`);
  return ["--require", pretence];
}

describe("tools/run.mjs", () => {
  it("refuses Node older than 20 in one line", async () => {
    const { code, stdout, stderr } = await sandbox.run([...onNode("18.20.4"), join(TOOLS, "run.mjs"), "test"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^Node 20 or newer is needed.*18\.20\.4.*\n$/);
  });

  it.each([[["deploy"]], [[]], [["toString"]]])("unknown command %j: lists the valid ones", async (args) => {
    const { code, stderr } = await sandbox.run([join(TOOLS, "run.mjs"), ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/usage: .*setup\|demo\|test\|/);
  });
});

describe("bin/cloudinfra.js", () => {
  const COMMAND = resolve(TOOLS, "../bin/cloudinfra.js");

  it("refuses Node older than 22.19 in one line", async () => {
    const { code, stdout, stderr } = await sandbox.run([...onNode("22.18.0"), COMMAND, "doctor"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "cloudinfra needs Node 22.19 or newer, and this is Node 22.18.0. Install a newer Node from https://nodejs.org or with your version manager, and run again. Or run `npm install node@24` in the project, and put node_modules/.bin first on the PATH.\n",
    );
  });
});

describe("a command that run.mjs starts", () => {
  const imports = 'import { runOnNode24 } from "@/setup/node-24.mjs";';
  const program = (text: string) => sandbox.write("program.cjs", text);
  const start = (file: string) => {
    const body = `return runOnNode24([${JSON.stringify(file)}, "a b"], process.env);`;
    return sandbox.start(sandbox.module(imports, body));
  };

  it("a command gets its arguments, and sets the exit code", async () => {
    const { code, stdout } = await start(program("console.log(process.argv[2]); process.exitCode = 7;")).ended;
    expect({ code, stdout }).toEqual({ code: 7, stdout: "a b\n" });
  });

  it("passes two quick Ctrl-Cs on as one", async () => {
    const { child, ended } = start(
      program(
        `process.on("SIGINT", () => { console.log("interrupted"); setTimeout(() => process.exit(9), 50); });
         console.log("ready");
         setInterval(() => {}, 1000);`,
      ),
    );
    child.stdout.once("data", () => {
      child.kill("SIGINT");
      child.kill("SIGINT");
    });
    const { code, stdout } = await ended;
    expect({ code, stdout }).toEqual({ code: 9, stdout: "ready\ninterrupted\n" });
  });

  it("ends by the same signal as its command", async () => {
    const { signal } = await start(program('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);')).ended;
    expect(signal).toBe("SIGTERM");
  });

  it("asks its command to end when it is killed", async () => {
    const { child, ended } = start(
      program(
        `process.on("SIGTERM", () => { console.log("ended"); process.exit(); });
         console.log("ready");
         setInterval(() => {}, 1000);`,
      ),
    );
    child.stdout.once("data", () => child.kill("SIGKILL"));
    expect((await ended).stdout).toBe("ready\nended\n");
  });
});

describe("a command's --help", () => {
  it.each(["setup", "demo", "example", "bench", "chaos", "plugin", "sdk", "record-state"])(
    "prints the help of %s, and sets nothing up",
    async (name) => {
      const { code, stdout, stderr } = await sandbox.run([join(TOOLS, "run.mjs"), name, "--help"]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(new RegExp(`^usage: (npm run|node tools/run\\.mjs) ${name}\\b`));
      expect(stdout.split("\n").length).toBeGreaterThan(2);
    },
  );

  it.each(["chaos/chaos", "demo/demo", "sdk/sdk", "plugin/plugin", "bench/docs"])(
    "refuses an unknown option of %s in one sentence",
    async (script) => {
      const { code, stdout, stderr } = await sandbox.run([join(TOOLS, `${script}.mjs`), "--nonsense"]);
      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(stderr.trim()).toMatch(/^Unknown option '--nonsense': see `npm run \w+ -- --help`\.$/);
    },
  );

  it.each([
    ["example/example", "wrong", 'There is no example "wrong". The examples are quickstart, '],
    ["example/example", "", "Name an example. The examples are quickstart, "],
    ["sdk/sdk", "cobol", "There is no generator for cobol: see `npm run sdk -- --help`."],
  ])("refuses an unknown name: %s %s", async (script, name, words) => {
    const { code, stdout, stderr } = await sandbox.run([join(TOOLS, `${script}.mjs`), name]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
  });
});
