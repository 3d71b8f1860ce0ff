import { spawn, spawnSync } from "node:child_process";
import { processIo } from "../../src/cli/io";
import { main } from "../../src/cli/main";
import { startSimulator } from "../../src/simulator";
import { examples } from "../examples/support/examples";
import { blocksOf, marked, pages, pageText, ROOT, type Block } from "./support/markdown";
import { forSuite } from "../support/suite";

/** What tests do with a block of commands. Each kind is checked by the named test. */
const KINDS = [
  "run: simulator", // here
  "run: clone", // here
  "run: example", // test/engine/examples.test.ts
  "run: testing", // test/engine/guides.test.ts
  "run: own-project", // test/engine/packed-package.test.ts
  "run: own-project, in the background",
];

const commandBlocks = pages().flatMap((page) => blocksOf(page).filter(({ language }) => language === "sh"));
const titled = (blocks: readonly Block[]): [string, Block][] =>
  blocks.map((block) => [`${block.page}:${block.line}`, block]);

describe("every block of commands", () => {
  it.each(titled(commandBlocks))("marks %s with its test, or why it is not run", (_title, { mark }) => {
    expect(KINDS.includes(mark ?? "") || /^not run: \S.{20,}/.test(mark ?? "")).toBe(true);
  });

  it("names an example that exists", () => {
    const lines = pages().flatMap((page) =>
      marked(page, "run: example").flatMap(({ text }) => text.trim().split("\n")),
    );
    const named = lines.map((line) => /^npm run example -- (\S+)$/.exec(line)?.[1]);
    expect(new Set(named)).toEqual(new Set(examples()));
  });

  it("has the own-project commands only in README.md, in order", () => {
    const own = commandBlocks.filter(({ mark }) => mark?.startsWith("run: own-project"));
    expect(own.map(({ page, text }) => [page, text.split(/[ \n]/, 2).join(" ")])).toEqual([
      ["README.md", "npm pack"],
      ["README.md", "npx cloudinfra"],
      ["README.md", 'export PATH="$(node'],
      ["README.md", "pulumi destroy"],
    ]);
  });
});

/** The commands of pages need a shell. A machine without one skips them. */
const missing = ["bash", "curl"].filter((name) => spawnSync(name, ["--version"]).error !== undefined);
if (missing.length > 0) console.warn(`not on PATH: ${missing.join(", ")}. The commands of the pages are left out`);
const describeAtShell = missing.length > 0 ? describe.skip : describe;

describeAtShell("commands against the simulator", () => {
  const simulator = forSuite(() => startSimulator({ operationTime: "0" }));

  // In the order of the page, because later blocks may need earlier ones.
  const blocks = commandBlocks.filter(({ mark }) => mark === "run: simulator");
  it.each(titled(blocks))("against the simulator, %s runs", async (_title, { text }) => {
    const { url, apiKey, projectId, vpcId, controlUrl } = simulator;
    const env = { ...process.env, URL: url, KEY: apiKey, PROJECT: projectId, VPC: vpcId, CONTROL: controlUrl };
    expect(await runs(text, env)).toBe(0);
  });
});

describeAtShell("commands in the clone", () => {
  const blocks = commandBlocks.filter(({ mark }) => mark === "run: clone");
  it.each(titled(blocks))("%s runs in the clone", async (_title, { text }) => {
    expect(await runs(text, process.env)).toBe(0);
  });
});

it("names only existing npm scripts in the documentation", () => {
  const { scripts } = JSON.parse(pageText("package.json")) as { scripts: Record<string, string> };
  const named = pages().flatMap((page) =>
    Array.from(pageText(page).matchAll(/npm run ([a-z]+)/g), ([, name = ""]) => name),
  );
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});

it("lists exactly the commands of `cloudinfra --help` in the README", async () => {
  let help = "";
  const stdout = { write: (text: string) => (help += text) };
  expect(await main(["--help"], { ...processIo(), stdout })).toBe(0);
  const commands = Array.from(help.matchAll(/^ {2}([a-z]+) .*$/gm), ([, name = ""]) => name);
  const listed = Array.from(pageText("README.md").matchAll(/^\| `cloudinfra ([a-z]+)`/gm), ([, name = ""]) => name);
  expect(listed).toEqual(commands.filter((name) => name !== "help"));
});

/** Resolves with the exit code. Asynchronous, because the simulator answers from this process. */
function runs(script: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-euo", "pipefail", "-c", script], { cwd: ROOT, env, stdio: "ignore" });
    child.once("error", reject).once("close", resolve);
  });
}
