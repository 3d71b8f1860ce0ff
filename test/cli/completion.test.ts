import { spawnSync } from "node:child_process";
import { PulumiProject, runCli } from "./support";

describe("completions of a line", () => {
  const offered = async (line: string, run = {}): Promise<readonly string[]> => {
    const { stdout } = await runCli(["complete", "--", ...line.split(" ").filter(Boolean)], run);
    return stdout.split("\n").map((each) => each.split(" ")[0] ?? "");
  };

  it.each([
    ["", ["cost", "doctor", "rotate", "simulator", "completion", "--cwd", "-C"]],
    ["cost", ["--fail-over-total", "--fail-over-increase", "comment"]],
    ["-C folder cost comment", ["github", "gitlab"]],
    ["cost comment gitlab", ["--mr", "--project", "--min-change"]],
    ["plugin", ["install"]],
    ["completion", ["bash", "zsh", "fish"]],
  ])("offers commands and flags after %j", async (line, words) => {
    expect(await offered(line)).toEqual(expect.arrayContaining(words));
  });

  it.each([
    ["cost --format", ["table", "markdown", "json", "html"]],
    ["cost --output", ["-"]],
    ["simulator --dialect", ["-"]],
  ])("offers nothing but the values of %j", async (line, values) => {
    expect(await offered(line)).toEqual([...values, ""]);
  });

  it.each(["doctor --stack", "cost -s"])("offers the stacks after %j", async (line) => {
    const project = new PulumiProject().stacks({ dev: [], prod: [] });
    expect(await offered(line, { cwd: project.folder, environment: project.environment })).toEqual(["dev", "prod", ""]);
    project.remove();
  });

  it("describes each command except `complete`", async () => {
    const { stdout } = await runCli(["complete"]);
    expect(stdout).toContain("rotate List the API keys of a stack");
    expect(stdout).not.toMatch(/^complete /m);
  });
});

/** Stands in for the command line: offers the words that each shell must show, and files after --output. */
const CLOUDINFRA = `cloudinfra() {
  [ "$1 $2 $3" = "complete -- cost" ] || { echo "wrong: $*" >&2; return; }
  if [ "$4" = --output ]; then printf '%s\\n' -; else printf '%s\n' 'table A table.' 'json For machines.'; fi
}`;
const IN_FISH = `function cloudinfra
  if test "$argv[4]" = --output; echo -; else; printf '%s\n' 'table A table.' 'json For machines.'; end
end`;

/** Each shell, and how to ask it for its completions. */
const SHELLS: Readonly<Record<string, (script: string, line: string) => readonly string[]>> = {
  bash: (script, line) => [
    ...["--norc", "-c"],
    `${CLOUDINFRA}\n${script}\nCOMP_WORDS=(${line} ""); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _cloudinfra; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (script, line) => [
    ...["-f", "-c"],
    `${CLOUDINFRA}\ncompdef() { }; compadd() { shift; print -l -- $@ }; _files() { print bin }\n${script}\nwords=(${line} ""); CURRENT=\${#words}; _cloudinfra`,
  ],
  fish: (script, line) => ["--no-config", "-c", `${IN_FISH}\n${script}\ncomplete -C '${line} '`],
};

describe.each(Object.entries(SHELLS))("the script for %s", (shell, argumentsFor) => {
  const { status } = spawnSync(shell, ["--version"]);
  const shown = async (line: string): Promise<readonly string[]> => {
    const { stdout: script } = await runCli(["completion", shell]);
    const { stdout, stderr } = spawnSync(shell, argumentsFor(script, line), { encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout.split("\n").map((each) => each.split(/[\t/]/)[0] ?? "");
  };

  // Skipped if the shell is not installed.
  (status === 0 ? it : it.skip)("offers the words, or else files", async () => {
    expect(await shown("cloudinfra cost")).toEqual(expect.arrayContaining(["table", "json"]));
    expect(await shown("cloudinfra cost --output")).toContain("bin");
  });
});
