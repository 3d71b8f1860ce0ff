import { stripVTControlCharacters } from "node:util";
import { expectToFit, WIDTHS } from "../support/narrow-text";
import { previewJson, step } from "./cost-previews";
import { after, RotateBench } from "./rotate-fixture";
import { runCli, type CliRun } from "./support";

const bench = RotateBench.forSuite();

beforeEach(async () => {
  await bench.keepKey();
  await bench.keepNew({ name: "the-key-of-the-deployment", rotatesAt: after(10) });
  const old = await bench.makeKey(90, { name: "deployer-0000000" });
  await bench.keepNew({ replacedId: old.id });
  await bench.use(old.secret, "a client with a long name");
  bench.advance(20);
});

const preview = previewJson([
  step("update", "dearer", { before: "1", after: "2" }),
  step("update", "cheaper", { before: "5", after: "4" }),
  step("update", "equal", { before: "5", after: "5" }),
]);

async function shown(line: string, { environment = {}, ...run }: CliRun = {}): Promise<string> {
  const stdin = line.startsWith("cost") ? preview : bench.state;
  const all = { ...bench.environment, ...environment };
  return (await runCli(line.split(" "), { stdin, isTTY: true, environment: all, ...run })).stdout;
}

describe.each([
  ["cost --preview -", ["\u001b[31m+$1.00\u001b[39m", "\u001b[32m-$1.00\u001b[39m"]],
  ["rotate --check --days 30 --state -", ["\u001b[32mno\u001b[39m", "\u001b[33myes: rotates\u001b[39m"]],
  ["doctor", ["\u001b[32m✔\u001b[39m  regions"]],
])("the look of `cloudinfra %s`", (line, coloured) => {
  it("the output has colours on a terminal", async () => {
    const stdout = await shown(line);
    for (const part of coloured) expect(stdout).toContain(part);
  });

  it.each([
    ["in a file", "", { isTTY: false }],
    ["with NO_COLOR", "", { environment: { NO_COLOR: "1" } }],
    ["in CI", "", { environment: { CI: "true" } }],
    ["with --no-color before the command", "before", {}],
    ["with --no-color behind it", "behind", {}],
  ])("the output has no colours %s", async (_, flag, run) => {
    const given = { before: `--no-color ${line}`, behind: `${line} --no-color` }[flag] ?? line;
    const stdout = await shown(given, { ...run });
    for (const part of ["\u001b", "✔", "✘"]) expect(stdout).not.toContain(part);
  });
});

describe.each(["rotate --check --days 30 --state -", "rotate --audit --days 30 --state -", "doctor"])(
  "the table of `cloudinfra %s`",
  (line) => {
    it.each(WIDTHS)("breaks no word of the output at %d columns", async (columns) => {
      const table = async (run: object): Promise<string> =>
        (await shown(line, run)).split(/\n\n(?=[A-Z])/)[0]!.replaceAll(/\d+ ms/g, "0 ms");
      const narrow = await table({ columns });
      expectToFit(narrow, await table({}), columns);
      expect(stripVTControlCharacters(narrow).split("\n").length).toBeGreaterThan(3);
    });
  },
);
