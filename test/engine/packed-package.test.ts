import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { marked, markedText, ROOT } from "../docs/support/markdown";
import { kinds } from "../../src/resources/registry";
import { folderForSuite } from "../support/suite";
import { assertEngine } from "./support/built";

// The package, packed, as a new user gets it: every step is one of the README, in its own words.

assertEngine();

const root = folderForSuite("packed");
const project = join(root, "my-infra");
const [install = "", configure = "", destroy = ""] = marked("README.md", "run: own-project").map(({ text }) => text);
let port: number;
let simulator: ChildProcess | undefined;
let output: { configure: string; changed: string; destroy: string };

beforeAll(async () => {
  port = await freePort();
  // The clone beside the project: what `npm pack` leaves in it, and the tools that the README calls.
  const clone = join(root, "pulumi-cloudinfra");
  mkdirSync(clone);
  await bash(`npm pack --pack-destination "${clone}" >/dev/null`, ROOT);
  for (const file of ["index.ts", "Pulumi.yaml"]) {
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, file), markedText("README.md", `file: own-project/${file}`));
  }
  await bash(install.replace("npm pack\n", "").replace("mkdir ../my-infra && ", ""), clone);

  simulator = await startSimulator(markedText("README.md", "run: own-project, in the background"));
  output = {
    configure: await bash(inOwnFolder(configure)),
    changed: await changeBandwidth(),
    destroy: await bash(destroy),
  };
});
afterAll(async () => {
  if (simulator?.pid !== undefined) {
    // Signals the complete group, as Ctrl-C in a terminal does: npx does not pass a signal on.
    process.kill(-simulator.pid, "SIGTERM");
    await once(simulator, "close");
  }
});

describe("when a new user follows the README", () => {
  it("prints the preview of docs/cost.md", () => {
    for (const line of linesThatMatter(markedText("docs/cost.md", "transcript: new"))) {
      expect(linesThatMatter(output.configure)).toContain(line);
    }
  });

  it("prints the changed preview of docs/cost.md", () => {
    for (const line of linesThatMatter(markedText("docs/cost.md", "transcript: changed"))) {
      expect(linesThatMatter(output.changed)).toContain(line);
    }
  });

  it("the doctor accepts the stack's configuration", () => {
    expect(output.configure).toMatch(/ok +credential .*cloudinfra:apiKey.*accepted/);
  });

  it("creates and deletes everything", () => {
    expect(output.configure).toContain("+ 4 created");
    expect(output.destroy).toContain("- 4 deleted");
  });
});

describe("when the package is imported", () => {
  const names = [...kinds.map(({ type }) => type), "getVpc", "getVpcOutput"];

  it("the packed package gives an ES module every name", async () => {
    writeFileSync(
      join(project, "importer.mjs"),
      `import * as cloudinfra from "pulumi-cloudinfra";
       import { ${names.join(", ")} } from "pulumi-cloudinfra";
       import { startSimulator } from "pulumi-cloudinfra/simulator";
       const named = { ${names.join(", ")} };
       const same = Object.keys(named).every((name) => named[name] === cloudinfra[name]);
       console.log(same, typeof startSimulator);`,
    );
    expect((await bash("node importer.mjs")).trim()).toBe("true function");
  });

  it("the README's program passes the compiler, strict", async () => {
    const options = "--noEmit --strict --module node20 --target ES2023 --types node --ignoreConfig";
    expect(await bash(`npx tsc ${options} index.ts`)).toBe("");
  });

  it("JavaScript runs with Pulumi's compilation off", async () => {
    const folder = join(root, "fast");
    mkdirSync(folder);
    writeFileSync(join(folder, "Pulumi.yaml"), markedText("docs/performance.md", "file: fast-project/Pulumi.yaml"));
    copyFileSync(join(project, "package.json"), join(folder, "package.json"));
    writeFileSync(
      join(folder, "index.js"),
      `const cloudinfra = require("pulumi-cloudinfra");
       exports.names = cloudinfra.getRegions().then((regions) => regions.map(({ name }) => name));`,
    );
    const settings = `export CLOUDINFRA_BASE_URL=http://127.0.0.1:${port} CLOUDINFRA_API_KEY=try-it`;
    const preview = `ln -s ../my-infra/node_modules && pulumi stack init fast && ${settings} && pulumi preview`;
    expect(await bash(preview, folder)).toContain("us-sva-2");
  });
});

/** Removes what depends on the order of events, on the engine's pauses or on ids. */
function linesThatMatter(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => !/^($|[$@]|Previewing|Loading)|Duration/.test(line));
}

function ownPort(script: string): string {
  return script.replaceAll("4010", String(port));
}

/** The engine is on PATH. The account's own folder of states, which HOME does not move, is not used. */
function inOwnFolder(script: string): string {
  mkdirSync(join(root, "state"));
  return ownPort(script)
    .replace(/^export PATH=.*$/m, "")
    .replace("pulumi login --local", `pulumi login "file://${join(root, "state")}"`);
}

async function changeBandwidth(): Promise<string> {
  const file = join(project, "index.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace("bandwidthMbps: 200", "bandwidthMbps: 500"));
  return bash("pulumi preview");
}

/** Runs a script as its reader would, in its own home. Resolves with its output. Rejects if a command fails. */
function bash(script: string, cwd: string = project): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: environment(), maxBuffer: 1 << 24 };
    execFile("bash", ["-euo", "pipefail", "-c", script], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${script}\n${stdout}${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}

/** npm keeps its settings and its cache. Pulumi gets a home in the folder, and must not ask. */
function environment(): NodeJS.ProcessEnv {
  const home = process.env["HOME"] ?? "";
  return {
    ...process.env,
    HOME: root,
    npm_config_cache: process.env["npm_config_cache"] ?? join(home, ".npm"),
    npm_config_userconfig: process.env["npm_config_userconfig"] ?? join(home, ".npmrc"),
    PULUMI_HOME: join(root, ".pulumi"),
    PULUMI_CONFIG_PASSPHRASE: "choose-your-own",
    PULUMI_SKIP_CONFIRMATIONS: "true",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    NO_COLOR: "1",
    CLOUDINFRA_API_KEY: undefined,
    CLOUDINFRA_BASE_URL: undefined,
  };
}

/** Starts the README's own command with another port. Resolves once its first line is printed. */
async function startSimulator(command: string): Promise<ChildProcess> {
  const child = spawn("bash", ["-c", `exec ${ownPort(command)}`], { cwd: project, env: environment(), detached: true });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").once("data", resolve);
    child.once("exit", (code) => reject(new Error(`the simulator ended with code ${code}`)));
  });
  expect(JSON.parse(line)).toMatchObject({ url: `http://127.0.0.1:${port}`, apiKey: "try-it" });
  return child;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
