import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "../docs/support/markdown";
import { assertBuilt, assertEngine } from "./support/built";
import { fastStart } from "./support/fast-start";
import { folderForSuite } from "../support/suite";

assertBuilt();
assertEngine();

const folder = folderForSuite("demo");

/** Util-linux has a `script` that gives a command a terminal. */
const hasTerminals = String(spawnSync("script", ["--version"]).stdout).includes("util-linux");
if (!hasTerminals) console.warn("`script` of util-linux is not on PATH: the demo runs without a terminal");

/** The output of the demo, on a terminal of 80 columns if possible. */
function demo(): { readonly code: number | null; readonly output: string } {
  const node = `${process.execPath} ${join(ROOT, "tools", "demo", "demo.mjs")}`;
  const command = hasTerminals
    ? ["script", "--quiet", "--return", "--command", `stty rows 40 cols 80; ${node}`, "/dev/null"]
    : ["sh", "-c", node];
  const { status, stdout } = spawnSync(command[0]!, command.slice(1), {
    encoding: "utf8",
    env: { ...process.env, ...fastStart, CI: undefined, TMPDIR: folder, TERM: "xterm", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 24,
  });
  return { code: status, output: stripVTControlCharacters(stdout) };
}

it("shows a priced platform, a replacement and a rotation", () => {
  const { code, output } = demo();
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output.match(/^✔ /gm)).toHaveLength(6);
  if (hasTerminals) expect(output).toMatch(/├─ cloudinfra:index:ConnectConnection +aws-link +replace/);
  for (const cost of ["+$312.50/mo", "$312.50  $781.25    +$468.75", "failed 0"]) expect(output).toContain(cost);
  expect(output).not.toContain("package.json");
  const own = output.split("\n").filter((line) => /^( {4}|── |✔ )/.test(line));
  expect(own.filter((line) => line.trimEnd().length > 80)).toEqual([]);
});
