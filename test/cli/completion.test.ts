import { spawnSync } from "node:child_process";
import { runCli } from "./support";

const script = async (shell: string): Promise<string> => (await runCli(["completion", shell])).stdout;

/** What bash offers for a line that ends in the word that is being typed. */
async function offered(line: string, before = ""): Promise<readonly string[]> {
  const words = line.split(" ").map((word) => `'${word}'`);
  const ask = `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _cloudinfra; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", `${before}\n${await script("bash")}\n${ask}`], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

/** A `pulumi` whose project has two stacks. */
const PULUMI = `pulumi() { [ "$*" = "stack ls --json" ] && printf '[\n  {\n    "name": "dev"\n  },\n  {\n    "name": "prod"\n  }\n]\n'; }`;

describe("completion in bash", () => {
  it.each(["cloudinfra doctor --stack ", "cloudinfra cost -s "])(
    "when the line is %j, it offers the stacks",
    async (line) => {
      expect(await offered(line, PULUMI)).toEqual(["dev", "prod"]);
    },
  );

  it.each([
    ["cloudinfra ", ["cost", "doctor", "rotate", "simulator", "completion", "--cwd"]],
    ["cloudinfra cost --fail", ["--fail-over-total", "--fail-over-increase"]],
    ["cloudinfra cost --format ", ["table", "markdown", "json", "html"]],
    ["cloudinfra -C folder cost comment gi", ["github", "gitlab"]],
    ["cloudinfra cost comment gitlab --m", ["--mr", "--min-change"]],
    ["cloudinfra rotate --ch", ["--check"]],
    ["cloudinfra plugin ", ["install"]],
    ["cloudinfra simulator --dia", ["--dialect"]],
    ["cloudinfra completion ", ["bash", "zsh", "fish"]],
  ])("offers the matching words for %j", async (line, words) => {
    expect(await offered(line)).toEqual(expect.arrayContaining(words));
  });

  it("when only some values are possible, nothing else is offered", async () => {
    expect(await offered("cloudinfra cost --format ")).toHaveLength(4);
  });
});

/** What zsh adds, with a stand-in for its own `compadd`. */
async function offeredByZsh(line: string): Promise<readonly string[]> {
  const words = line.split(" ").map((word) => `'${word}'`);
  const begin = "compdef() { }; compadd() { shift; print -l -- $@ }; _files() { print FILES }";
  const ask = `words=(${words.join(" ")}); CURRENT=${words.length}; _cloudinfra`;
  return printed("zsh", ["-f", "-c", `${begin}\n${await script("zsh")}\n${ask}`]);
}

/** What fish itself offers, without the descriptions. */
async function offeredByFish(line: string): Promise<readonly string[]> {
  const all = printed("fish", ["--no-config", "-c", `${await script("fish")}\ncomplete -C '${line}'`]);
  return all.map((each) => each.split("\t")[0] ?? "");
}

function printed(shell: string, args: readonly string[]): readonly string[] {
  const { stdout, stderr } = spawnSync(shell, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

/** Left out where the shell is not installed: the name says which it takes. */
const withShell = (shell: string): jest.Describe =>
  spawnSync(shell, ["--version"]).status === 0 ? describe : describe.skip;

const LINES = [
  ["cloudinfra ", ["cost", "doctor", "rotate", "simulator", "completion"]],
  ["cloudinfra cost --format ", ["table", "markdown", "json", "html"]],
  ["cloudinfra -C folder cost comment ", ["github", "gitlab"]],
  ["cloudinfra cost comment gitlab --m", ["--mr", "--min-change"]],
  ["cloudinfra completion ", ["bash", "zsh", "fish"]],
] as const;

withShell("zsh")("completion in zsh, if there is one on PATH", () => {
  it.each(LINES)("offers the matching words for %j", async (line, words) => {
    expect(await offeredByZsh(line)).toEqual(expect.arrayContaining([...words]));
  });

  it("when a file is to be named, it offers files", async () => {
    expect(await offeredByZsh("cloudinfra cost --output ")).toEqual(["FILES"]);
  });
});

withShell("fish")("completion in fish, if there is one on PATH", () => {
  it.each(LINES)("offers the matching words for %j", async (line, words) => {
    expect(await offeredByFish(line)).toEqual(expect.arrayContaining([...words]));
  });

  it("when a command is complete, it offers nothing of another", async () => {
    expect(await offeredByFish("cloudinfra cost comment g")).toEqual(["github", "gitlab"]);
    expect(await offeredByFish("cloudinfra doctor --fail")).toEqual([""]);
  });
});

describe("completion in other shells", () => {
  it("names every command and flag for zsh", async () => {
    const text = await script("zsh");

    expect(text).toMatch(/^#compdef cloudinfra\n/);
    expect(text).toMatch(/"cost comment gitlab"\)\n.*--project/);
  });

  it("describes each flag for fish", async () => {
    expect(await script("fish")).toContain(
      "complete -c cloudinfra -n '__cloudinfra_at cost' -l format -r -f -a 'table markdown json html' -d 'Print the report in this format.'\n",
    );
  });

  it("unknown shell: lists the valid ones", async () => {
    const { code, stderr } = await runCli(["completion", "tcsh"]);

    expect(code).toBe(2);
    expect(stderr).toContain("bash, zsh, fish");
  });
});
